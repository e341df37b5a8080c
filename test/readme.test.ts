import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { describe, expect, it, type TestContext } from 'vitest';
import { parse } from 'yaml';
import type { EventDraft } from '../db/model.ts';
import { eventFields } from '../db/model.ts';
import { commandNames } from '../server/actions/catalogue.ts';
import { type Setting, settings } from '../server/base/settings.ts';
import { createProgram } from '../server/cli/program.ts';
import { readValues } from '../server/club/event-values.ts';
import { listParameterNames } from '../server/http/parameters.ts';
import { changeEvents, serveClub } from './support/club.ts';
import { callCommand, installCommand, pathWithCommand, startServe } from './support/command.ts';
import { makeEvent, makeTestFolder, makeTestHome } from './support/home.ts';
import { requirePlace } from './support/place.ts';
import { fetchWithKey } from './support/service.ts';

const execute = promisify(execFile);

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const readme = read('README.md');

/** The page of a room. */
const page = (room: string) => read(`${room}/README.md`);
const commandLine = page('server/cli');
const http = page('server/http');
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;

/** Creates a program whose commands do nothing, and collects its output. */
function createIdleProgram() {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const program = createProgram({ stdout: stream, stderr: stream, env: {} });
  for (const { command } of program.commands.flatMap((each) => listCommands(each))) {
    command.action(() => undefined);
  }
  return { program, text: () => text };
}

type NamedCommand = { readonly name: string; readonly command: Command };

/** Returns a command and those below it that can be called, `user add` and the like by all words. */
function listCommands(command: Command, above = ''): NamedCommand[] {
  const name = `${above} ${command.name()}`.trim();
  const below = command.commands.flatMap((each) => listCommands(each, name));
  // Only a command that does something itself has options.
  const isGroup = below.length > 0 && command.options.length === 0;
  return isGroup ? below : [{ name, command }, ...below];
}

const commands = createIdleProgram().program.commands.flatMap((each) => listCommands(each));

/** Returns a command with its options, as the documents write it. */
function signatureOf({ name, command }: NamedCommand): string {
  const inCapitals = (flags: string) =>
    flags.replace(/<(.+)>/, (_, value: string) => value.toUpperCase().replace('...', '…'));
  const operands = command.registeredArguments.map((operand) => {
    const text = `${operand.name().toUpperCase()}${operand.variadic ? '…' : ''}`;
    return operand.required ? text : `[${text}]`;
  });
  const options = command.options
    .toSorted((left, right) => Number(right.mandatory) - Number(left.mandatory))
    .map(({ flags, mandatory, parseArg }) => {
      const option = inCapitals(flags);
      return mandatory ? option : `[${option}]${parseArg ? '…' : ''}`;
    });
  return [name, ...operands, ...options].join(' ');
}

/** Returns the command lines of a text, without the name of the program and redirections. */
function commandLinesIn(text: string): string[] {
  const lines = text.matchAll(/(?:^ *|\$\()(?:club-events|npx --no club-events) ([^)<>|\n]+)/gm);
  return [...lines].map(([, line = '']) => line.trim());
}

/** Splits a command line into words as a shell does; double quotes are the only ones in the texts. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}

/** Returns the blocks of code in a language in a document. */
function codeIn(document: string, language: string): string[] {
  const blocks = document.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...blocks].map(([, code = '']) => code);
}

