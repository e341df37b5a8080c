import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import type {
  ActionInput,
  ActionName,
  ActionResult,
  Progress,
  ReadName,
} from '../../../actions/bridge.ts';
import { afterPaint } from '../../base/browser.ts';
import { type EventChanges, inBackground } from '../../base/client.ts';
import { errorOf, type PerformOptions, perform } from '../../base/desktop.ts';
import { showSaved } from '../../data/club.ts';
import { startOwnChange } from '../../data/own-changes.ts';
import { savedEvents } from '../../data/visible-events.tsx';

type QueryOptions = {
  readonly enabled?: boolean;
  /** Interval of further queries, in milliseconds; absent for an action whose data only change here. */
  readonly intervalMs?: number;
  /** True if no view waits for the answer. */
  readonly isInBackground?: boolean;
  /** True to return the result for the arguments before until that for the new ones is there. */
  readonly keepsPrevious?: boolean;
};

/** Queries a read-only action, and again after every change of the data. */
export function useActionQuery<Name extends ReadName>(
  name: Name,
  args: ActionInput<Name>,
  { enabled = true, intervalMs, isInBackground = false, keepsPrevious = false }: QueryOptions = {},
): UseQueryResult<ActionResult<Name>, Error> {
  return useQuery<ActionResult<Name>, Error>({
    queryKey: ['action', name, args],
    // Not cancelled when its screen is closed, because it takes only a moment.
    queryFn: () => perform(name, args),
    enabled,
    retry: false,
    ...(intervalMs !== undefined && { refetchInterval: intervalMs }),
    ...(isInBackground && { meta: inBackground }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    // The application answers without a network, too.
    networkMode: 'always',
  });
}

export type Task<Args extends readonly unknown[], Value> = {
  /** Runs the operation; returns undefined if it fails or is already running. */
  readonly run: (...args: Args) => Promise<Value | undefined>;
  readonly isRunning: boolean;
  readonly error: Error | undefined;
  readonly result: Value | undefined;
  readonly reset: () => void;
};

type Outcome<Value> = {
  readonly isRunning: boolean;
  readonly error?: Error;
  readonly result?: Value;
};

const idle = { isRunning: false } as const;

/** Runs an operation, such as that of a button, and keeps its result or error for display. */
export function useTask<Args extends readonly unknown[], Value>(
  work: (...args: Args) => Promise<Value>,
): Task<Args, Value> {
  const [outcome, setOutcome] = useState<Outcome<Value>>(idle);
  const isBusy = useRef(false);

  async function run(...args: Args): Promise<Value | undefined> {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    setOutcome({ isRunning: true });
    try {
      const result = await work(...args);
      setOutcome({ isRunning: false, result });
      return result;
    } catch (thrown) {
      setOutcome({ isRunning: false, error: errorOf(thrown) });
      return undefined;
    } finally {
      isBusy.current = false;
    }
  }

  const reset = useCallback(() => setOutcome(idle), []);
  const { isRunning, error, result } = outcome;
  return { run, isRunning, error, result, reset };
}

/** Actions whose results are what the views show of them. */
const savedBy: { readonly [Name in ActionName]?: (result: ActionResult<Name>) => EventChanges } = {
  'event add': ({ event, series }) => ({ events: series?.events ?? [event], removed: [] }),
  'event edit': ({ event }) => ({ events: [event], removed: [] }),
  'event remove': ({ event }) => ({ events: [], removed: [event.id] }),
};

/** Shows what a change saved: its events at once, and the lists with them after the next paint. */
async function showChange(saved: EventChanges | undefined): Promise<void> {
  if (saved === undefined) return;
  savedEvents.set(new Map(saved.events.map((event) => [event.id, event])));
  await new Promise<void>((resolve) => void afterPaint(resolve));
  showSaved(saved);
}

type ActionArgs<Name extends ActionName> = readonly [
  args: ActionInput<Name>,
  options?: PerformOptions,
];

/**
 * Performs an action that changes data, as a change of this window, and then reads all data again.
 * Throws `BridgeError`.
 */
export async function performChange<Name extends ActionName>(
  ...[name, args, options]: readonly [name: Name, ...ActionArgs<Name>]
): Promise<{ readonly result: ActionResult<Name>; readonly isShown: Promise<void> }> {
  const endChange = startOwnChange();
  try {
    const result = await perform(name, args, options);
    // Not awaited: reading a large club takes longer than changing it.
    return { result, isShown: showChange(savedBy[name]?.(result)).then(endChange) };
  } catch (thrown) {
    void endChange();
    throw thrown;
  }
}

export type ActionTask<Name extends ActionName> = Task<ActionArgs<Name>, ActionResult<Name>> & {
  /** Undefined before the first report of the action. */
  readonly progress: Progress | undefined;
};

/** An action that changes data. For one that only reads, `useActionQuery` or `perform` does less. */
type ChangeName = Exclude<ActionName, ReadName>;

/** Performs an action that changes data, and then reads all data again. */
export function useAction<Name extends ChangeName>(name: Name): ActionTask<Name> {
  const [progress, setProgress] = useState<Progress | undefined>();
  const task = useTask<ActionArgs<Name>, ActionResult<Name>>((args, options = {}) => {
    setProgress(undefined);
    const onProgress = (reported: Progress) => {
      setProgress(reported);
      options.onProgress?.(reported);
    };
    return performChange(name, args, { ...options, onProgress }).then(({ result }) => result);
  });
  return { ...task, progress };
}
