import { parentPort } from 'node:worker_threads';
import { explain, packProblem, problem } from '../base/errors.ts';
import { type ActionTools, thisMachine } from '../club/tools.ts';
import type { BackgroundMessage, BackgroundRequest } from './background.ts';
import { catalogue } from './catalogue.ts';

function send(message: BackgroundMessage): void {
  parentPort?.postMessage(message);
}

async function perform(request: BackgroundRequest): Promise<void> {
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
    warn: (failure) => send({ kind: 'warning', problem: packProblem(failure) }),
  };
  try {
    send({ kind: 'done', result: await catalogue[name].perform(args, tools) });
  } catch (error) {
    const explained = explain(error);
    // An unexpected error ends the thread; the parent receives it as its `error` event.
    if (explained === undefined) throw error;
    send({ kind: 'failed', problem: packProblem(explained) });
  }
}

/** Performs the actions that the parent thread requests. */
export function answerRequests(): void {
  // Actions never overlap: the parent reuses a thread only after its action has ended.
  parentPort?.on('message', (request: BackgroundRequest) => void perform(request));
}
