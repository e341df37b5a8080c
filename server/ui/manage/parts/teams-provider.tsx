import { type ReactNode, useCallback, useMemo } from 'react';
import type { SuggestedTeam } from '../../../event/views.ts';
import { TeamsContext } from '../../data/teams.ts';
import { performChange, useActionQuery } from './action-hooks.ts';

/** Provides the teams of the open club. They stay on view while they are read again. */
export function TeamsProvider(props: { readonly user: string; readonly children: ReactNode }) {
  const { user, children } = props;
  const { data } = useActionQuery('team list', { user }, { isInBackground: true });
  const add = useCallback(
    async (teams: readonly SuggestedTeam[]) => {
      for (const { name, words, without } of teams) {
        await performChange('team add', { user, name, words, without });
      }
    },
    [user],
  );
  const value = useMemo(() => ({ teams: data?.teams, add }), [data, add]);
  return <TeamsContext value={value}>{children}</TeamsContext>;
}
