import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { explain, packError } from '../../errors.ts';
import { type ReadFile, type Reading, type ReadingListener, readFile } from './reading.ts';
import type { ReadingMessage } from './reading-thread.ts';

function tell(message: ReadingMessage): void {
  parentPort?.postMessage(message);
}

const listener: ReadingListener = {
  ignore: (name) => tell({ kind: 'ignore', name }),
  note: (sentence) => tell({ kind: 'note', sentence }),
  share: (share) => tell({ kind: 'share', share }),
};

/** Tells what is next of a reading. */
async function answer(reading: ReturnType<ReadFile>): Promise<void> {
  try {
    const { done, value } = await reading.next();
    tell(done ? { kind: 'end' } : { kind: 'records', records: [...value] });
  } catch (error) {
    const explained = explain(error);
    if (explained === undefined) throw error;
    tell({ kind: 'failed', error: packError(explained) });
  }
}

/** The whole work of the thread: answers each demand with what is next of the reading. */
export async function answerDemands(): Promise<void> {
  if (parentPort === null) throw new Error('This is the work of a thread.');
  const reading = readFile(workerData as Reading, listener);
  for await (const _demand of on(parentPort, 'message')) await answer(reading);
}
