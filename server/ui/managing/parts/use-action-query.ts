import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ActionInput, ActionName, ActionResult } from '../../../bridge.ts';
import { perform } from '../actions.ts';

/** What an action that only reads has to say, and says again after every change of the data. */
export function useActionQuery<Name extends ActionName>(
  name: Name,
  args: ActionInput<Name>,
  { enabled = true }: { readonly enabled?: boolean } = {},
): UseQueryResult<ActionResult<Name>, Error> {
  return useQuery<ActionResult<Name>, Error>({
    queryKey: ['action', name, args],
    // Not given up when its screen is left: it is over in a moment.
    queryFn: () => perform(name, args),
    enabled,
    retry: false,
    // With no network at all the application still answers.
    networkMode: 'always',
  });
}
