import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import { closeStore, type Reader } from '../db/open.ts';
import { ClubEventsError } from './errors.ts';
import { homeAt, prepareHome } from './home.ts';
import { createApp } from './http/app.ts';
import { createHttpServer } from './http/server.ts';
import { type Log, openLog } from './log.ts';
import { register, unregister } from './registration.ts';
import { openHomeReader } from './store.ts';
import { version } from './version.ts';
import { createWindowKeys } from './window-keys.ts';

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
  /** Called with a message about a failure that does not stop the service. */
  readonly warn: (sentence: string) => void;
};

export type Service = {
  readonly baseUrl: string;
  /** Stops the service: finishes pending responses, closes the database and unregisters. */
  close(): Promise<void>;
};

/** Time for pending responses once the service closes, in milliseconds. */
const graceMs = 2_000;

async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, host, port);
  }
  return (server.address() as AddressInfo).port;
}

/** Ports that only administrators may use on most systems. */
const privilegedPorts = 1024;

function listenError(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  const otherPort = 'choose another with --port (0 picks a free one).';
  const otherHost = `${host} is not an address of this machine; choose another with --host.`;
  switch (error.code) {
    case 'EADDRINUSE': {
      const sentence = `Port ${port} on ${host} is taken by another program; stop that one, or ${otherPort}`;
      return new ClubEventsError('port_unavailable', sentence, error);
    }
    case 'EACCES': {
      // Above these, EACCES means a range that Windows reserves, for example for Hyper-V or WSL.
      const sentence =
        port < privilegedPorts
          ? `Port ${port} may not be used by this account; choose one above 1023 with --port.`
          : `Port ${port} on ${host} is reserved by the system; ${otherPort}`;
      return new ClubEventsError('port_unavailable', sentence, error);
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ClubEventsError('unavailable', otherHost, error);
    default:
      return error;
  }
}

/** Returns true if a service did not start because its port is taken, reserved or not permitted. */
export function isPortUnavailable(error: unknown): boolean {
  return error instanceof ClubEventsError && error.code === 'port_unavailable';
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(deadline);
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the URL by which this machine reaches a server that listens on `host`. */
export function localUrlOf(host: string, port: number): string {
  if (host === '0.0.0.0') return urlOf('127.0.0.1', port);
  return urlOf(host === '::' ? '::1' : host, port);
}

function createServiceApp(
  db: Reader,
  settings: ServiceSettings,
  extra: { readonly now: () => Date; readonly healthSecret: string },
  log: Log,
): Koa {
  const { host, publicUrl, allowedOrigins, windowSecret } = settings;
  const names = { host, ...(publicUrl && { publicUrl }) };
  const windowKeys = windowSecret === undefined ? undefined : createWindowKeys(windowSecret);
  const keys = windowKeys && { windowKeys };
  return createApp(
    db,
    { ...names, ...keys, ...extra, allowedOrigins: new Set(allowedOrigins) },
    log.logger,
  );
}

/**
 * Starts the service: settings → database → app → listen. Creates or migrates the database, then
 * opens it read-only. Throws a `ClubEventsError` or `StoreError` if the database or the port cannot
 * be used, after closing everything.
 */
export async function startService(
  settings: ServiceSettings,
  { now, warn }: ServiceTools,
): Promise<Service> {
  const home = homeAt(settings.home);
  const { registration } = homeAt(settings.demoOf ?? settings.home);
  const resources = new AsyncDisposableStack();
  try {
    prepareHome(home);
    const db = resources.adopt(openHomeReader(home, { create: true }), closeStore);
    const warnOfLog = (error: Error) => warn(`The log cannot be written: ${error.message}.`);
    const log = resources.adopt(openLog(home.logs, warnOfLog), (opened) => opened.close());
    const healthSecret = randomBytes(24).toString('base64url');
    const app = createServiceApp(db, settings, { now, healthSecret }, log);
    const server = createHttpServer(app.callback());
    const port = await listen(server, settings.host, settings.port);
    resources.defer(() => closeServer(server));
    server.on('error', (error) => log.logger.error({ err: error }, 'connection not accepted'));
    const localUrl = localUrlOf(settings.host, port);
    const baseUrl = settings.publicUrl?.origin ?? urlOf(settings.host, port);
    const demo = settings.demoOf !== undefined;
    const { pid } = process;
    await register(registration, { baseUrl, pid, localUrl, demo, secret: healthSecret });
    resources.defer(() => unregister(registration, pid));
    log.logger.info({ version, baseUrl }, 'started');
    return { baseUrl, close: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}
