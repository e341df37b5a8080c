import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { optionsVariable } from './fake/contract.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Members of the fake renderer in `chromium/world.ts`. */
const preloadMembers = {
  ContextBridge: ['exposeInMainWorld'],
  IpcRenderer: ['invoke', 'on', 'off'],
  WebUtils: ['getPathForFile'],
};

async function listMembers(): Promise<Readonly<Record<string, readonly string[]>>> {
  const script = join(import.meta.dirname, 'fake/list-members.ts');
  const env = { [optionsVariable]: JSON.stringify({ appPath: root }) };
  const { stdout } = await run(process.execPath, [script], { env });
  return { ...JSON.parse(stdout), ...preloadMembers };
}

/** Removes the members that the fake lacks from Electron's definitions. */
function narrow(
  definitions: string,
  members: Readonly<Record<string, readonly string[]>>,
): { text: string; memberCount: number } {
  let known: ReadonlySet<string> | undefined;
  let isLeftOut = false;
  let memberCount = 0;
  const lines = definitions.split('\n').filter((line) => {
    const [, opened] = /^ {2}(?:class|interface) (\w+)/.exec(line) ?? [];
    if (opened !== undefined && members[opened]) known = new Set(members[opened]);
    if (line === '  }') known = undefined;
    if (known === undefined) return true;
    const [, member] = /^ {4}(?:static |readonly )*(\w+)[?(:<]/.exec(line) ?? [];
    if (member === undefined) return !isLeftOut || line.trim() === '' || /^ {2}\S/.test(line);
    isLeftOut = !known.has(member) && member !== 'constructor';
    if (!isLeftOut) memberCount += 1;
    return !isLeftOut;
  });
  return { text: lines.join('\n'), memberCount };
}

/** Compiles the shell against definitions of Electron; returns the errors. */
async function compile(definitions: string): Promise<string> {
  const folder = join(root, 'node_modules/.cache', `fake-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'electron.d.ts'), definitions);
  const project = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      composite: false,
      emitDeclarationOnly: false,
      noEmit: true,
      paths: { electron: [join(folder, 'electron.d.ts')] },
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [],
    include: [join(root, 'electron/*.ts'), join(root, 'electron/ipc/*.cts')],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const args = [compiler, '-p', folder, '--pretty', 'false'];
  return run(process.execPath, args).then(
    () => '',
    (error: { readonly stdout: string }) => error.stdout,
  );
}

const definitions = readFileSync(join(root, 'node_modules/electron/electron.d.ts'), 'utf8');

it('has every member of Electron that the shell uses', async () => {
  const { text, memberCount } = narrow(definitions, await listMembers());
  expect(memberCount).toBeGreaterThan(300);
  expect(definitions).toMatch(/^ {4}setUserTasks\(/m);
  expect(text).not.toMatch(/^ {4}setUserTasks\(/m);
  expect(await compile(text)).toBe('');
});

it('would find a member and an event that the shell uses and Electron lacks', async () => {
  const known = / {4}(?:setAppUserModelId\(|\w+\(event: 'query-session-end')/;
  const others = definitions.split('\n').filter((line) => !known.test(line));
  const errors = await compile(others.join('\n'));
  expect(errors).toContain('setAppUserModelId');
  expect(errors).toContain('query-session-end');
});
