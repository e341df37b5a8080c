import { useCallback, useRef, useState } from 'react';
import { errorOf } from '../actions.ts';

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
