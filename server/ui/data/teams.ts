import { createContext, use, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Team, teamKey, teamMatcher } from '../../../db/team-filter.ts';
import type { SuggestedTeam } from '../../event/views.ts';
import type { Event } from '../../http/contract.ts';
import { noTeam } from '../base/address.ts';
import { useRoute } from '../base/navigation.ts';

export type TeamTest = (event: Event) => boolean;

type ClubTeams = {
  /** The teams in their order; undefined until they are read. */
  readonly teams: readonly Team[] | undefined;
  /** Adds suggested teams. Throws `BridgeError`. */
  readonly add: (teams: readonly SuggestedTeam[]) => Promise<void>;
};

/** The teams of the club; undefined in a browser, which does not get them. */
export const TeamsContext = createContext<ClubTeams | undefined>(undefined);

const noTeams: readonly Team[] = [];

export const useTeams = (): readonly Team[] => use(TeamsContext)?.teams ?? noTeams;

export type TeamChoice = {
  /** The chosen team; null for none, and for the events of no team. */
  readonly team: Team | null;
  /** The name of the choice; null for all events. */
  readonly name: string | null;
  /** The test for its events; null for all events. */
  readonly inTeam: TeamTest | null;
  readonly isWithout: boolean;
  /** True while the teams are read among which the choice is. */
  readonly isReading: boolean;
};

const everything: TeamChoice = {
  ...{ team: null, name: null, inTeam: null, isWithout: false, isReading: false },
};

/** Returns the team by which the views filter. */
export const useTeamChoice = (): TeamChoice => useTeamNamed(useRoute().team);

/** Returns the team that an address names; a team that is gone leaves nothing out. */
export function useTeamNamed(chosen: string | null): TeamChoice {
  const context = use(TeamsContext);
  const teams = context?.teams ?? noTeams;
  const isReading = context !== undefined && context.teams === undefined;
  const { t } = useTranslation('teams');
  const without = t('none');
  return useMemo(() => {
    if (chosen !== null && isReading) return { ...everything, isReading };
    if (chosen === null || teams.length === 0) return everything;
    if (chosen === noTeam) {
      const tests = teams.map(teamMatcher);
      const inTeam = (event: Event) => !tests.some((test) => test(event));
      return { team: null, name: without, inTeam, isWithout: true, isReading };
    }
    const team = teams.find(({ name }) => teamKey(name) === teamKey(chosen));
    if (team === undefined) return everything;
    return { ...everything, team, name: team.name, inTeam: teamMatcher(team) };
  }, [chosen, teams, without, isReading]);
}
