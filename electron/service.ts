import { isDeepStrictEqual } from 'node:util';
import { answers } from '../server/registration.ts';
import type { ServiceProblem } from './service-problem.ts';
import { type ServiceTarget, type StartTools, startOn } from './service-start.ts';
import { ServiceStartError, startServiceThread } from './service-thread.ts';
import { attend, type WatchTools, waitFor } from './service-watch.ts';

/** How the service stands; a stopped one is tried again by and by. */
export type ServiceStatus =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly baseUrl: string; readonly port: number }
  | { readonly kind: 'stopped'; readonly problem: ServiceProblem };

/** Keeps a service running. */
export type Supervisor = {
  readonly status: () => ServiceStatus;
  /** Serves this from now on, in place of what was served before. */
  serve(target: ServiceTarget): void;
  /** Tries a stopped service again at once. */
  retry(): void;
  /** Ends the service, and its `service.json` with it. */
  close(): Promise<void>;
};

export type SupervisorOptions = Partial<StartTools & WatchTools> & {
  readonly windowSecret: string;
  readonly onChange: () => void;
  readonly warn: (sentence: string) => void;
  /** Told of each fault, for the log. */
  readonly report: (error: unknown) => void;
  /** How long to wait before another start, after the first, second … failure in a row. */
  readonly restartAfter?: readonly number[];
};

/** In milliseconds. */
const standardTiming = { probeEvery: 10_000, restartAfter: [0, 1_000, 5_000, 15_000, 30_000] };

/** A service that ran for so long, in milliseconds, has not failed at its start. */
const steadyAfter = 60_000;

function problemOfStart(error: unknown): ServiceProblem {
  if (error instanceof ServiceStartError) return error.problem;
  return { kind: 'fault', trace: error instanceof Error ? (error.stack ?? '') : String(error) };
}

/** Keeps one service running, on a thread that is probed and started again when it died. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { onChange, report } = options;
  const tools = { startThread: startServiceThread, probe: answers, ...standardTiming, ...options };
  let status: ServiceStatus = { kind: 'starting' };
  let ending = new AbortController();
  let waking = new AbortController();
  let serving = Promise.resolve();

  function setStatus(next: ServiceStatus): void {
    if (isDeepStrictEqual(status, next)) return;
    status = next;
    // Told once: the same is met again at each attempt.
    if (next.kind === 'stopped' && next.problem.kind === 'fault') {
      report(new Error(next.problem.trace));
    }
    onChange();
  }

  async function keepServing(target: ServiceTarget, signal: AbortSignal): Promise<void> {
    let port: number | undefined;
    for (let failures = 0; !signal.aborted; failures += 1) {
      // From before the status is told: whoever hears it may want another try at once.
      waking = new AbortController();
      try {
        const thread = await startOn(target, port, tools);
        port = Number(new URL(thread.baseUrl).port);
        const since = performance.now();
        if (!signal.aborted) setStatus({ kind: 'running', baseUrl: thread.baseUrl, port });
        const fault = await attend(thread, tools, signal);
        if (fault !== undefined) report(fault);
        if (performance.now() - since > steadyAfter) failures = 0;
        if (!signal.aborted) setStatus({ kind: 'starting' });
      } catch (error) {
        setStatus({ kind: 'stopped', problem: problemOfStart(error) });
      }
      const ms = tools.restartAfter[Math.min(failures, tools.restartAfter.length - 1)] ?? 0;
      await waitFor(ms, AbortSignal.any([signal, waking.signal]));
    }
  }

  async function end(): Promise<void> {
    ending.abort();
    await serving;
  }

  return {
    status: () => status,
    serve(target) {
      const ended = end();
      ending = new AbortController();
      const { signal } = ending;
      setStatus({ kind: 'starting' });
      serving = ended.then(() => keepServing(target, signal));
    },
    retry() {
      if (status.kind !== 'stopped') return;
      setStatus({ kind: 'starting' });
      waking.abort();
    },
    close: end,
  };
}
