import { on } from 'node:events';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { explain, packProblem, unpackProblem } from '../base/errors.ts';
import type { Message, PackedProblem } from '../messages/message.ts';
import { type ReadFile, type Reading, type ReadingListener, readFile } from './reading.ts';
import type { FileItem, TakenColumns } from './source.ts';

/** A message from the thread; `records`, `end` and `failed` each answer one request. */
type ReadingMessage =
  | { readonly kind: 'ignore'; readonly name: string }
  | { readonly kind: 'taken'; readonly columns: TakenColumns }
  | { readonly kind: 'note'; readonly note: Message }
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'records'; readonly records: readonly FileItem[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly problem: PackedProblem };

/** Requests in flight: enough that no thread waits, few enough to limit memory. */
const maxPending = 8;

/** Reads like `readFile`, but on a thread, while the caller processes earlier records. */
export const readFileOnThread: ReadFile = async function* readFileOnThread(reading, listener) {
  const worker = new Worker(new URL('./reading-worker.js', import.meta.url), {
    workerData: reading,
  });
  try {
    const messages = on(worker, 'message', { close: ['exit'] });
    for (let requests = 0; requests < maxPending; requests += 1) worker.postMessage('more');
    for await (const [message] of messages as AsyncIterable<[ReadingMessage]>) {
      if (message.kind === 'end') return;
      if (message.kind === 'failed') throw unpackProblem(message.problem);
      if (message.kind === 'ignore') listener.ignore(message.name);
      if (message.kind === 'taken') listener.taken?.(message.columns);
      if (message.kind === 'note') listener.note(message.note);
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

function send(message: ReadingMessage): void {
  parentPort?.postMessage(message);
}

const listener: ReadingListener = {
  ignore: (name) => send({ kind: 'ignore', name }),
  taken: (columns) => send({ kind: 'taken', columns }),
  note: (note) => send({ kind: 'note', note }),
  share: (share) => send({ kind: 'share', share }),
};

async function sendNext(reading: ReturnType<ReadFile>): Promise<void> {
  try {
    const { done, value } = await reading.next();
    send(done ? { kind: 'end' } : { kind: 'records', records: [...value] });
  } catch (error) {
    const explained = explain(error);
    if (explained === undefined) throw error;
    send({ kind: 'failed', problem: packProblem(explained) });
  }
}

/** Runs the thread: answers each request with the next records of the reading. */
export async function answerRequests(): Promise<void> {
  if (parentPort === null) throw new Error('This is the work of a thread.');
  const reading = readFile(workerData as Reading, listener);
  for await (const _request of on(parentPort, 'message')) await sendNext(reading);
}
