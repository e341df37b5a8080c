import { parentPort, workerData } from 'node:worker_threads';
import { type ActionErrorCode, explain } from '../errors.ts';
import type { BackgroundMessage, BackgroundRequest } from './background.ts';
import { catalogue } from './catalogue.ts';
import { type ActionTools, thisMachine } from './tools.ts';

function tell(message: BackgroundMessage): void {
  parentPort?.postMessage(message);
}

const { name, args, home } = workerData as BackgroundRequest;

const tools: ActionTools = {
  ...thisMachine,
  home,
  write: () => Promise.reject(new Error('A background action has no stdout.')),
  onProgress: (progress) => tell({ kind: 'progress', progress }),
};

try {
  tell({ kind: 'done', result: await catalogue[name].perform(args, tools) });
} catch (error) {
  const explained = explain(error);
  if (explained === undefined) throw error;
  tell({ kind: 'failed', code: explained.code as ActionErrorCode, message: explained.message });
}
