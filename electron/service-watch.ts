import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceThread } from './service-thread.ts';

export type WatchTools = {
  /** Whether a service answers. */
  readonly probe: (baseUrl: string) => Promise<boolean>;
  /** In milliseconds. */
  readonly probeEvery: number;
};

/** One silence may be a machine that woke up or was busy. */
const mostSilences = 3;

/** Resolves after a time, in milliseconds, or at once when the signal comes. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  // An end of the wait is no failure: whoever waits looks at the signal.
  return delay(ms, undefined, { signal }).catch(() => undefined);
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Resolves when the service does not answer any more, though its thread goes on. */
async function watchSilence(
  { baseUrl }: ServiceThread,
  { probe, probeEvery }: WatchTools,
  signal: AbortSignal,
): Promise<Error> {
  for (let silences = 0; silences < mostSilences && !signal.aborted; ) {
    await waitFor(probeEvery, signal);
    if (!signal.aborted) silences = (await probe(baseUrl)) ? 0 : silences + 1;
  }
  return new Error(`The service at ${baseUrl} did not answer ${mostSilences} times.`);
}

/**
 * Resolves when a service is over, with nothing left of it: with its fault, or without one when the
 * signal asked for the end.
 */
export async function attend(
  thread: ServiceThread,
  tools: WatchTools,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const over = new AbortController();
  const silent = watchSilence(thread, tools, AbortSignal.any([signal, over.signal]));
  const fault = await Promise.race([thread.ended, silent, whenAborted(signal)]);
  over.abort();
  if (signal.aborted) {
    await thread.close();
    return undefined;
  }
  await thread.kill();
  return fault ?? new Error('The thread of the service ended.');
}
