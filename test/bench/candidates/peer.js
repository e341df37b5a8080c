// What users start by a command, as a process of its own below this one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const mostMs = 60_000;

/** Loads modules, and resolves files, of what is installed to measure against. */
export const requireOf = createRequire(new URL('../peers/package.json', import.meta.url));

/** A port on which nothing listens: none of the commands tells which one the system has chosen. */
export async function findPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** In which peers are quickest. */
export const production = { ...process.env, NODE_ENV: 'production' };

/**
 * Runs a command of Node until this process ends, and waits until `url` is answered well.
 * Throws when it is not within a minute.
 * @param {readonly string[]} args
 * @param {string} url
 * @param {{ cwd: string, env?: Readonly<Record<string, string | undefined>> }} options
 */
export async function runPeer(args, url, { cwd, env = production }) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
  child.on('exit', () => process.exit());
  process.on('SIGTERM', () => child.kill());
  process.on('exit', () => child.kill('SIGKILL'));
  const signal = AbortSignal.timeout(mostMs);
  const answers = () =>
    fetch(url, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) await sleep(100, undefined, { signal });
}
