import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from './service-process.ts';

export type WatchTools = {
  /** Returns whether a service answers at a base URL. */
  readonly probe: (baseUrl: string) => Promise<boolean>;
  /** In milliseconds. */
  readonly probeEvery: number;
};

/** One silence may be a machine that woke up or was busy. */
const mostSilences = 3;

/** Resolves after a time, in milliseconds, or at once when the signal comes. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  // The end of the wait is no failure: the caller looks at the signal.
  return delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Resolves when the signal comes. */
export function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Resolves when the service stops answering, though its process still runs. */
async function watchSilence(
  baseUrl: string,
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
 * Resolves after the end of a running service and its process: with its fault, or with undefined
 * when the signal asked for the end.
 */
export async function watchService(
  process: ServiceProcess,
  baseUrl: string,
  tools: WatchTools,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const over = new AbortController();
  const silent = watchSilence(baseUrl, tools, AbortSignal.any([signal, over.signal]));
  const fault = await Promise.race([process.ended, silent, whenAborted(signal)]);
  over.abort();
  if (signal.aborted) {
    await process.close();
    return undefined;
  }
  await process.kill();
  return fault ?? new Error('The service process ended.');
}
