import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type PackedError, unpackError } from '../../errors.ts';
import type { ReadFile } from './reading.ts';
import type { FileItem } from './source.ts';

/** What the thread tells; `records`, `end` and `failed` each answer one demand. */
export type ReadingMessage =
  | { readonly kind: 'ignore'; readonly name: string }
  | { readonly kind: 'note'; readonly sentence: string }
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'records'; readonly records: readonly FileItem[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly error: PackedError };

/** How many answers may be on their way: enough that no thread waits, few enough for the memory. */
const ahead = 8;

/** As `readFile`, on a thread of its own, which reads while the records before are stored. */
export const readFileOnThread: ReadFile = async function* readFileOnThread(reading, listener) {
  const worker = new Worker(new URL('./reading-worker.js', import.meta.url), {
    workerData: reading,
  });
  try {
    const messages = on(worker, 'message', { close: ['exit'] });
    for (let demands = 0; demands < ahead; demands += 1) worker.postMessage('more');
    for await (const [message] of messages as AsyncIterable<[ReadingMessage]>) {
      if (message.kind === 'end') return;
      if (message.kind === 'failed') throw unpackError(message.error);
      if (message.kind === 'ignore') listener.ignore(message.name);
      if (message.kind === 'note') listener.note(message.sentence);
      if (message.kind === 'share') listener.share(message.share);
      if (message.kind !== 'records') continue;
      yield message.records;
      worker.postMessage('more');
    }
    throw new Error(`The thread that reads ${reading.path} ended too soon.`);
  } finally {
    void worker.terminate();
  }
};
