import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ActionName } from '../../server/actions/bridge.ts';
import { Problem, problem } from '../../server/base/errors.ts';
import type { LongRunning } from '../../server/base/long-running.ts';
import type { PackedProblem } from '../../server/messages/message.ts';
import { isServiceAt } from '../../server/service/registration.ts';
import { portCount } from '../settings/desktop-settings.ts';
import type { ServiceProblem } from './problem.ts';
import {
  type ForkService,
  openServiceProcess,
  type PerformOptions,
  type ServiceProcess,
} from './process.ts';
import type { ServiceCalls, ServiceConfiguration, StartRequest, StartResult } from './protocol.ts';

type WatchTools = {
  /** Returns whether a service answers at a base URL. */
  readonly probe: (baseUrl: string) => Promise<boolean>;
  /** Interval between probes, in milliseconds. */
  readonly probeEvery: number;
};

/** Failed probes in a row that end a service. One may only mean a busy or waking machine. */
const maxFailedProbes = 3;

/** Resolves after a time, in milliseconds, or when the signal aborts. */
function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  // An abort is not an error: the caller checks the signal.
  return delay(ms, undefined, { signal }).catch(() => undefined);
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Resolves when the service stops answering although its process still runs. */
async function watchProbes(
  baseUrl: string,
  { probe, probeEvery }: WatchTools,
  signal: AbortSignal,
): Promise<Error> {
  for (let failures = 0; failures < maxFailedProbes && !signal.aborted; ) {
    await waitFor(probeEvery, signal);
    if (!signal.aborted) failures = (await probe(baseUrl)) ? 0 : failures + 1;
  }
  return new Error(`The service at ${baseUrl} did not answer ${maxFailedProbes} times.`);
}

/**
 * Waits for the end of a running service and its process. Resolves with the error, or with
 * undefined if the signal aborted.
 */
async function watchService(
  process: ServiceProcess,
  baseUrl: string,
  tools: WatchTools,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const finished = new AbortController();
  const unresponsive = watchProbes(baseUrl, tools, AbortSignal.any([signal, finished.signal]));
  const fault = await Promise.race([process.ended, unresponsive, whenAborted(signal)]);
  finished.abort();
  if (signal.aborted) {
    await process.stop();
    return undefined;
  }
  await process.kill();
  return fault ?? new Error('The service process ended.');
}

/** The data directory to serve, and its first port. */
export type ServiceTarget = {
  readonly home: string;
  /** True if a missing home is an error, because its disk is not connected. */
  readonly mustExist: boolean;
  /** The first port to try. */
  readonly port: number;
};

/** The status of the service. A stopped service is started again after a delay. */
export type ServiceStatus =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly baseUrl: string; readonly port: number }
  | { readonly kind: 'stopped'; readonly problem: ServiceProblem };

/** Runs the service. `stop` also removes its entry in `service.json`. */
export type Supervisor = LongRunning & {
  readonly status: () => ServiceStatus;
  /** Serves a data directory instead of the previous one. */
  moveTo(target: ServiceTarget): void;
  /** Starts a stopped service again without a delay. */
  retry(): void;
  /** Sends the current configuration to a running service. Each start sends it, too. */
  configure(): void;
  /** Reports to a running service that the computer woke. */
  wake(): void;
  /**
   * Performs an action on the served data once the service has started. Throws the error of the
   * action, `cancelled`, or `unavailable` if the service stops or is stopped. `doctor` also works
   * while the service is stopped.
   */
  perform(name: ActionName, args: unknown, options: PerformOptions): Promise<unknown>;
  /** Lists the clubs in the served data without waiting for other actions. */
  listUsers(): Promise<ServiceCalls['listUsers']['value']>;
  /**
   * Prepares a chosen folder and returns its data directory. Throws if the folder cannot be used or
   * does not answer.
   */
  prepareHome(folder: string): Promise<string>;
};

