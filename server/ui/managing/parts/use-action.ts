import { useState } from 'react';
import type { ActionInput, ActionName, ActionResult, Progress } from '../../../bridge.ts';
import { refreshEvents } from '../../reading/queries.ts';
import { type PerformOptions, perform } from '../actions.ts';
import { type Task, useTask } from './use-task.ts';

/** The actions that leave all data as it was. */
const readingActions: ReadonlySet<ActionName> = new Set<ActionName>([
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
  /** How far a long action has come; undefined before it tells. */
  readonly progress: Progress | undefined;
};

/** Performs an action of the catalogue; after one that changed data, everything is read again. */
export function useAction<Name extends ActionName>(name: Name): ActionTask<Name> {
  const [progress, setProgress] = useState<Progress | undefined>();
  const task = useTask<ActionArgs<Name>, ActionResult<Name>>((args, options = {}) => {
    setProgress(undefined);
    const onProgress = (told: Progress) => {
      setProgress(told);
      options.onProgress?.(told);
    };
    const doing = perform(name, args, { ...options, onProgress });
    return readingActions.has(name) ? doing : doing.finally(refreshEvents);
  });
  return { ...task, progress };
}
