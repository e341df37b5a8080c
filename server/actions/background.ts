import { parentPort, Worker } from 'node:worker_threads';
import { countThreads } from '../../db/open.ts';
import { explain, type Problem, packProblem, problem, unpackProblem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { type ActionTools, type Progress, thisMachine } from '../club/tools.ts';
import type { PackedProblem } from '../messages/message.ts';
import type { UpstreamKey } from '../store/upstream-keys.ts';
import { type ActionName, type ActionResult, catalogue } from './catalogue.ts';

type BackgroundRequest = {
  readonly name: ActionName;
  readonly args: unknown;
  readonly home: Home;
  readonly upstreamKeys: ReadonlyMap<number, UpstreamKey> | undefined;
  readonly umask: number | undefined;
  /** Shared with the parent thread; a non-zero value requests cancellation. */
  readonly cancelFlag: Int32Array;
};

/** A message from the thread; `done` and `failed` end the action. */
type BackgroundMessage =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'warning'; readonly problem: PackedProblem }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly problem: PackedProblem };

type BackgroundOptions = {
  readonly home: Home;
  readonly onProgress: (progress: Progress) => void;
  /** Called with a failure that does not prevent the action. */
  readonly warn?: ((problem: Problem) => void) | undefined;
  /** Keys of online services that are in memory only, by the id of the source. */
  readonly upstreamKeys?: ReadonlyMap<number, UpstreamKey> | undefined;
  /** The umask for files outside the data directory. */
  readonly umask?: number;
  /**
   * Cancels the action before it begins, at its next progress report or step, or while it waits for a
   * lock. It then rolls back and fails with `cancelled`; otherwise it completes.
   */
  readonly signal?: AbortSignal;
};

/** Lifetime of an idle thread in milliseconds. Actions tend to come in quick succession. */
const idleMs = 15_000;

/** Idle threads and the timers of their ends; reusing one takes a tenth of the time of a start. */
const idle = new Map<Worker, NodeJS.Timeout>();

function removeListeners(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

function acquireThread(): Worker {
  countThreads(1);
  const [[thread, timer] = []] = idle;
  if (thread === undefined) {
    return new Worker(new URL('./background-worker.js', import.meta.url));
  }
  idle.delete(thread);
  clearTimeout(timer);
  removeListeners(thread);
  thread.ref();
  return thread;
}

function releaseThread(thread: Worker): void {
  countThreads(-1);
  removeListeners(thread);
  const end = () => {
    idle.delete(thread);
    void thread.terminate();
  };
  // An idle thread and its timer must not keep the process alive.
  thread.unref();
  idle.set(thread, setTimeout(end, idleMs).unref());
  thread.once('exit', () => idle.delete(thread));
}

/**
 * Runs an action of `catalogue` on a thread with its own connection, so that even the commit of a
 * large import blocks neither a window nor the service. Rejects with the action's error, or with
 * `cancelled`. An export needs `output`, because the thread has no stdout; without it, it throws
 * `file_not_chosen`.
 */
export function performInBackground<Name extends ActionName>(
  name: Name,
  args: unknown,
  { home, onProgress, warn, upstreamKeys, umask, signal }: BackgroundOptions,
): Promise<ActionResult<Name>> {
  const thread = acquireThread();
  return new Promise<ActionResult<Name>>((resolve, reject) => {
    const cancelFlag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    // Do not terminate the thread: it may be inside SQLite or past its commit.
    const cancel = () => void Atomics.store(cancelFlag, 0, 1);
    const release = () => {
      signal?.removeEventListener('abort', cancel);
      releaseThread(thread);
    };
    thread.on('message', (message: BackgroundMessage) => {
      if (message.kind === 'progress') {
        onProgress(message.progress);
        return;
      }
      if (message.kind === 'warning') {
        warn?.(unpackProblem(message.problem));
        return;
      }
      release();
      if (message.kind === 'done') resolve(message.result as ActionResult<Name>);
      else reject(unpackProblem(message.problem));
    });
    thread.on('error', reject);
    thread.on('exit', () => {
      countThreads(-1);
      signal?.removeEventListener('abort', cancel);
      reject(new Error(`The thread for "${name}" ended without a result.`));
    });
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const request: BackgroundRequest = { name, args, home, upstreamKeys, umask, cancelFlag };
    thread.postMessage(request);
  });
}

/** Sends a message from the thread to its parent. */
function send(message: BackgroundMessage): void {
  parentPort?.postMessage(message);
}

async function performRequest(request: BackgroundRequest): Promise<void> {
  const { name, args, home, upstreamKeys, umask, cancelFlag } = request;
  const throwIfCancelled = () => {
    if (Atomics.load(cancelFlag, 0) !== 0) throw problem('cancelled');
  };
  const tools: ActionTools = {
    ...thisMachine,
    home,
    upstreamKeys,
    umask,
    // There is no stdout for an export without a file.
    write: () => Promise.reject(problem('file_not_chosen')),
    onProgress: (progress) => {
      throwIfCancelled();
      send({ kind: 'progress', progress });
    },
    onWait: throwIfCancelled,
    onStep: throwIfCancelled,
    warn: (failure) => send({ kind: 'warning', problem: packProblem(failure) }),
  };
  try {
    throwIfCancelled();
    send({ kind: 'done', result: await catalogue[name].perform(args, tools) });
  } catch (error) {
    const { findContentProblem } = await import('../club/check-store.ts');
    const explained = explain(error) ?? (await findContentProblem(home));
    // An unexpected error ends the thread; the parent receives it as its `error` event.
    if (explained === undefined) throw error;
    send({ kind: 'failed', problem: packProblem(explained) });
  }
}

/** Performs the actions that the parent thread requests. */
export function answerRequests(): void {
  // Actions never overlap: the parent reuses a thread only after its action has ended.
  parentPort?.on('message', (request: BackgroundRequest) => void performRequest(request));
}