export type SupervisorOptions = Partial<WatchTools> & {
  readonly fork: ForkService;
  /** Returns the data directory to serve first. */
  readonly target: () => ServiceTarget;
  readonly windowSecret: string;
  /** Returns the configuration for the service of a data directory. */
  readonly configuration: (home: string) => ServiceConfiguration;
  readonly onChange: () => void;
  /** Called with each limitation of the running service. */
  readonly warn: (problem: PackedProblem) => void;
  /** Logs an internal error. */
  readonly report: (error: unknown) => void;
  /** Delays before a restart after the first, second … failure in a row, in milliseconds. */
  readonly restartAfter?: readonly number[];
  /** Time after which a start is reported as stopped, in milliseconds. It may still succeed. */
  readonly startWithinMs?: number;
  /** Time in which a service that is still starting may stop, in milliseconds; its disk may hang. */
  readonly startingStopMs?: number;
};

/** Default times, in milliseconds. */
const defaultTiming = {
  probeEvery: 10_000,
  restartAfter: [0, 1_000, 5_000, 15_000, 30_000],
  startWithinMs: 20_000,
  startingStopMs: 1_000,
};

/** Uptime after which the count of failures starts again, in milliseconds. */
const steadyAfter = 60_000;

/** Time that the system may need to release the port of a killed process, in milliseconds. */
const portPatienceMs = 2_000;

/** Returns the ports to try, first the previous one, which scripts know. */
function portsFor({ port }: ServiceTarget, previous: number | undefined): readonly number[] {
  const ports = Array.from({ length: portCount }, (_, index) => port + index);
  return previous === undefined ? ports : [previous, ...ports.filter((each) => each !== previous)];
}

/** Resolves with the result of a start, or with undefined if the signal aborts first. */
function startProcess(
  process: ServiceProcess,
  request: StartRequest,
  signal: AbortSignal,
): Promise<StartResult | undefined> {
  const ended = process.ended.then((fault): StartResult => {
    const trace = fault?.stack ?? 'The service process ended at once.';
    return { kind: 'stopped', problem: { kind: 'fault', trace } };
  });
  const started = process.start(request).catch((error): StartResult | Promise<StartResult> => {
    if (error instanceof Problem) return ended;
    return { kind: 'stopped', problem: { kind: 'fault', trace: error.stack } };
  });
  return Promise.race([started, ended, whenAborted(signal)]);
}

