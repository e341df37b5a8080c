import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoredEvent } from '../db/model.ts';
import { callCommand, pathWithCommand } from './support/command.ts';
import { makeTestFolder, makeTestHome } from './support/home.ts';
import { requirePlace } from './support/place.ts';
import { serveUpstream } from './support/upstream.ts';
import { serveWebSpace } from './support/web-space.ts';

const root = join(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The rooms of the code, each with a page of its own. */
const rooms = [
  'db',
  'electron',
  'electron/packaging',
  ...readdirSync(join(root, 'server'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `server/${name}`),
];

/** Pages whose commands build on those of the page before. */
const inOrder = [
  'README.md',
  ...['cli', 'mirror', 'http'].map((room) => `server/${room}/README.md`),
];

const names = new Set([
  ...inOrder,
  ...rooms.map((room) => `${room}/README.md`),
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/README.md', 'test/bench/README.md'],
  'server/service/on-a-server.md',
  'server/hub/on-several-machines.md',
]);

const documents = [...names].map((name) => {
  const text = readFileSync(join(root, name), 'utf8');
  const blocks = [...text.matchAll(/^ *```(.*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language = '', code = '']) => ({ language, code }),
  );
  return { name, text, blocks };
});

function codeIn(language: string): readonly string[] {
  const blocks = documents.flatMap((document) => document.blocks);
  return blocks.filter((block) => block.language === language).map(({ code }) => code);
}

/** The commands of each block for a shell, without comments. */
const shellBlocks = codeIn('sh').map((code) =>
  code
    .split(/\n|&&/)
    .map((line) => line.replace(/(^|\s)# .*/, '').trim())
    .filter((command) => command !== ''),
);

/** The example of an event, the same in each document. */
const [eventText = '', ...sameEvents] = codeIn('json').filter((code) =>
  code.includes('"createdAt"'),
);
const event: StoredEvent = JSON.parse(eventText);

/** Commands that this test does not run, each with its reason. */
const notRun: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm ci$/, 'needs the network; CI and the rehearsal begin with it'],
  [/^npm test$|^\.ci\/run$/, 'runs this test'],
  [/^npm run (test:\w+|fuzz|bench)$/, 'takes minutes'],
  [/^npm run (build|desktop:build|format|screenshots|icons)$/, 'writes into the checkout'],
  [/^club-events completion /, 'needs the folders of a shell; completion.test.ts loads each'],
  [/club-events-\d\S*\.tgz/, 'needs the npm package; npm-package.test.ts starts it'],
  [/^export PGHOST=|^pg_| hub | --hub /, 'needs a PostgreSQL; test/hub runs it'],
  [/ watch /, 'runs until Ctrl+C; test/server/http/examples.test.ts runs it'],
  [/^npm run lint$/, 'is a step of CI'],
  [/^npm run (desktop|package)$|release\.ts package/, 'downloads Electron'],
  [/^npm run pack$/, 'builds for a minute; npm-package.test.ts packs and starts it'],
  [
    /^(sudo|curl .*\/ready$)/,
    'needs a server; server-deb.long.test.ts runs them in a fresh Debian',
  ],
  [/club-events[_-]VERSION/, 'needs a package; "npm run try-package" installs and starts each'],
  [/\bgh (attestation|release) |SHA256SUMS$/, 'needs a release on GitHub'],
];

/** Services, which run beside the next commands. */
const service = /^(npm start|.* serve)$/m;

/** Outputs of scripts. */
const outputs: readonly (readonly [script: RegExp, output: RegExp | string])[] = [
  [/^npm start$/, /^http:\S+\nKey: ce_/m],
  [/ import /, /^season\.csv: 24 events added\.$/m],
  [/ history /, / Rovers v City: 14:00 → 15:00$/m],
  [/"\$BASE\/v1\/events"/, /^\{"events":\[\{"id":24,/m],
  [/"\$\(club-events url\)\/v1\/events"/, JSON.stringify({ events: [event] })],
  [/\?q=relay&/, JSON.stringify({ events: [event] })],
];

type Online = {
  readonly service: { readonly baseUrl: string; readonly key: string };
  readonly webSpace: { readonly url: string; readonly password: string };
};

/**
 * Opens a folder like a checkout, with its own data and a clock that is `ahead` ms ahead. Returns a
 * function that runs a script there; a service ends with the running test.
 */
function openPlace({ service: online, webSpace }: Online, ahead: number) {
  const folder = join(makeTestFolder(), 'My checkout');
  mkdirSync(folder);
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'server'), join(folder, 'server'));
  // An answer with an error fails its command.
  writeFileSync(join(folder, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
  const env = {
    PATH: `${dirname(process.execPath)}:${pathWithCommand()}`,
    HOME: folder,
    TMPDIR: folder,
    CLUB_EVENTS_HOME: join(folder, 'home'),
    TZ: 'UTC',
    NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'test/support/clock.js'))}`,
    CLOCK_AHEAD: `${ahead}`,
    npm_config_update_notifier: 'false',
    // A download fails.
    npm_config_offline: 'true',
  };
  let { key } = online;
  let baseUrl = '';
  return async (script: string): Promise<void> => {
    writeFileSync(join(folder, 'key.txt'), key);
    // An editor ends the line.
    writeFileSync(join(folder, 'password.txt'), `${webSpace.password}\n`);
    const filled = script
      .replaceAll('KEY', key)
      .replaceAll('http://127.0.0.1:28470', baseUrl)
      .replaceAll('https://events.example.org', online.baseUrl)
      .replaceAll('https://cloud.example.org', new URL(webSpace.url).origin)
      // Another program may use the usual port.
      .replace(/^npm start$/, '$& -- --port 0')
      .replace(/ serve$/, '$& --port 0');
    const shell = spawn('sh', ['-ec', `exec 2>&1\n${filled}`], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const ended = once(shell, 'close');
    onTestFinished(async () => {
      // The shell has started npm, which has started the program.
      if (shell.exitCode === null) process.kill(-(shell.pid ?? 0), 'SIGTERM');
      await ended;
    });
    const served = Promise.withResolvers<[status: number]>();
    let output = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (service.test(script) && /^http:.*\n/m.test(output)) served.resolve([0]);
    });
    const [status] = await Promise.race([ended, served.promise]);
    expect(status, `${filled}\n${output}`).toBe(0);
    for (const [pattern, expected] of outputs) {
      if (pattern.test(script)) expect(output).toMatch(expected);
    }
    key = /^(?:Key: )?(ce_\w+)$/m.exec(output)?.[1] ?? key;
    baseUrl = /^http:\S+/m.exec(output)?.[0] ?? baseUrl;
  };
}

it.for([0, 2])('runs in order, in %d years', { tags: 'long' }, async (years, context) => {
  requirePlace(context, 'a Unix shell', 'symbolic links', 'curl');
  const ahead = years * 366 * 86_400_000;
  const now = () => Date.now() + ahead;
  const webSpace = await serveWebSpace();
  const online = { service: await serveUpstream({ now, events: [event] }), webSpace };
  let run = openPlace(online, ahead);
  for (const commands of shellBlocks) {
    // The first command of a person without data.
    if (commands[0]?.includes(' user add ')) run = openPlace(online, ahead);
    const isRun = (command: string) => !notRun.some(([pattern]) => pattern.test(command));
    const scripts = commands.filter(isRun).join('\n').split(service);
    for (const script of scripts.map((each) => each.trim())) if (script !== '') await run(script);
  }
  expect([...webSpace.files.keys()]).toEqual(['/remote.php/dav/files/maria/dates.ics']);
});

it('runs a checkout by its own Node.js from a folder below it, without the network', async (context) => {
  requirePlace(context, 'a Unix shell', 'symbolic links');
  const folder = join(makeTestFolder(), 'My checkout');
  const cli = join(folder, 'server/cli');
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(cli, { recursive: true });
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  const program = '#!/usr/bin/env node\nconsole.log(process.env.OWN, ...process.argv.slice(2));\n';
  writeFileSync(join(cli, 'club-events.js'), program);
  const node = `#!/bin/sh\nOWN=own exec "${process.execPath}" "$@"\n`;
  writeFileSync(join(folder, 'node_modules/.bin/node'), node, { mode: 0o755 });
  const command = 'npx --no club-events import "My season.csv" --user "Chess Club"';
  const env = { PATH: process.env['PATH'], HOME: folder, npm_config_offline: 'true' };
  const { stdout } = await promisify(execFile)('sh', ['-ec', command], { cwd: cli, env });
  expect(stdout).toBe('own import My season.csv --user Chess Club\n');
});

it.each([...notRun, ...outputs])('has a command for the rule of %s', (pattern) => {
  expect(shellBlocks.flat().some((command) => pattern.test(command))).toBe(true);
});

/** Returns the headings of a document as GitHub writes them in addresses. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it('names in comments and sentences only files and headings that exist', () => {
  const list = (pattern: string) =>
    globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/dist', '.git'] });
  const files = [...list('**/*.*'), ...list('.github/**/*.*')].map((path) => `/${path}`);
  const sources = files.filter((path) => /\.(tsx?|js|yml)$/.test(path));
  const missing = sources.flatMap((source) => {
    const text = readFileSync(join(root, source), 'utf8');
    const comments = text.match(/^ *(?:\/\/|\/?\*|#).*/gm) ?? [];
    const paths = comments
      .join('\n')
      .match(/(?<![\w/.@:-])(?:[\w-]+\/)+[\w.-]+\.(?:tsx?|md|yml)\b/g);
    const headings = [...text.matchAll(/"([^"\n]+)" in (the README|[\w./-]+\.md)\b/g)];
    return [
      ...(paths ?? []).filter((path) => !files.some((file) => file.endsWith(`/${path}`))),
      ...headings
        .filter(([, heading = '', name = '']) => {
          const file = name === 'the README' ? 'README.md' : name;
          return !readFileSync(join(root, file), 'utf8').includes(`\n## ${heading}\n`);
        })
        .map(([words]) => words),
    ].map((name) => `${source}: ${name}`);
  });
  expect(missing).toEqual([]);
});

it('shows the same example of an event everywhere', () => {
  for (const text of sameEvents) expect(text).toBe(eventText);
});

it.each([
  ['README.md', 150],
  ['CONTRIBUTING.md', 120],
])('keeps %s below %d lines', (name, limit) => {
  expect(readFileSync(join(root, name), 'utf8').split('\n').length).toBeLessThanOrEqual(limit);
});

it.each(rooms)('introduces the room %s with its three most important files', (room) => {
  const text = readFileSync(join(root, room, 'README.md'), 'utf8');
  const [, files = ''] = /\n\nThe three most important files:\n\n((?:- .+\n)+)/.exec(text) ?? [];
  expect(files.match(/^- \[`.+`\]\(.+\): .+$/gm)).toHaveLength(3);
});

describe.each(documents)('$name', ({ name, text, blocks }) => {
  it('has only blocks of code for which there are tests', () => {
    // Those of ini and python are in readme.test.ts, those of sql and pg_hba in test/hub, the rest in
    // on-a-server.test.ts.
    const tested = [
      'sh',
      'ini',
      'json',
      'python',
      'sql',
      'pg_hba',
      'caddyfile',
      'nginx',
      'dockerfile',
    ];
    // Outputs, and what only other systems or programs can run.
    const shown = ['text', 'powershell', 'xml', 'js', 'ts'];
    for (const { language } of blocks) expect([...tested, ...shown]).toContain(language);
  });

  it('names scripts, files and folders that exist', () => {
    const called = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
    for (const script of called) expect(scripts).toHaveProperty([script]);
    const paths = text.match(/(?<![\w/.-])(?:\.ci|\.github|db|electron|server|test)\/[\w./-]*\w/g);
    for (const path of paths ?? []) expect(existsSync(join(root, path)), path).toBe(true);
  });

  it('has links only to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    for (const [link, path = '', heading] of links) {
      const file = path === '' ? join(root, name) : join(root, dirname(name), path);
      expect(existsSync(file), link).toBe(true);
      if (heading !== undefined) expect(headingsOf(readFileSync(file, 'utf8'))).toContain(heading);
    }
  });

  // Whether they answer is not a question for a test, which needs no network.
  it('has links to the web that are well-formed', () => {
    for (const [, link = ''] of text.matchAll(/(?:\]\(|<|^\[.+\]: *)(https?:[^)>\n]*)/gm)) {
      expect(link).toMatch(/^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w./%~#?=&+-]*)?$/);
      expect(link).not.toMatch(/\.(?:invalid|example)\b/);
    }
  });
});

it('says the version of the project in the changelog, and that of each release', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const released = [...changes.matchAll(/^## (\d+\.\d+\.\d+)$/gm)].map(([, name]) => name);
  const isUnreleased = changes.includes(
    `The version is ${version}, and nothing has been released yet.`,
  );
  expect(isUnreleased ? [version] : released).toContain(version);
  expect(isUnreleased ? released : []).toEqual([]);
});

it('has an example of a season that is imported without a question', async () => {
  const { directory } = makeTestHome();
  const call = (...args: string[]) => callCommand(['--home', directory, ...args]);
  await call('user', 'add', 'Chess Club');
  const season = join(root, 'server/import/examples/season.csv');
  expect(await call('import', season, '--user', 'Chess Club')).toEqual({
    status: 0,
    stdout: 'season.csv: 24 events added.\n',
    stderr:
      'season.csv: Name from "Event", date from "Date", time from "Start", place from "Venue", note from "Notes", type from "Level".\n"club-events undo 1" undoes this.\n',
  });
});
