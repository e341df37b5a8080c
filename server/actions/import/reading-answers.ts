import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { explain, packError } from '../../errors.ts';
import { type ReadFile, type Reading, type ReadingListener, readFile } from './reading.ts';
import type { ReadingMessage } from './reading-thread.ts';

function send(message: ReadingMessage): void {
  parentPort?.postMessage(message);
}

const listener: ReadingListener = {
  ignore: (name) => send({ kind: 'ignore', name }),
  note: (sentence) => send({ kind: 'note', sentence }),
  share: (share) => send({ kind: 'share', share }),
};

async function sendNext(reading: ReturnType<ReadFile>): Promise<void> {
  try {
    const { done, value } = await reading.next();
    send(done ? { kind: 'end' } : { kind: 'records', records: [...value] });
  } catch (error) {
    const explained = explain(error);
    if (explained === undefined) throw error;
    send({ kind: 'failed', error: packError(explained) });
  }
}

/** Runs the thread: answers each request with the next records of the reading. */
export async function answerRequests(): Promise<void> {
  if (parentPort === null) throw new Error('This is the work of a thread.');
  const reading = readFile(workerData as Reading, listener);
  for await (const _request of on(parentPort, 'message')) await sendNext(reading);
}
