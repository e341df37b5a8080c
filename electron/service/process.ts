import { setTimeout as delay } from 'node:timers/promises';
import type { ActionName, Progress } from '../../server/actions/bridge.ts';
import { type Problem, problem, unpackProblem } from '../../server/base/errors.ts';
import type { PackedProblem } from '../../server/messages/message.ts';
import type {
  FromService,
  ServiceCallName,
  ServiceCalls,
  ServiceConfiguration,
  StartRequest,
  StartResult,
  ToService,
} from './protocol.ts';

/** Starts `main.ts` in a separate process. */
export type ForkService = () => Electron.UtilityProcess;

export type PerformOptions = {
  readonly onProgress: (progress: Progress) => void;
  /** Cancels the action, which fails with `cancelled` unless it has already completed. */
  readonly signal: AbortSignal;
};

/** The options of an action that nobody watches or cancels. */
export const silent: PerformOptions = {
  onProgress: () => undefined,
  signal: new AbortController().signal,
};

/**
 * The process of the service and the actions. A native crash in it or a disk that hangs does not
 * affect the window.
 */
export type ServiceProcess = {
  start(request: StartRequest): Promise<StartResult>;
  prepareHome(folder: string): Promise<string>;
  listUsers(): Promise<ServiceCalls['listUsers']['value']>;
  /** Throws the error of the action, or `unavailable` if the process ends first. */
  perform(name: ActionName, args: unknown, options: PerformOptions): Promise<unknown>;
  /** Performs `doctor` on a data directory; needs no running service. */
  diagnose(home: string, args: unknown, options: PerformOptions): Promise<unknown>;
  configure(configuration: ServiceConfiguration): void;
  /** Reports that the computer woke. */
  wake(): void;
  /** Resolves when the process ends: with an error, or with undefined after exit code 0. */
  readonly ended: Promise<Error | undefined>;
  /** Stops the service, even one that is starting; kills the process if it does not exit in time. */
  stop(withinMs?: number): Promise<void>;
  /** Kills the process and waits a limited time for its end. */
  kill(): Promise<void>;
};

/** Time limit for a normal exit in milliseconds, longer than the service waits for requests. */
const stopWithinMs = 5_000;

/**
 * Time limit for the end of a killed process in milliseconds, longer than Electron waits before it
 * forces an exit. A process that accesses a dead network share may survive even that.
 */
const killWithinMs = 4_000;

/** Length of the output kept to explain a crash, in characters. */
const maxOutput = 4_000;

function interrupted(action: ActionName | undefined): Problem {
  return problem(action === 'import' ? 'service_stopped_in_import' : 'service_stopped');
}

type PendingCall = {
  readonly action: ActionName | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
};

/** Matches the answers of the process with pending calls. */
function createCallTable(child: Electron.UtilityProcess, warn: (problem: PackedProblem) => void) {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  let hasEnded = false;
  const post = (message: ToService) => child.postMessage(message);

  function settle(id: number, use: (call: PendingCall) => void): void {
    const call = pending.get(id);
    pending.delete(id);
    if (call !== undefined) use(call);
  }

  child.on('message', (message: FromService) => {
    switch (message.kind) {
      case 'progress':
        pending.get(message.id)?.onProgress?.(message.progress);
        break;
      case 'result':
        settle(message.id, ({ resolve }) => resolve(message.value as never));
        break;
      case 'failure':
        settle(message.id, ({ reject }) => reject(unpackProblem(message.problem)));
        break;
      case 'fault':
        settle(message.id, ({ reject }) => reject(faultOf(message.trace)));
        break;
      case 'warning':
        warn(message.problem);
    }
  });

  return {
    post,
    call<Name extends ServiceCallName>(
      name: Name,
      args: ServiceCalls[Name]['args'],
      options: Partial<PerformOptions> & { readonly action?: ActionName } = {},
    ): Promise<ServiceCalls[Name]['value']> {
      const { signal, action, onProgress } = options;
      if (hasEnded) return Promise.reject(interrupted(action));
      lastId += 1;
      const id = lastId;
      const cancel = () => post({ kind: 'cancel', id });
      const answer = new Promise<ServiceCalls[Name]['value']>((resolve, reject) => {
        pending.set(id, { action, onProgress, resolve, reject });
      });
      post({ kind: 'call', id, name, args } as ToService);
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      return answer.finally(() => signal?.removeEventListener('abort', cancel));
    },
    /** Rejects all pending and later calls. */
    end(): void {
      hasEnded = true;
      for (const id of [...pending.keys()]) {
        settle(id, ({ action, reject }) => reject(interrupted(action)));
      }
    },
  };
}

function faultOf(trace: string): Error {
  const error = new Error('The service process met a fault.');
  error.stack = trace;
  return error;
}

/** Resolves when the process ends: with an error, or with undefined after exit code 0. */
function endOf(child: Electron.UtilityProcess): Promise<Error | undefined> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-maxOutput);
  });
  // A fatal error in V8, which ends the process. Without a listener it would end this one as well.
  child.on('error', (type, location) => {
    output += `${type} at ${location}\n`;
  });
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      const end = `The service process ended with code ${code}.\n${output}`.trimEnd();
      resolve(code === 0 ? undefined : faultOf(end));
    });
  });
}

/** Starts the process. `warn` is called with each limitation of its service. */
export function openServiceProcess(
  fork: ForkService,
  warn: (problem: PackedProblem) => void,
): ServiceProcess {
  const child = fork();
  const ended = endOf(child);
  const calls = createCallTable(child, warn);
  void ended.then(calls.end);

  async function kill(): Promise<void> {
    // Electron cannot kill a process that has not spawned yet.
    if (!child.kill()) child.once('spawn', () => void child.kill());
    await Promise.race([ended, delay(killWithinMs, undefined, { ref: false })]);
    calls.end();
  }

  return {
    start: (request) => calls.call('start', request),
    prepareHome: (folder) => calls.call('prepareHome', { folder }),
    listUsers: () => calls.call('listUsers', {}),
    perform: (name, args, options) =>
      calls.call('perform', { name, args }, { ...options, action: name }),
    diagnose: (home, args, options) =>
      calls.call('perform', { name: 'doctor', args, home }, { ...options, action: 'doctor' }),
    configure: (configuration) => calls.post({ kind: 'configure', configuration }),
    wake: () => calls.post({ kind: 'wake' }),
    ended,
    kill,
    async stop(withinMs = stopWithinMs) {
      calls.post({ kind: 'stop' });
      const late = delay(withinMs, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') await kill();
    },
  };
}
