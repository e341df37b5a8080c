import { parentPort } from 'node:worker_threads';
import { ClubEventsError, explain, packError } from '../errors.ts';
import type { BackgroundMessage, BackgroundRequest } from './background.ts';
import { catalogue } from './catalogue.ts';
import { type ActionTools, thisMachine } from './tools.ts';

const cancelled = 'This was given up; nothing was changed.';

function tell(message: BackgroundMessage): void {
  parentPort?.postMessage(message);
}

async function perform({ name, args, home, givenUp }: BackgroundRequest): Promise<void> {
  const requireWanted = () => {
    if (Atomics.load(givenUp, 0) !== 0) throw new ClubEventsError('cancelled', cancelled);
  };
  const tools: ActionTools = {
    ...thisMachine,
    home,
    write: () => Promise.reject(new Error('A background action has no stdout.')),
    onProgress: (progress) => {
      requireWanted();
      tell({ kind: 'progress', progress });
    },
    onWait: requireWanted,
  };
  try {
    tell({ kind: 'done', result: await catalogue[name].perform(args, tools) });
  } catch (error) {
    const explained = explain(error);
    // What is nobody's fault but ours ends the thread, and is told to who began it.
    if (explained === undefined) throw error;
    tell({ kind: 'failed', error: packError(explained) });
  }
}

// One after the other: the thread is asked for the next action when the last one is over.
parentPort?.on('message', (request: BackgroundRequest) => void perform(request));
