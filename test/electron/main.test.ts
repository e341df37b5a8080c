import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { standardPort } from '../../server/settings.ts';
import { makeTestHome } from '../support/home.ts';

const hooks = join(import.meta.dirname, 'hooks.ts');
const main = join(import.meta.dirname, '../../electron/main.ts');

/** Runs the desktop program under the stand-in to its end; gives what it asked of Electron. */
function runDesktop(env: Readonly<Record<string, string>>): Promise<unknown[][]> {
  const child = spawn(process.execPath, ['--import', hooks, main], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  return new Promise((resolve) => {
    child.on('close', () => {
      const lines = stdout.split('\n').filter((line) => line !== '');
      resolve(lines.map((line) => JSON.parse(line)));
    });
  });
}

/** Takes the standard port for the running test; undefined when another program has it. */
async function occupyPort(): Promise<Server | undefined> {
  const server = createServer();
  const taken = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(standardPort, '127.0.0.1', () => resolve(true));
  });
  if (!taken) return undefined;
  onTestFinished(() => void server.close());
  return server;
}

describe('the desktop program, under a stand-in for Electron', () => {
  const baseUrl = `http://127.0.0.1:${standardPort}`;
  const told = ['message', `Scripts find them at ${baseUrl} for as long as this stays open.`];

  it('serves while it is open, copies its address and quits', async (context) => {
    const probe = await occupyPort();
    if (probe === undefined) return context.skip(`port ${standardPort} is taken on this machine`);
    await new Promise((resolve) => probe.close(resolve));
    const home = makeTestHome();
    const calls = await runDesktop({ CLUB_EVENTS_HOME: home.directory, ANSWERS: '0,1' });
    expect(calls).toEqual([
      ['ready'],
      told,
      ['health', 200],
      ['copy', baseUrl],
      told,
      ['health', 200],
      ['quit'],
    ]);
    await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
  });

  it('leaves the field to one that runs already', async () => {
    expect(await runDesktop({ LOCKED: 'true' })).toEqual([['quit']]);
  });

  it('says in a sentence why it cannot start', async () => {
    await occupyPort();
    const calls = await runDesktop({ CLUB_EVENTS_HOME: makeTestHome().directory });
    expect(calls).toEqual([
      ['ready'],
      ['error', 'Club Events cannot start', expect.stringMatching(/^Port 28470 .* is taken/)],
      ['quit'],
    ]);
  });
});
