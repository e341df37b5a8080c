import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ActionInput, ActionName, ActionResult } from '../../../bridge.ts';
import { perform } from '../actions.ts';

/** Queries a read-only action, and again after every change of the data. */
export function useActionQuery<Name extends ActionName>(
  name: Name,
  args: ActionInput<Name>,
  { enabled = true }: { readonly enabled?: boolean } = {},
): UseQueryResult<ActionResult<Name>, Error> {
  return useQuery<ActionResult<Name>, Error>({
    queryKey: ['action', name, args],
    // Not cancelled when its screen is closed, because it takes only a moment.
    queryFn: () => perform(name, args),
    enabled,
    retry: false,
    // The application answers without a network, too.
    networkMode: 'always',
  });
}
