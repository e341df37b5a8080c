import { Worker } from 'node:worker_threads';
import { type PackedError, unpackError } from '../errors.ts';
import type { Home } from '../home.ts';
import { siblingModule } from '../sibling.ts';
import type { ActionName, ActionResult } from './catalogue.ts';
import type { Progress } from './import/progress.ts';

/** What a thread is asked for. */
export type BackgroundRequest = {
  readonly name: ActionName;
  readonly args: unknown;
  readonly home: Home;
  /** Shared: not 0 once the action is to be given up. */
  readonly givenUp: Int32Array;
};

/** What the thread tells; `done` and `failed` end the action. */
export type BackgroundMessage =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: PackedError };

export type BackgroundOptions = {
  readonly home: Home;
  readonly onProgress: (progress: Progress) => void;
  /**
   * Gives the action up: it takes back what it had begun, and fails with `cancelled`. One that has
   * come to its end by then is done.
   */
  readonly signal?: AbortSignal;
};

/** How long a thread waits for another action, in milliseconds: most come one upon the other. */
const idleMs = 15_000;

type IdleThread = { readonly thread: Worker; readonly timer: NodeJS.Timeout };

/** The thread of the last action, which starts the next one in a tenth of the time. */
let idle: IdleThread | undefined;

function forgetAction(thread: Worker): void {
  for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
}

function takeThread(): Worker {
  if (idle === undefined) {
    return new Worker(siblingModule(import.meta.url, 'background-worker'));
  }
  const { thread, timer } = idle;
  idle = undefined;
  clearTimeout(timer);
  forgetAction(thread);
  thread.ref();
  return thread;
}

function keepThread(thread: Worker): void {
  forgetAction(thread);
  if (idle !== undefined) {
    void thread.terminate();
    return;
  }
  const end = () => {
    idle = undefined;
    void thread.terminate();
  };
  // Neither keeps the process from ending.
  thread.unref();
  idle = { thread, timer: setTimeout(end, idleMs).unref() };
  thread.once('exit', () => {
    if (idle?.thread === thread) idle = undefined;
  });
}

/**
 * Runs an action as `catalogue` does, on a thread of its own with its own connection, so that not
 * even the commit of a large import holds up a window or the service. Throws the action's error, or
 * `cancelled` when it was given up. An export needs a file: there is no stdout here.
 */
export function performInBackground<Name extends ActionName>(
  name: Name,
  args: unknown,
  { home, onProgress, signal }: BackgroundOptions,
): Promise<ActionResult<Name>> {
  const thread = takeThread();
  return new Promise<ActionResult<Name>>((resolve, reject) => {
    const givenUp = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    // The thread is not ended: it may be in the midst of SQLite's work, or past its commit.
    const cancel = () => void Atomics.store(givenUp, 0, 1);
    const leave = () => {
      signal?.removeEventListener('abort', cancel);
      keepThread(thread);
    };
    thread.on('message', (message: BackgroundMessage) => {
      if (message.kind === 'progress') {
        onProgress(message.progress);
        return;
      }
      leave();
      if (message.kind === 'done') resolve(message.result as ActionResult<Name>);
      else reject(unpackError(message.error));
    });
    thread.on('error', reject);
    thread.on('exit', () => {
      signal?.removeEventListener('abort', cancel);
      reject(new Error(`The thread for "${name}" ended without a result.`));
    });
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const request: BackgroundRequest = { name, args, home, givenUp };
    thread.postMessage(request);
  });
}
