import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceProcess } from './service-process.ts';

export type WatchTools = {
  /** Returns whether a service answers at a base URL. */
  readonly probe: (baseUrl: string) => Promise<boolean>;
  /** Interval between probes, in milliseconds. */
  readonly probeEvery: number;
};

/** Failed probes in a row that end a service. One may only mean a busy or waking machine. */
const maxSilences = 3;

/** Resolves after a time, in milliseconds, or when the signal aborts. */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  // An abort is not an error: the caller checks the signal.
  return delay(ms, undefined, { signal }).catch(() => undefined);
}

export function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Resolves when the service stops answering although its process still runs. */
async function watchSilence(
  baseUrl: string,
  { probe, probeEvery }: WatchTools,
  signal: AbortSignal,
): Promise<Error> {
  for (let silences = 0; silences < maxSilences && !signal.aborted; ) {
    await waitFor(probeEvery, signal);
    if (!signal.aborted) silences = (await probe(baseUrl)) ? 0 : silences + 1;
  }
  return new Error(`The service at ${baseUrl} did not answer ${maxSilences} times.`);
}

/**
 * Waits for the end of a running service and its process. Resolves with the error, or with
 * undefined if the signal aborted.
 */
export async function watchService(
  process: ServiceProcess,
  baseUrl: string,
  tools: WatchTools,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const finished = new AbortController();
  const silent = watchSilence(baseUrl, tools, AbortSignal.any([signal, finished.signal]));
  const fault = await Promise.race([process.ended, silent, whenAborted(signal)]);
  finished.abort();
  if (signal.aborted) {
    await process.close();
    return undefined;
  }
  await process.kill();
  return fault ?? new Error('The service process ended.');
}
