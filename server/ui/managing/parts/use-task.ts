import { useCallback, useRef, useState } from 'react';
import { errorOf } from '../actions.ts';

/** Something asked of the desktop application, and what became of it. */
export type Task<Args extends readonly unknown[], Value> = {
  /** Does it, one at a time; undefined when it failed or was under way already. */
  readonly run: (...args: Args) => Promise<Value | undefined>;
  readonly isRunning: boolean;
  readonly error: Error | undefined;
  readonly result: Value | undefined;
  /** Forgets the error and the result. */
  readonly reset: () => void;
};

type Outcome<Value> = {
  readonly isRunning: boolean;
  readonly error?: Error;
  readonly result?: Value;
};

const idle = { isRunning: false } as const;

/** Runs what a button asks for, and keeps its error as something to show. */
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
