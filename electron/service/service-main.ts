import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { performInBackground } from '../../server/actions/background.ts';
import { createMaintenance } from '../../server/actions/maintenance.ts';
import { createOutsideWork } from '../../server/actions/outside-work.ts';
import {
  createUnfinished,
  endOfProgram,
  takeInterrupted,
} from '../../server/actions/unfinished.ts';
import { explain, type Problem, packProblem } from '../../server/base/errors.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import type { LongRunning } from '../../server/base/long-running.ts';
import { createMissedIds } from '../../server/mirror/scheduler.ts';
import type { Reconciler } from '../../server/outside/reconciler.ts';
import type { Service } from '../../server/service/service.ts';
import type { UpstreamKey } from '../../server/store/upstream-keys.ts';
import { prepareChosenHome } from '../settings/chosen-home.ts';
import type {
  AnyCall,
  FromService,
  ServiceCallName,
  ServiceCalls,
  ServiceConfiguration,
  ToService,
} from './protocol.ts';
import { startInProcess } from './start.ts';

// The entry point of the service process, which runs the service and, on threads, the actions.

const { parentPort } = process;
// Only the owner may use files without an explicit mode, such as those of SQLite.
const umask = process.umask(0o077);
// Electron only warns about an unhandled rejection in a utility process.
process.on('unhandledRejection', (error) => {
  throw error;
});

function send(message: FromService): void {
  parentPort.postMessage(message);
}

function warn(problem: Problem): void {
  send({ kind: 'warning', problem: packProblem(problem) });
}

/** Warns of a problem outside, unless a file or the state of a mirror shows it until it ends. */
function warnOfOutside(problem: Problem, key: string): void {
  const isShown = key.startsWith('live ') || /^(?:sync|mirror_key)_/.test(problem.code);
  if (!isShown) warn(problem);
}

/** Loads the user actions on demand, because the start does not need them. */
const loadUsers = () => import('../../server/club/user-actions.ts');

let home: Home | undefined;
let service: Service | undefined;
let unfinished: ReturnType<typeof createUnfinished> | undefined;
let maintenance: LongRunning | undefined;
let outside: Reconciler | undefined;
let starting: Promise<unknown> | undefined;
let configuration: ServiceConfiguration = { syncMinutes: null, upstreamKeys: [] };

function requireHome(): Home {
  if (home === undefined) throw new Error('The service was not started.');
  return home;
}

/** Returns the keys of online services by the id of their source. */
function upstreamKeys(): ReadonlyMap<number, UpstreamKey> {
  return new Map(configuration.upstreamKeys.map(({ source, ...key }) => [source, key]));
}

type Calls = {
  readonly [Name in ServiceCallName]: (
    args: ServiceCalls[Name]['args'],
    id: number,
    signal: AbortSignal,
  ) => Promise<ServiceCalls[Name]['value']>;
};

const calls: Calls = {
  async start(request) {
    // Before anything changes the database.
    for (const interrupted of takeInterrupted(homeAt(request.home))) warn(interrupted);
    const missed = createMissedIds();
    const start = startInProcess(request, warn, { onMiss: missed.note });
    starting = start;
    const started = await start;
    home = homeAt(request.home);
    unfinished = createUnfinished(home);
    service = started.service;
    if (service !== undefined) {
      maintenance = createMaintenance({ home, onDamage: service.markDamaged, warn });
      maintenance.run();
      const minutes = () => configuration.syncMinutes;
      outside = createOutsideWork({ home, missed, minutes, upstreamKeys, warn: warnOfOutside });
      outside.run();
    }
    setImmediate(() => void loadUsers());
    return started.result;
  },
  prepareHome: async ({ folder }) => (await prepareChosenHome(folder)).directory,
  async listUsers(args) {
    const { listUsers } = await loadUsers();
    return listUsers(args, { home: requireHome() });
  },
  perform({ name, args, home: other }, id, signal) {
    const perform = () =>
      performInBackground(name, args, {
        home: other === undefined ? requireHome() : homeAt(other),
        upstreamKeys: upstreamKeys(),
        umask,
        onProgress: (progress) => send({ kind: 'progress', id, progress }),
        warn,
        signal,
      });
    return unfinished === undefined ? perform() : unfinished.during(name, args, signal, perform);
  },
};

/** The running calls by their ids; each is cancelled by its controller, and resolves at its end. */
const running = new Map<
  number,
  { readonly call: AbortController; readonly ended: Promise<void> }
>();

function begin(request: AnyCall): void {
  const call = new AbortController();
  const ended = answer(request, call.signal).finally(() => void running.delete(request.id));
  running.set(request.id, { call, ended });
}

async function answer({ id, name, args }: AnyCall, signal: AbortSignal): Promise<void> {
  try {
    // The compiler cannot relate the arguments to the name.
    const value = await calls[name](args as never, id, signal);
    send({ kind: 'result', id, value });
  } catch (error) {
    const explained = explain(error);
    if (explained !== undefined) send({ kind: 'failure', id, problem: packProblem(explained) });
    else send({ kind: 'fault', id, trace: traceOf(error) });
  }
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function wake(): void {
  outside?.wake();
}

function configure(next: ServiceConfiguration): void {
  const { upstreamKeys: keys } = configuration;
  configuration = next;
  // A sync or a file may have waited for its key.
  if (!isDeepStrictEqual(keys, next.upstreamKeys)) wake();
}

/** Time limit for cancelled actions to undo their changes, in milliseconds; below that of the shell. */
const cancelLimitMs = 3_000;

async function stop(): Promise<void> {
  for (const { call } of running.values()) call.abort(endOfProgram);
  const ended = Promise.all(Array.from(running.values(), (each) => each.ended));
  await Promise.race([ended, delay(cancelLimitMs)]);
  // A service that is just starting registers itself, and must remove that entry again.
  await starting;
  await Promise.all([outside?.stop(), maintenance?.stop()]);
  await service?.stop();
  // The port to the shell would keep the process alive.
  process.exit(0);
}

parentPort.on('message', ({ data }) => {
  const message = data as ToService;
  if (message.kind === 'call') begin(message);
  else if (message.kind === 'cancel') running.get(message.id)?.call.abort();
  else if (message.kind === 'configure') configure(message.configuration);
  else if (message.kind === 'wake') wake();
  else void stop();
});
