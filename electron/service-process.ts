import { setTimeout as delay } from 'node:timers/promises';
import type { ActionName, Progress } from '../server/bridge.ts';
import { ClubEventsError, unpackError } from '../server/errors.ts';
import type {
  FromService,
  ServiceCallName,
  ServiceCalls,
  StartRequest,
  StartResult,
  ToService,
} from './service-protocol.ts';

/** Starts the program of `service-main.ts` in a process of its own. */
export type ForkService = () => Electron.UtilityProcess;

export type PerformOptions = {
  readonly onProgress: (progress: Progress) => void;
  /** Cancels the action, which then fails with `cancelled` unless it is complete by then. */
  readonly signal: AbortSignal;
};

/**
 * The process of the service and the actions: neither a native fault nor a disk that hangs reaches
 * the window.
 */
export type ServiceProcess = {
  start(request: StartRequest): Promise<StartResult>;
  prepareHome(folder: string): Promise<string>;
  listUsers(): Promise<ServiceCalls['listUsers']['value']>;
  /** Throws the error of the action, or `unavailable` when the process ends before it. */
  perform(name: ActionName, args: unknown, options: PerformOptions): Promise<unknown>;
  /** Resolves at the end of the process, with the fault unless it ended in order. */
  readonly ended: Promise<Error | undefined>;
  /** Ends the service in order, or kills a process that does not end in time. */
  close(): Promise<void>;
  /** Kills the process; waits for its end, but not for ever. */
  kill(): Promise<void>;
};

/** Longer than the service waits for answers in progress. Milliseconds. */
const closeWithinMs = 5_000;

/**
 * Longer than Electron waits between asking a process to end and forcing it. A process inside a call
 * to a dead network share may survive both. Milliseconds.
 */
const killWithinMs = 4_000;

/** The last output that explains a crash, in characters. */
const keptOutput = 4_000;

function interrupted(action: ActionName | undefined): ClubEventsError {
  const sentence =
    action === 'import'
      ? 'The service stopped during the import. An import is saved completely or not at all; see the history.'
      : 'The service stopped before this was finished. Nothing is saved in part; check, and try again if it is missing.';
  return new ClubEventsError('unavailable', sentence);
}

type Waiting = {
  readonly action: ActionName | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
};

/** Matches the answers of the process with the calls that wait for them. */
function createCallTable(child: Electron.UtilityProcess, warn: (sentence: string) => void) {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isOver = false;
  const post = (message: ToService) => child.postMessage(message);

  function settle(id: number, use: (call: Waiting) => void): void {
    const call = waiting.get(id);
    waiting.delete(id);
    if (call !== undefined) use(call);
  }

  child.on('message', (message: FromService) => {
    switch (message.kind) {
      case 'progress':
        waiting.get(message.id)?.onProgress?.(message.progress);
        break;
      case 'result':
        settle(message.id, ({ resolve }) => resolve(message.value as never));
        break;
      case 'failure':
        settle(message.id, ({ reject }) => reject(unpackError(message.error)));
        break;
      case 'fault':
        settle(message.id, ({ reject }) => reject(faultOf(message.trace)));
        break;
      case 'warning':
        warn(message.sentence);
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
      if (isOver) return Promise.reject(interrupted(action));
      lastId += 1;
      const id = lastId;
      const cancel = () => post({ kind: 'cancel', id });
      const answer = new Promise<ServiceCalls[Name]['value']>((resolve, reject) => {
        waiting.set(id, { action, onProgress, resolve, reject });
      });
      post({ kind: 'call', id, name, args } as ToService);
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      return answer.finally(() => signal?.removeEventListener('abort', cancel));
    },
    /** Fails every call that waits, and all later ones. */
    end(): void {
      isOver = true;
      for (const id of [...waiting.keys()]) {
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

/** Resolves at the end of the process, with the fault unless it ended in order. */
function endOf(child: Electron.UtilityProcess): Promise<Error | undefined> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString('utf8')).slice(-keptOutput);
  });
  // The last words of V8; the process ends after them. Unheard, they would end this one as well.
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

/** Opens the process; `warn` is called with each limitation of its service. */
export function openServiceProcess(
  fork: ForkService,
  warn: (sentence: string) => void,
): ServiceProcess {
  const child = fork();
  const ended = endOf(child);
  const calls = createCallTable(child, warn);
  void ended.then(calls.end);

  async function kill(): Promise<void> {
    // Electron cannot end a process before it runs.
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
    ended,
    kill,
    async close() {
      calls.post({ kind: 'stop' });
      const late = delay(closeWithinMs, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') await kill();
    },
  };
}
