import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type Koa from 'koa';
import { type Logger, pino } from 'pino';
import { readNode } from '../../db/hub.ts';
import { closeStore, type Reader } from '../../db/open.ts';
import { isSnapshot } from '../../db/snapshot-file.ts';
import { Problem, problem } from '../base/errors.ts';
import { homeAt, prepareHome } from '../base/home.ts';
import { openLog } from '../base/log.ts';
import type { LongRunning } from '../base/long-running.ts';
import { urlOf } from '../base/settings.ts';
import { version } from '../base/version.ts';
import { createApp } from '../http/app.ts';
import { type Connections, createConnections } from '../http/connections.ts';
import type { DatabaseWatch, NodeWatch } from '../http/problems.ts';
import type { ListWriters } from '../http/representations.ts';
import { createHttpServer } from '../http/server.ts';
import { createWindowKeys } from '../http/window-keys.ts';
import type { ProblemCode } from '../messages/message.ts';
import { openHomeReader } from '../store/store.ts';
import { register, unregister } from './registration.ts';
import { serveDatabase } from './served-database.ts';

export type ServiceSettings = {
  /** The data directory. */
  readonly home: string;
  readonly host: string;
  /** The port to listen on; 0 picks a free one. */
  readonly port: number;
  /** The URL under which other machines reach the service. */
  readonly publicUrl?: URL;
  readonly allowedOrigins: readonly string[];
  /** The user's data directory, in which the service of a demo club is registered. */
  readonly demoOf?: string;
  /** The secret from which the keys of the desktop window are derived. */
  readonly windowSecret?: string;
};

export type ServiceTools = {
  readonly now: () => Date;
  /** Called with a failure that does not stop the service. */
  readonly warn: (problem: Problem) => void;
  /** Loads the writers of the forms in which a list can be read beside JSON. */
  readonly loadWriters: () => Promise<ListWriters>;
  /** Called with an id that a user asked for, and that is not known. */
  readonly onMiss?: ((userId: number, id: number) => void) | undefined;
  /** The state of the node of a hub whose database is served. */
  readonly node?: NodeWatch | undefined;
  /** The connections of the server, with their limits. */
  readonly connections?: Connections;
};

/** The service. `run` resolves with its base URL; `stop` finishes pending responses. */
export type Service = LongRunning<Promise<string>> & {
  /** Refuses requests for data until a backup is restored. */
  readonly markDamaged: () => void;
};

const portProblems: ReadonlySet<string> = new Set<ProblemCode>([
  'port_taken',
  'port_forbidden',
  'port_reserved',
]);

/** Ports that only administrators may use on most systems. */
const privilegedPorts = 1024;

/** Returns the problem of a server that could not listen; other errors unchanged. */
export function listenError(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (error.code) {
    case 'EADDRINUSE':
      return problem('port_taken', { host, port }, error);
    case 'EACCES':
      // Above these, EACCES means a range that Windows reserves, for example for Hyper-V or WSL.
      return port < privilegedPorts
        ? problem('port_forbidden', { port }, error)
        : problem('port_reserved', { host, port }, error);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return problem('host_unknown', { host }, error);
    default:
      return error;
  }
}

/** Returns true if a service did not start because its port is taken, reserved or not permitted. */
export function isPortUnavailable(error: unknown): boolean {
  return error instanceof Problem && portProblems.has(error.code);
}

/** Interval between attempts to use the first port, in milliseconds. */
const portCheckEvery = 100;

/**
 * Starts on the first available port, and waits up to `patienceMs` for the first one. Throws the
 * error of the last port.
 */
export async function startOnPort<Started>(
  start: (port: number) => Promise<Started>,
  [port = 0, ...others]: readonly number[],
  patienceMs = 0,
): Promise<Started> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await start(port);
    } catch (error) {
      if (!isPortUnavailable(error)) throw error;
      if (performance.now() >= deadline) {
        if (others.length === 0) throw error;
        return await startOnPort(start, others);
      }
    }
    await delay(portCheckEvery);
  }
}

/** Returns the URL by which this machine reaches a server that listens on `host`. */
export function localUrlOf(host: string, port: number): string {
  if (host === '0.0.0.0') return urlOf('127.0.0.1', port);
  return urlOf(host === '::' ? '::1' : host, port);
}