describe('the documents', () => {
  it.each(commands)('documents the command $name with its options', (named) => {
    // The options of `serve` have a table of their own.
    const signature = named.name === 'serve' ? 'serve' : signatureOf(named);
    const row = commandLine.split('\n').find((line) => line.startsWith(`| \`${named.name}`));
    expect(row?.split('`')[1]).toBe(signature);
  });

  it('has, as the help of each command, only examples that the command line accepts', async () => {
    const { program, text } = createIdleProgram();
    for (const { name, command } of program.commands.flatMap((each) => listCommands(each))) {
      const start = text().length;
      command.outputHelp();
      const examples = commandLinesIn(text().slice(start).split('Examples:')[1] ?? '');
      expect(examples[0], name).toMatch(new RegExp(`^${name}( |$)`));
    }
    const lines = commandLinesIn(text());
    expect(lines.length).toBeGreaterThan(commands.length);
    for (const line of lines) {
      await createIdleProgram().program.parseAsync(wordsOf(line), { from: 'user' });
    }
  });

  it('has, as the help, only dates that mean the same in two years', () => {
    const { program, text } = createIdleProgram();
    for (const { command } of program.commands.flatMap((each) => listCommands(each))) {
      command.outputHelp();
    }
    const day = /["`]((?:Mo|Tu|We|Th|Fr|Sa|Su)\w*\.? \d[^"`]+)["`]/g;
    const dates = [...`${commandLine}${text()}`.matchAll(day)].map(([, date = '']) => date);
    expect(dates.length).toBeGreaterThan(3);
    const now = new Date();
    const later = new Date(now.getTime() + 2 * 366 * 86_400_000);
    for (const date of dates) {
      const read = (moment: Date) => readValues({ date }, { timeZone: 'UTC', now: moment });
      expect(read(later), date).toEqual(read(now));
    }
  });

  it.each(['README.md', 'SECURITY.md', 'server/cli/README.md', 'server/http/README.md'])(
    'gives no address in %s by the name localhost',
    (name) => {
      expect(read(name)).not.toContain('//localhost');
    },
  );

  it('gives only commands that every shell passes on, and that never download a program', () => {
    const names = globSync('**/*.md', { cwd: root, exclude: ['**/node_modules', 'dist'] });
    expect(names).toContain('README.md');
    // PowerShell drops the first "--" of npm. The name of the package belongs to nobody yet.
    const refused = /\bnpx (?!--no\b)[^`\n]*|\bnpm (?:run|start|test)\b[^`\n]* --(?: [^`\n]*|$)/gm;
    for (const name of names) expect(read(name).match(refused), name).toBeNull();
  });

  it('documents no command that is not there', () => {
    const table = /\n(\| command[\s\S]*?)\n\n/.exec(commandLine)?.[1] ?? '';
    const documented = [...table.matchAll(/^\| `([a-z]+(?:[ -][a-z]+)*)/gm)].map(
      ([, name]) => name,
    );
    expect(documented).toEqual(commands.map(({ name }) => name));
  });

  it.each(Object.entries<Setting>(settings))('documents the setting %s', (_, setting) => {
    const long = setting.flag.split(' ')[0];
    const row = commandLine
      .replaceAll('`', '')
      .split('\n')
      .find((line) => line.startsWith(`| ${long}`));
    expect(row).toContain(setting.help.split(';')[0]);
    expect(row).toContain(setting.defaultText);
    if (setting.env) expect(row).toContain(setting.env);
  });

  it('documents the parameters of the list, and no other', () => {
    const table = /## Find,[\s\S]*?\n(\| parameter[\s\S]*?)\n\n/.exec(http)?.[1] ?? '';
    const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(documented).toEqual(listParameterNames);
  });

  it('documents the fields of an import', () => {
    for (const field of eventFields) expect(page('server/import')).toContain(`\`${field}\``);
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
    expect(readme).toContain('`npm ci && npm test`');
    expect(scripts).toHaveProperty('start', 'node server/cli/club-events.js serve --demo');
  });
});

/** Files that can send a request, each with the words of the README for it; none for a server and its own page. */
const requesters: Readonly<Record<string, string>> = {
  'electron/updates/updater.ts': 'asks its releases for updates',
  'server/mirror/transport.ts': 'follows an [online service]',
  'server/mirror/file-transport.ts': 'a file at an address',
  'server/outside/targets.ts': 'a file in a [web space]',
  'server/publish/address-check.ts': 'its address for members read',
  'server/export/members-script.ts': 'asks its own address for a newer state',
  'server/follow/download.ts': 'a [followed calendar]',
  'server/hub/metrics.ts': '',
  'server/hub/postgres.ts': 'the PostgreSQL of a [hub]',
  'electron/window/page-answer.ts': '',
  'server/doctor/services.ts': '',
  'server/http/openapi.ts': '',
  'server/http/problems.ts': '',
  'server/http/server.ts': '',
  'server/service/health.ts': '',
  'server/ui/base/client.ts': '',
  'server/ui/manage/keys/snippets.tsx': '',
  'server/ui/manage/keys/try-it.tsx': '',
  'server/web/follow.ts': '',
  'server/web/request.ts': '',
};

it('lists under Privacy everything that contacts another computer', () => {
  const [, privacy = ''] = /\n## Privacy\n([\s\S]*?)\n## /.exec(readme) ?? [];
  // `BlockList` and `isIP` ask nobody.
  const sends = new RegExp(
    [
      String.raw`\bfetch\(`,
      String.raw`^import (?!type\b|\{ (?:BlockList, )?isIP \})[^;]*'(?:node:(?:https?|http2|net|tls|dgram)|[./]+/base/node-http\.ts|pg|(?:[./]+/web|\.)/(?:request|follow)\.ts)'`,
      String.raw`import\('electron-updater'\)`,
      String.raw`new (?:WebSocket|EventSource|XMLHttpRequest)\b|sendBeacon`,
    ].join('|'),
    'm',
  );
  const found = globSync('{db,electron,server}/**/*.{ts,tsx,cts,js}', {
    cwd: join(import.meta.dirname, '..'),
    exclude: (path) => /\b(?:dist|packaging|examples)\b/.test(path),
  }).map((path) => path.replaceAll('\\', '/'));
  const senders = found.filter((path) => sends.test(read(path)));
  expect(senders.toSorted()).toEqual(Object.keys(requesters).toSorted());
  for (const words of Object.values(requesters))
    expect(privacy.replaceAll('\n', ' ')).toContain(words);
});

