import { Worker } from 'node:worker_threads';
import { type ActionErrorCode, ClubEventsError } from '../errors.ts';
import type { Home } from '../home.ts';
import { siblingModule } from '../sibling.ts';
import type { ActionName, ActionResult } from './catalogue.ts';
import type { Progress } from './import/progress.ts';

/** What the worker is started with. */
export type BackgroundRequest = {
  readonly name: ActionName;
  readonly args: unknown;
  readonly home: Home;
};

/** What the worker tells. */
export type BackgroundMessage =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly code: ActionErrorCode; readonly message: string };

export type BackgroundOptions = {
  readonly home: Home;
  readonly onProgress: (progress: Progress) => void;
  /** Gives the action up; what it had begun is taken back. */
  readonly signal?: AbortSignal;
};

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
  const workerData: BackgroundRequest = { name, args, home };
  const worker = new Worker(siblingModule(import.meta.url, 'background-worker'), { workerData });
  return new Promise((resolve, reject) => {
    const cancel = () => {
      reject(new ClubEventsError('cancelled', 'This was given up; nothing was changed.'));
      // The transaction dies with the thread's connection.
      void worker.terminate();
    };
    worker.on('message', (message: BackgroundMessage) => {
      if (message.kind === 'progress') onProgress(message.progress);
      if (message.kind === 'done') resolve(message.result as ActionResult<Name>);
      if (message.kind === 'failed') reject(new ClubEventsError(message.code, message.message));
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      signal?.removeEventListener('abort', cancel);
      reject(new Error(`The thread for "${name}" ended without a result.`));
    });
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  });
}