/** Creates a supervisor that runs the service in a process, probes it and restarts it. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { fork, windowSecret, configuration, onChange, report, warn } = options;
  const tools = { probe: isServiceAt, ...defaultTiming, ...options };
  let status: ServiceStatus = { kind: 'starting' };
  let changed = Promise.withResolvers<void>();
  /** The process of the running service. */
  let current: { readonly process: ServiceProcess; readonly home: string } | undefined;
  let served: ServiceTarget | undefined;
  const actions = new Set<Promise<unknown>>();
  let ending = new AbortController();
  let retrying = new AbortController();
  let serving = Promise.resolve();

  function setStatus(next: ServiceStatus): void {
    if (isDeepStrictEqual(status, next)) return;
    status = next;
    changed.resolve();
    changed = Promise.withResolvers();
    // Once per change: every attempt meets the same problem again.
    if (next.kind === 'stopped' && next.problem.kind === 'fault') {
      report(new Error(next.problem.trace));
    }
    onChange();
  }

  function configure(): void {
    // Not that of `served`: after a move, the process of the previous data directory may still run.
    current?.process.configure(configuration(current.home));
  }

  /** Serves until the process ends. Returns the port, or undefined if the service did not start. */
  async function serveOnce(
    target: ServiceTarget,
    previousPort: number | undefined,
    attempt: AbortSignal,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { home, mustExist } = target;
    const process = openServiceProcess(fork, warn);
    const late = setTimeout(() => {
      setStatus({ kind: 'stopped', problem: { kind: 'unresponsive' } });
    }, tools.startWithinMs);
    const patience = previousPort === undefined ? 0 : portPatienceMs;
    const ports = portsFor(target, previousPort);
    const request = { home, mustExist, ports, portPatienceMs: patience, windowSecret };
    const started = await startProcess(process, request, attempt);
    clearTimeout(late);
    if (started === undefined) {
      await process.stop(tools.startingStopMs);
      return undefined;
    }
    if (started.kind === 'stopped') {
      if (!signal.aborted) setStatus(started);
      await process.stop();
      return undefined;
    }
    const { baseUrl } = started;
    const port = Number(new URL(baseUrl).port);
    current = { process, home };
    configure();
    if (!signal.aborted) setStatus({ kind: 'running', baseUrl, port });
    const fault = await watchService(process, baseUrl, tools, signal);
    current = undefined;
    if (fault !== undefined) report(fault);
    if (!signal.aborted) setStatus({ kind: 'starting' });
    return port;
  }

  async function keepServing(target: ServiceTarget, signal: AbortSignal): Promise<void> {
    let port: number | undefined;
    for (let failures = 0; !signal.aborted; failures += 1) {
      // Before the status changes: a listener may call `retry` at once.
      retrying = new AbortController();
      const attempt = AbortSignal.any([signal, retrying.signal]);
      const since = performance.now();
      port = (await serveOnce(target, port, attempt, signal)) ?? port;
      if (performance.now() - since > steadyAfter) failures = 0;
      const ms = tools.restartAfter[Math.min(failures, tools.restartAfter.length - 1)] ?? 0;
      await waitFor(ms, attempt);
    }
  }

  /** Waits for a start and returns the process. Throws `cancelled` or `unavailable`. */
  async function running(signal: AbortSignal): Promise<ServiceProcess> {
    while (status.kind === 'starting' && !signal.aborted) {
      await Promise.race([changed.promise, whenAborted(signal)]);
    }
    if (signal.aborted) throw problem('cancelled');
    if (current !== undefined && status.kind === 'running') return current.process;
    throw problem('service_not_running');
  }

  /** Runs `work` on a folder in a process of its own. Throws if the folder does not answer. */
  async function withProcess<Value>(
    folder: string,
    work: (process: ServiceProcess) => Promise<Value>,
  ): Promise<Value> {
    const process = openServiceProcess(fork, warn);
    const late = async () => {
      await delay(tools.startWithinMs, undefined, { ref: false });
      throw problem('home_unresponsive', { path: folder });
    };
    try {
      return await Promise.race([work(process), late()]);
    } finally {
      void process.kill();
    }
  }

  function moveTo(target: ServiceTarget): void {
    const [previous, previousEnding] = [serving, ending];
    ending = new AbortController();
    const { signal } = ending;
    // A new port waits for running actions. A new folder does not, since the old one may hang.
    const wait = served?.home === target.home ? Promise.allSettled(actions) : undefined;
    served = target;
    setStatus({ kind: 'starting' });
    serving = Promise.race([wait, whenAborted(signal)])
      .then(() => previousEnding.abort())
      .then(() => previous)
      .then(() => keepServing(target, signal));
  }

  return {
    status: () => status,
    run: () => moveTo(options.target()),
    moveTo,
    retry() {
      if (status.kind !== 'stopped') return;
      setStatus({ kind: 'starting' });
      retrying.abort();
    },
    configure,
    wake: () => current?.process.wake(),
    async perform(name, args, performOptions) {
      if (name === 'doctor' && status.kind === 'stopped' && served !== undefined) {
        const { home } = served;
        return await withProcess(home, (process) => process.diagnose(home, args, performOptions));
      }
      const process = await running(performOptions.signal);
      const action = process.perform(name, args, performOptions);
      actions.add(action);
      try {
        return await action;
      } finally {
        actions.delete(action);
      }
    },
    listUsers: async () => (await running(ending.signal)).listUsers(),
    prepareHome: (folder) => withProcess(folder, (process) => process.prepareHome(folder)),
    async stop() {
      ending.abort();
      await serving;
    },
  };
}
