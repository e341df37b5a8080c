import './team.css';
import { useTranslation } from 'react-i18next';
import type { StoredEvent } from '../../../db/model.ts';
import { type Team, teamGap } from '../../../db/team-filter.ts';

/** The letters of a team on its colour; its name stands beside it. */
export function TeamMark({ team }: { readonly team: Pick<Team, 'letters' | 'colour'> }) {
  return (
    <span className="team-mark" data-colour={team.colour} dir="auto" aria-hidden>
      {team.letters}
    </span>
  );
}

/** The conditions of a team that are words. */
type Conditions = Pick<Team, 'words' | 'without'> & Partial<Pick<Team, 'place' | 'eventType'>>;

/** Returns a function that words the choices of a condition: "“U15” or “U 15”". */
function useChoices(): (text: string) => string {
  const { t, i18n } = useTranslation('teams');
  const list = new Intl.ListFormat(i18n.language, { type: 'disjunction' });
  return (text) => {
    const parts = text.split(',').map((part) => part.trim());
    return list.format(
      parts.filter((part) => part !== '').map((part) => t('quoted', { text: part })),
    );
  };
}

/** Returns a function that says why an event is not one of a team; undefined for one that is. */
export function useTeamGap(): (team: Team, event: StoredEvent) => string | undefined {
  const { t } = useTranslation(['teams', 'event']);
  const choices = useChoices();
  return (team, event) => {
    const gap = teamGap(team)(event);
    if (gap === undefined) return undefined;
    const type = t(`event:${team.eventType ?? 'none'}`);
    const words = gap === 'eventType' ? '' : choices(team[gap]);
    return t(`gap_${gap}`, { team: team.name, words, type });
  };
}

/** Returns a function that words the conditions of a team: "with “U15” or “U 15”, without “camp”". */
export function useTeamWords(): (conditions: Conditions) => string {
  const { t } = useTranslation(['teams', 'event']);
  const choices = useChoices();
  return ({ words, without, place = '', eventType = null }) =>
    [
      t('withWords', { words: choices(words) }),
      ...(without === '' ? [] : [t('withoutWords', { words: choices(without) })]),
      ...(place === '' ? [] : [t('atPlace', { words: choices(place) })]),
      ...(eventType === null ? [] : [t(`event:${eventType}`)]),
    ].join(', ');
}
