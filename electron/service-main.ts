import { performInBackground } from '../server/actions/background.ts';
import { explain, packError } from '../server/errors.ts';
import { type Home, homeAt } from '../server/home.ts';
import type { Service } from '../server/main.ts';
import { prepareChosenHome } from './home-choice.ts';
import type {
  AnyCall,
  FromService,
  ServiceCallName,
  ServiceCalls,
  ToService,
} from './service-protocol.ts';
import { startOn } from './service-start.ts';

// The entry of the service process: the service, and the actions on threads beside it.

const { parentPort } = process;
// Files without an explicit mode, such as those of SQLite, are for their owner alone.
process.umask(0o077);
// In a utility process, Electron only warns of one.
process.on('unhandledRejection', (error) => {
  throw error;
});

function send(message: FromService): void {
  parentPort.postMessage(message);
}

/** Loaded after the start, which does not need it and is waited for. */
const loadUsers = () => import('../server/actions/users.ts');

let home: Home | undefined;
let service: Service | undefined;

function requireHome(): Home {
  if (home === undefined) throw new Error('The service was not started.');
  return home;
}

type Calls = {
  readonly [Name in ServiceCallName]: (
    args: ServiceCalls[Name]['args'],
    id: number,
    signal: AbortSignal,
  ) => Promise<ServiceCalls[Name]['value']>;
};

const calls: Calls = {
  async start(request) {
    const warn = (sentence: string) => send({ kind: 'warning', sentence });
    const started = await startOn(request, warn);
    home = homeAt(request.home);
    service = started.service;
    setImmediate(() => void loadUsers());
    return started.result;
  },
  prepareHome: async ({ folder }) => (await prepareChosenHome(folder)).directory,
  async listUsers(args) {
    const { listUsers } = await loadUsers();
    return listUsers(args, { home: requireHome() });
  },
  perform: ({ name, args }, id, signal) =>
    performInBackground(name, args, {
      home: requireHome(),
      onProgress: (progress) => send({ kind: 'progress', id, progress }),
      signal,
    }),
};

const running = new Map<number, AbortController>();

async function answer({ id, name, args }: AnyCall): Promise<void> {
  const cancelling = new AbortController();
  running.set(id, cancelling);
  try {
    // The compiler does not see that the arguments are those of the name.
    const value = await calls[name](args as never, id, cancelling.signal);
    send({ kind: 'result', id, value });
  } catch (error) {
    const explained = explain(error);
    if (explained !== undefined) send({ kind: 'failure', id, error: packError(explained) });
    else send({ kind: 'fault', id, trace: traceOf(error) });
  } finally {
    running.delete(id);
  }
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function stop(): Promise<void> {
  await service?.close();
  // The port to the shell would keep the process.
  process.exit(0);
}

parentPort.on('message', ({ data }) => {
  const message = data as ToService;
  if (message.kind === 'call') void answer(message);
  else if (message.kind === 'cancel') running.get(message.id)?.abort();
  else void stop();
});