function createServiceApp(
  db: Reader,
  settings: ServiceSettings,
  extra: Pick<ServiceTools, 'now' | 'loadWriters' | 'onMiss' | 'node'> & {
    readonly healthSecret: string;
    readonly connections: Connections;
    readonly database: DatabaseWatch;
    readonly stopping: AbortSignal;
  },
  log: Logger,
): Koa {
  const { host, publicUrl, allowedOrigins, windowSecret } = settings;
  const names = { host, ...(publicUrl && { publicUrl }) };
  const windowKeys = windowSecret === undefined ? undefined : createWindowKeys(windowSecret);
  const keys = windowKeys && { windowKeys };
  return createApp(
    db,
    { ...names, ...keys, ...extra, allowedOrigins: new Set(allowedOrigins) },
    log,
  );
}

type Closer = () => Promise<void> | void;

/** Calls all functions, the last one first, also after one has failed. Node.js 22 has no stack for this. */
async function closeLastFirst(closers: Closer[]): Promise<void> {
  const last = closers.pop();
  if (last === undefined) return;
  try {
    await last();
  } finally {
    await closeLastFirst(closers);
  }
}

/**
 * Creates the service: settings → database → app → server. `run` creates or migrates the database,
 * then opens it read-only. It throws a `ClubEventsError` or `StoreError` if the database or the port
 * cannot be used, after closing everything.
 */
export function createService(
  settings: ServiceSettings,
  { now, warn, loadWriters, onMiss, node, connections = createConnections() }: ServiceTools,
): Service {
  const { host, port } = settings;
  const home = homeAt(settings.home);
  const { registration } = homeAt(settings.demoOf ?? settings.home);
  const closers: Closer[] = [];
  let starting: Promise<string> | undefined;
  let stopping: Promise<void> | undefined;
  let markDamaged: (() => void) | undefined;

  function keep(db: Reader): Reader {
    closers.push(() => closeStore(db));
    return db;
  }

  async function start(): Promise<string> {
    prepareHome(home);
    const db = keep(openHomeReader(home, { create: true, warn }));
    // Nobody would notice that its answers are old, and its revoked keys would stay valid.
    if (node === undefined && readNode(db) !== undefined) throw problem('home_needs_hub');
    const warnOfLog = (error: Error) => warn(problem('log_failed', { reason: error.message }));
    // Nothing can be written there: neither a log nor an entry in `service.json`.
    const isReadOnly = isSnapshot(db);
    if (isReadOnly) warn(problem('disk_read_only', { path: home.database }));
    const log = isReadOnly ? pino({ enabled: false }) : openLog(home.logs, warnOfLog);
    node?.onEntry(({ text, values, isFailure }) => log[isFailure ? 'warn' : 'info'](values, text));
    const waiting = new AbortController();
    const healthSecret = randomBytes(24).toString('base64url');
    const served = serveDatabase(home, db, {
      log,
      warn,
      keep,
      createListener: (opened, database) =>
        createServiceApp(
          opened,
          settings,
          {
            now,
            loadWriters,
            onMiss,
            node,
            healthSecret,
            connections,
            database: {
              ...database,
              readFault: () => database.readFault() ?? node?.readFault(),
            },
            stopping: waiting.signal,
          },
          log,
        ).callback() as RequestListener,
    });
    markDamaged = served.markDamaged;
    const onError = (error: Error) => log.error({ err: error }, 'connection not accepted');
    const server = createHttpServer(served.listener, { connections, host, port, onError });
    closers.push(() => server.stop());
    closers.push(() => waiting.abort());
    const { port: actualPort, unsafeAddress: address } = await server.run().catch((error) => {
      throw listenError(error, host, port);
    });
    const localUrl = localUrlOf(host, actualPort);
    const baseUrl = settings.publicUrl?.origin ?? urlOf(host, actualPort);
    if (address !== undefined) {
      log.warn({ address, port: actualPort }, 'another program may answer to localhost');
      warn(problem('localhost_unsafe', { address, port: actualPort, url: localUrl }));
    }
    const demo = settings.demoOf !== undefined;
    const { pid } = process;
    if (!isReadOnly) {
      await register(registration, { baseUrl, pid, localUrl, demo, secret: healthSecret });
      closers.push(() => unregister(registration, pid));
    }
    log.info({ version, baseUrl }, 'started');
    return baseUrl;
  }

  async function close(): Promise<void> {
    await starting?.catch(() => undefined);
    await closeLastFirst(closers);
  }

  function stop(): Promise<void> {
    stopping ??= close();
    return stopping;
  }

  return {
    async run() {
      starting = start();
      try {
        return await starting;
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
    markDamaged: () => markDamaged?.(),
  };
}
