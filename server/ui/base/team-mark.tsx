import './team-mark.css';
import type { Team } from '../../../db/team-filter.ts';

/** The letters of a team on its colour; its name stands beside it. */
export function TeamMark({ team }: { readonly team: Pick<Team, 'letters' | 'colour'> }) {
  return (
    <span className="team-mark" data-colour={team.colour} dir="auto" aria-hidden>
      {team.letters}
    </span>
  );
}
