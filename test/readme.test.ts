import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { catalogue } from '../server/actions/catalogue.ts';
import { eventFields } from '../server/actions/import/source.ts';
import { createProgram } from '../server/cli/program.ts';
import { listParameterNames } from '../server/http/problems.ts';
import { type Setting, settings } from '../server/settings.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
const readme = read('README.md');
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;

const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
const program = createProgram({ stdout: sink(), stderr: sink(), env: {} });

type NamedCommand = { readonly name: string; readonly command: Command };

/** Returns a command and those below it that can be called, `user add` and the like by all words. */
function listCommands(command: Command, above = ''): NamedCommand[] {
  const name = `${above} ${command.name()}`.trim();
  const below = command.commands.flatMap((each) => listCommands(each, name));
  // Only a command that does something itself has options.
  const isGroup = below.length > 0 && command.options.length === 0;
  return isGroup ? below : [{ name, command }, ...below];
}

const commands = program.commands.flatMap((command) => listCommands(command));

describe('the README', () => {
  it.each(commands.map(({ name, command }) => [name, command] as const))(
    'documents the command %s with its options',
    (name, command) => {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}`));
      expect(row).toBeDefined();
      const documented = name === 'serve' ? readme : (row ?? '');
      for (const { long } of command.options) expect(documented).toContain(long);
    },
  );

  it('documents no command that is not there', () => {
    const table = /## Command line[\s\S]*?\n(\| command[\s\S]*?)\n\n/.exec(readme)?.[1] ?? '';
    const documented = [...table.matchAll(/^\| `([a-z]+(?:[ -][a-z]+)*)/gm)].map(
      ([, name]) => name,
    );
    expect(documented).toEqual(commands.map(({ name }) => name));
  });

  it.each(Object.entries<Setting>(settings))('documents the setting %s', (_, setting) => {
    const long = setting.flag.split(' ')[0];
    const row = readme
      .replaceAll('`', '')
      .split('\n')
      .find((line) => line.startsWith(`| ${long}`));
    expect(row).toContain(setting.help.split(';')[0]);
    expect(row).toContain(setting.defaultText);
    if (setting.env) expect(row).toContain(setting.env);
  });

  it('documents the parameters of the list, and no other', () => {
    const table = /### Find,[\s\S]*?\n(\| parameter[\s\S]*?)\n\n/.exec(readme)?.[1] ?? '';
    const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(documented).toEqual(listParameterNames);
  });

  it('documents the fields of an import', () => {
    for (const field of eventFields) expect(readme).toContain(`\`${field}\``);
  });

  it.each([
    ['nsis', 'x64', 'exe'],
    ['nsis', 'arm64', 'exe'],
    ['dmg', 'arm64', 'dmg'],
    ['dmg', 'x64', 'dmg'],
    ['appImage', 'x86_64', 'AppImage'],
  ])('names the file of the package %s for %s', (target, arch, ext) => {
    const values = { name: 'club-events', version: 'VERSION', arch, ext };
    const pattern: string = parse(read('electron-builder.yml'))[target].artifactName;
    const file = pattern.replace(/\$\{(\w+)\}/g, (_, key) => values[key as keyof typeof values]);
    expect(readme).toContain(`| \`${file}\``);
  });

  it('has the commands that the project promises, word for word', () => {
    expect(readme).toContain('\nnpm ci && npm start\n');
    expect(readme).toContain('\nnpm ci && npm test\n');
    const named = [...readme.matchAll(/npm run (?:-s )?([\w-]+)/g)];
    expect(named.length).toBeGreaterThan(3);
    for (const [, script] of named) {
      expect(scripts).toHaveProperty(script ?? '');
    }
    expect(scripts).toHaveProperty('start', 'node server/cli.js serve --demo');
  });
});

/** Actions of the window only; the command line has `serve --demo` and `--dry-run` instead. */
const windowActions = [
  'demo add',
  'backup daily',
  'backup prove',
  'events change',
  'find damage',
  'import preview',
  'mirror receipts',
  'mirror tick',
  'mirror try',
];

it('offers every action of the catalogue on the command line', () => {
  const names = commands.map(({ name }) => name);
  expect(Object.keys(catalogue).toSorted()).toEqual(
    [...names.filter((name) => name !== 'serve' && name !== 'url'), ...windowActions].toSorted(),
  );
});

it('keeps to exact versions', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

it('names no registry in the lock file', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved"/);
});