/** The rows of the table of words: the words, a name that they find, and one that they do not. */
const wordRows = [...http.matchAll(/^ {2}\| `(.+)` \| (.+) \| (.+) \|$/gm)].map(
  ([, typed = '', found = '', other = '']) => [typed, found, other] as const,
);

describe('an example of the documents', () => {
  /** Skips a test on a machine without a program. */
  async function requireProgram(context: TestContext, name: string) {
    const found = await execute(name, ['--version']).catch((error: Error) => error);
    if (found instanceof Error) context.skip(`${name} does not run here: ${found.message}`);
  }

  it('keeps a copy of all events in Python', { tags: 'long' }, async (context) => {
    requirePlace(context, 'a Unix shell');
    await requireProgram(context, 'python3');
    const club = await serveClub(Array.from({ length: 450 }, (_, at) => makeEvent(at + 1)));
    const folder = makeTestFolder();
    const env = {
      ...process.env,
      PATH: pathWithCommand(),
      CLUB_EVENTS_HOME: club.home.directory,
    };
    const [code = ''] = codeIn(http, 'python');
    const copy = async () => {
      await execute('python3', ['-c', code.replace('KEY', club.key)], { cwd: folder, env });
      return JSON.parse(readFileSync(join(folder, 'copy.json'), 'utf8'));
    };
    const call = async (...args: string[]) => {
      const { status, stdout } = await callCommand(['--home', club.home.directory, ...args]);
      expect(status).toBe(0);
      return stdout;
    };
    const stored = async () => {
      const { events } = JSON.parse(await call('export', '--user', 'club', '--format', 'json'));
      return Object.fromEntries(events.map((event: EventDraft) => [`${event.id}`, event]));
    };
    const first = await copy();
    expect(first.events).toEqual(await stored());

    await changeEvents(
      club,
      Array.from({ length: 300 }, (_, at) => makeEvent(at + 1, { name: 'Moved' })),
    );
    await call('event', 'remove', '400', '--user', 'club');
    await call('event', 'add', '--user', 'club', '--name', 'New', '--date', '2999-05-01');
    const second = await copy();
    expect(Object.keys(second.events)).toHaveLength(450);
    expect(second.events).toEqual(await stored());
    expect(second.since).not.toBe(first.since);
  });

  it.each(wordRows)('the search for %s finds %s, but not %s', async (typed, found, other) => {
    const { service, key } = await serveClub([
      makeEvent(1, { name: found, location: '' }),
      makeEvent(2, { name: other, location: '' }),
    ]);
    const path = `/v1/events?q=${encodeURIComponent(typed)}`;
    const { events } = await (await fetchWithKey(service, path, key)).json();
    expect(events.map(({ name }: EventDraft) => name)).toEqual([found]);
  });

  it('starts the service with systemd, which accepts the unit', {
    tags: 'long',
  }, async (context) => {
    await requireProgram(context, 'systemd-analyze');
    const folder = makeTestFolder();
    const home = makeTestHome();
    const [unit = ''] = codeIn(commandLine, 'ini');
    const path = join(folder, 'club-events.service');
    writeFileSync(path, unit.replace('/usr/bin/club-events', installCommand()));
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    const { stderr } = await execute('systemd-analyze', ['--user', 'verify', path], { env });
    // The machine may have other units with faults.
    expect(stderr).not.toContain('club-events');
    const [, args = ''] = /^ExecStart=\/usr\/bin\/club-events (.+)$/m.exec(unit) ?? [];
    const [first, ...more] = args.split(' ');
    expect(first).toBe('serve');
    const serving = await startServe(['--home', home.directory, '--port', '0', ...more]);
    // A failure would make systemd start it again.
    expect(await serving.end('SIGTERM')).toBe(0);
  });
});

/** Commands without an action. */
const otherCommands = ['serve', 'url', 'watch', 'mcp', 'completion', 'help'];

it('has a command for every action that declares one', () => {
  const names = commands.map(({ name }) => name);
  expect(commandNames.toSorted()).toEqual(
    names.filter((name) => !otherCommands.includes(name)).toSorted(),
  );
});

it('keeps to exact versions', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  }
});

it('names no registry in the lock file', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved"/);
});
