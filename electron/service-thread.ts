import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { homeAt } from '../server/home.ts';
import { unregister } from '../server/registration.ts';
import { siblingModule } from '../server/sibling.ts';
import type { ServiceProblem } from './service-problem.ts';

/** What a service is started with. */
export type ServiceRequest = {
  readonly home: string;
  /** The ports to try, in this order. */
  readonly ports: readonly number[];
  readonly windowSecret: string;
};

/** What the thread tells. */
export type ServiceMessage =
  | { readonly kind: 'running'; readonly baseUrl: string }
  | { readonly kind: 'failed'; readonly problem: ServiceProblem }
  | { readonly kind: 'warning'; readonly sentence: string };

/** A service on a thread of its own, so that it neither holds up the window nor dies with it. */
export type ServiceThread = {
  readonly baseUrl: string;
  /** Resolves when the thread is over, however that came, with what is known of a fault. */
  readonly ended: Promise<Error | undefined>;
  /** Ends the service in order; one that does not end in time is cut off. */
  close(): Promise<void>;
  /** Cuts the service off. */
  kill(): Promise<void>;
};

/** Why a service did not start. */
export class ServiceStartError extends Error {
  readonly problem: ServiceProblem;

  constructor(problem: ServiceProblem) {
    super(`The service did not start (${problem.kind}).`);
    this.name = 'ServiceStartError';
    this.problem = problem;
  }
}

/** More than the service itself gives to answers under way. */
const closeWithinMs = 5_000;

function endOf(worker: Worker): Promise<Error | undefined> {
  return new Promise((resolve) => {
    let fault: Error | undefined;
    worker.on('error', (error: unknown) => {
      fault = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', () => resolve(fault));
  });
}

/** The base URL, once the service runs. Throws a `ServiceStartError` when it does not start. */
function startOf(worker: Worker, ended: ServiceThread['ended'], warn: (sentence: string) => void) {
  return new Promise<string>((resolve, reject) => {
    worker.on('message', (message: ServiceMessage) => {
      if (message.kind === 'running') resolve(message.baseUrl);
      if (message.kind === 'failed') reject(new ServiceStartError(message.problem));
      if (message.kind === 'warning') warn(message.sentence);
    });
    void ended.then((fault) => {
      const trace = fault?.stack ?? 'The thread of the service ended at once.';
      reject(new ServiceStartError({ kind: 'fault', trace }));
    });
  });
}

/**
 * Starts the service of `serve` on a thread. Throws a `ServiceStartError`, with nothing left open;
 * `warn` hears what keeps a running one from its full work.
 */
export async function startServiceThread(
  request: ServiceRequest,
  warn: (sentence: string) => void,
): Promise<ServiceThread> {
  const url = siblingModule(import.meta.url, 'service-worker');
  const worker = new Worker(url, { workerData: request });
  const ended = endOf(worker);
  const baseUrl = await startOf(worker, ended, warn);
  const kill = async () => {
    // A thread that hangs in a call to the disk may not end even so.
    await Promise.race([worker.terminate(), delay(closeWithinMs, undefined, { ref: false })]);
    // What the thread itself did not come to.
    await unregister(homeAt(request.home).registration, process.pid);
  };
  return {
    baseUrl,
    ended,
    kill,
    async close() {
      worker.postMessage('end');
      const late = delay(closeWithinMs, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') await kill();
    },
  };
}
