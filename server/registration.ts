import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileError } from './errors.ts';
import { http } from './lean.ts';
import { serviceName } from './version.ts';

/** What `service.json` says while a service runs (INTERFACE section 5). */
export type Registration = {
  /** Where scripts reach the service. */
  readonly baseUrl: string;
  readonly pid: number;
  /** Where this machine reaches it: differs from `baseUrl` when a public URL is configured. */
  readonly localUrl: string;
  /** Whether it serves the demo club rather than the data of this directory. */
  readonly demo: boolean;
};

function isRegistration(value: unknown): value is Registration {
  if (typeof value !== 'object' || value === null) return false;
  const { baseUrl, pid, localUrl, demo } = value as Record<string, unknown>;
  return (
    typeof baseUrl === 'string' &&
    typeof localUrl === 'string' &&
    URL.canParse(localUrl) &&
    Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    typeof demo === 'boolean'
  );
}

function readRegistration(path: string): Registration | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRegistration(value) ? value : undefined;
  } catch (error) {
    // None, or one that a crash cut short: either way no service can be found through it.
    if (error instanceof SyntaxError) return undefined;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, path);
  }
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 is never sent; it only asks whether there is such a process.
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const probeTimeoutMs = 2_000;

/** Whether a Club Events service answers at `url`. */
export function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    // An agent of its own: no proxy from the environment, no connection kept.
    const request = http.get(`${url}/health`, { agent: new http.Agent(), timeout: probeTimeoutMs });
    request.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
        if (body.length > 1_000) request.destroy();
      });
      response.on('close', () => resolve(body.includes(`"service":"${serviceName}"`)));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

/**
 * The service that runs on a data directory. What a crash left behind is told by both: its process
 * id may have been given to another program since, and its port to another service.
 */
export async function findService(path: string): Promise<Registration | undefined> {
  const registration = readRegistration(path);
  if (registration === undefined || !isAlive(registration.pid)) return undefined;
  return (await answers(registration.localUrl)) ? registration : undefined;
}

/** Writes `service.json` whole or not at all; a demo leaves that of a running service alone. */
export async function register(path: string, registration: Registration): Promise<void> {
  if (registration.demo) {
    const other = await findService(path);
    if (other !== undefined && !other.demo) return;
  }
  const draft = `${path}.${registration.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(registration)}\n`, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Removes `service.json`, unless another service has taken it over. */
export function unregister(path: string, pid: number): void {
  if (readRegistration(path)?.pid === pid) rmSync(path, { force: true });
}
