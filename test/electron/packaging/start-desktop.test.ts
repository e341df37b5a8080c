import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';

const root = join(import.meta.dirname, '../../..');
const command = join(root, 'electron/packaging/start-desktop.ts');

type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Runs what `npm run desktop` does, to its end. */
function runDesktop(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  options: readonly string[] = [],
): Promise<Ended> {
  const line = [...options, command, ...args];
  const child = spawn(process.execPath, line, { env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}

/**
 * Returns a module that replaces the builds of the page and the application with ones that log
 * their names: the real ones take ten seconds and would rebuild what other tests run.
 */
function replaceBuilds(log: string): string {
  const build = `import { appendFileSync } from 'node:fs';
    const note = async (name) => appendFileSync(${JSON.stringify(log)}, name + '\\n');
    export const builtDesktop = '/where it was built';
    export const buildPage = () => note('buildPage');
    export const buildDesktop = () => note('buildDesktop');`;
  const modules = { './build.ts': build };
  return `import { registerHooks } from 'node:module';
    const modules = ${JSON.stringify(modules)};
    registerHooks({
      resolve(specifier, context, next) {
        const module = modules[specifier];
        if (module === undefined) return next(specifier, context);
        const url = 'data:text/javascript,' + encodeURIComponent(module);
        return { url, shortCircuit: true };
      },
    });`;
}

// On a slow machine, a line before it names what the program waits for.
const sentence =
  /^(?:Fetching Electron’s runtime.*\n)?Electron’s runtime is not on this machine and could not be fetched; run npm start, which shows the same page in a browser\.\n$/;

describe('npm run desktop', () => {
  it('names alternatives if the runtime cannot be downloaded', {
    tags: 'long',
  }, async (context) => {
    if (existsSync(join(root, 'node_modules/electron/path.txt'))) {
      return context.skip('the runtime is on this machine');
    }
    // Nothing listens there.
    const env = { ELECTRON_MIRROR: 'http://127.0.0.1:9/', electron_config_cache: makeTestFolder() };
    expect(await runDesktop(env)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(sentence),
    });
  });

  it('reports a configured runtime that does not exist', { tags: 'long' }, async () => {
    const env = { ELECTRON_OVERRIDE_DIST_PATH: makeTestFolder() };
    expect(await runDesktop(env)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(sentence),
    });
  });

  it('builds the page and the application, and starts it with the runtime', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'a Unix shell');
    const folder = makeTestFolder();
    const told = join(folder, 'told');
    const runtime = `#!/bin/sh\nprintf '%s\\n' "$@" "node: $ELECTRON_RUN_AS_NODE" >> '${told}'\nexit 3\n`;
    writeFileSync(join(folder, 'electron'), runtime, { mode: 0o755 });
    const hooks = join(folder, 'hooks.mjs');
    writeFileSync(hooks, replaceBuilds(told));
    const env = { ELECTRON_OVERRIDE_DIST_PATH: folder, ELECTRON_RUN_AS_NODE: '1' };
    expect(await runDesktop(env, ['season.csv'], ['--import', hooks])).toEqual({
      status: 3,
      stdout: '',
      stderr: '',
    });
    expect(readFileSync(told, 'utf8').trimEnd().split('\n')).toEqual([
      'buildPage',
      'buildDesktop',
      '/where it was built',
      'season.csv',
      'node:',
    ]);
  });
});
