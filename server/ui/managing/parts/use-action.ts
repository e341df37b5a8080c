import { useState } from 'react';
import type { ActionInput, ActionName, ActionResult, Progress } from '../../../bridge.ts';
import { refreshEvents } from '../../reading/queries.ts';
import { type PerformOptions, perform } from '../actions.ts';
import { type Task, useTask } from './use-task.ts';

/** Actions that do not change data. */
const readOnlyActions: ReadonlySet<ActionName> = new Set<ActionName>([
  'user list',
  'key list',
  'history',
  'export',
  'check',
]);

type ActionArgs<Name extends ActionName> = readonly [
  args: ActionInput<Name>,
  options?: PerformOptions,
];

export type ActionTask<Name extends ActionName> = Task<ActionArgs<Name>, ActionResult<Name>> & {
  /** Undefined before the first report of the action. */
  readonly progress: Progress | undefined;
};

/** Performs an action of the catalogue; all data is read again, unless the action is read-only. */
export function useAction<Name extends ActionName>(name: Name): ActionTask<Name> {
  const [progress, setProgress] = useState<Progress | undefined>();
  const task = useTask<ActionArgs<Name>, ActionResult<Name>>((args, options = {}) => {
    setProgress(undefined);
    const onProgress = (reported: Progress) => {
      setProgress(reported);
      options.onProgress?.(reported);
    };
    const performing = perform(name, args, { ...options, onProgress });
    // Not awaited: reading a large club takes longer than changing it.
    return readOnlyActions.has(name) ? performing : performing.finally(() => void refreshEvents());
  });
  return { ...task, progress };
}
