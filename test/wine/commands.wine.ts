import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { version } from '../../server/base/version.ts';
import type { Finished } from '../support/command.ts';
import { lacking, type Need, requirePlace, skipWithReason } from '../support/place.ts';
import { findFreePort } from '../support/port.ts';
import {
  commandLine,
  installed,
  startWindows,
  type Windows,
  type WindowsProcess,
} from '../support/wine.ts';
import { makeInstaller, readPath, writePath } from './installer.ts';

/*
 * The command line as on Windows, under Wine. The rows run in order, on one data directory.
 */

const data = 'C:\\Bürö Daten';
const home = `${data}\\home`;
const club = ['--user', 'Schach Grün'] as const;
const season = 'name,date,location\n';

/** The computer, and results of earlier rows for later ones. */
type State = {
  readonly windows: Windows;
  readonly port: number;
  service?: WindowsProcess;
  key?: string;
  backup?: string;
};

type Row = {
  readonly name: string;
  /** Arguments of `club-events`, after `--home` unless they name one. */
  readonly args?: readonly string[];
  /** Runs something else. */
  readonly act?: (state: State) => Promise<Finished>;
  readonly need?: Need;
  readonly before?: (state: State) => unknown;
  readonly input?: string;
  /** The exit status, by default 0; null for a process that was killed. */
  readonly status?: number | null;
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
  readonly effect?: (state: State, finished: Finished) => unknown;
};

const here = ({ windows }: State, name: string) => join(windows.c, 'Bürö Daten', name);

function write(state: State, name: string, text: string, encoding = 'utf8'): void {
  writeFileSync(here(state, name), iconv.encode(text, encoding));
}

const command = (args: readonly string[]) =>
  [commandLine, ...(args.includes('--home') ? [] : ['--home', home]), ...args] as const;

const ce = ({ windows }: State, ...args: readonly string[]) => windows.run(command(args));

/** Returns the names of the club's events. */
async function namesOf(state: State, user: string = club[1]): Promise<readonly string[]> {
  const { stdout } = await ce(state, 'export', '--user', user, '--format', 'json');
  return JSON.parse(stdout).events.map(({ name }: { name: string }) => name);
}

async function has(state: State, ...names: readonly string[]): Promise<void> {
  expect(await namesOf(state)).toEqual(expect.arrayContaining([...names]));
}

/** Requests a path of the service from Linux, with the key of the club. */
const request = ({ port, key }: State, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${key}` } });

/** Returns the names that the service answers. */
async function servedNames(state: State): Promise<readonly string[]> {
  const response = await request(state, '/v1/events');
  const { events } = (await response.json()) as { events: readonly { name: string }[] };
  return events.map(({ name }) => name);
}

/** Starts the service of a row, and waits for its first line. */
async function serve(state: State): Promise<Finished> {
  const service = state.windows.start(command(['serve', '--port', String(state.port)]));
  state.service = service;
  await expect.poll(service.stdout).toContain('\n');
  return { status: 0, stdout: service.stdout(), stderr: service.stderr() };
}

/** Writes a batch file, which has CRLF. */
const writeBatch = (state: State, name: string, lines: readonly string[]) =>
  write(state, name, ['@echo off', ...lines, ''].join('\r\n'));

const longFolder = ['lang'.repeat(50), 'lang'.repeat(40)];

/** Overwrites the pages of a database from a part of its file on. */
function damage(path: string, from: number): void {
  const { size } = statSync(path);
  const start = Math.ceil((size * from) / 4096) * 4096;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size - start, 7), 0, size - start, start);
  closeSync(file);
}

const bin = `${installed}\\resources\\bin`;

/** Installs and uninstalls with a PATH, which must be as expected between and after. */
function installerRow(
  name: string,
  before: Parameters<typeof writePath>[1],
  between: Parameters<typeof writePath>[1],
  after = before,
): Row {
  return {
    name,
    need: 'makensis',
    before: async ({ windows }) => {
      makeInstaller(windows);
      await writePath(windows, before);
    },
    act: ({ windows }) => windows.run(['C:\\customInstall.exe']),
    effect: async ({ windows }) => {
      expect(await readPath(windows)).toEqual(between);
      // A second installation, as by an update, adds nothing.
      await windows.run(['C:\\customInstall.exe']);
      expect(await readPath(windows)).toEqual(between);
      const classes = 'HKCU\\Software\\Classes\\club-events\\shell\\open\\command';
      const query = () => windows.run(['reg', 'query', classes, '/ve']);
      expect((await query()).stdout).toContain(`"${installed}\\club-events.exe" "%1"`);
      expect((await windows.run(['C:\\customUnInstall.exe'])).status).toBe(0);
      expect(await readPath(windows)).toEqual(after);
      expect((await query()).status).toBe(1);
    },
  };
}

const rows: readonly Row[] = [
  { name: 'starts from a folder with blanks', args: ['--version'], stdout: `${version}\n` },
  {
    name: 'creates a data directory with blanks and umlauts',
    args: ['user', 'add', 'Schach Grün'],
    stdout: 'Added club "Schach Grün".\n',
    effect: (state) => expect(existsSync(here(state, 'home/events.sqlite'))).toBe(true),
  },
  {
    name: 'takes the time zone of Windows for a club',
    args: ['user', 'list'],
    stdout: /^Schach Grün +Europe\/Berlin +0 /m,
  },
  {
    name: 'imports a file in Windows-1252 with CRLF from a folder with umlauts',
    before: (state) => {
      mkdirSync(here(state, 'Über sicht'));
      write(
        state,
        'Über sicht/früh.csv',
        'name,date\r\nÜbungsabend,2027-03-01 19:00\r\n',
        'win1252',
      );
    },
    args: ['import', `${data}\\Über sicht\\früh.csv`, ...club],
    stdout: 'früh.csv: 1 event added.\n',
    stderr: 'früh.csv: this was read as Windows-1252.\n',
    effect: (state) => has(state, 'Übungsabend'),
  },
  {
    name: 'imports a table of a German Excel: a byte order mark, semicolons, CRLF',
    before: (state) =>
      write(state, 'excel.csv', '\uFEFFName;Datum;Ort\r\nOsterblitz;28.03.2027 10:00;Café\r\n'),
    args: ['import', `${data}\\excel.csv`, ...club, '--date-order', 'dmy'],
    stdout: '1 event added.',
    effect: (state) => has(state, 'Osterblitz'),
  },
  {
    name: 'takes paths with slashes',
    before: (state) => write(state, 'slash.csv', `${season}Slash,2027-03-02 19:00,Hall\n`),
    args: ['--home', 'C:/Bürö Daten/home', 'import', 'C:/Bürö Daten/slash.csv', ...club],
    stdout: 'slash.csv: 1 event added.\n',
  },
  {
    name: 'takes a path relative to the folder of a drive',
    before: (state) => write(state, 'kurz.csv', `${season}Kurz,2027-03-03 19:00,Hall\n`),
    act: (state) =>
      state.windows.run(command(['import', 'C:kurz.csv', ...club]), { folder: here(state, '') }),
    stdout: 'kurz.csv: 1 event added.\n',
  },
  {
    name: 'takes a data directory and a file that begin with \\\\?\\',
    before: (state) => write(state, 'unc.csv', `${season}Unc,2027-03-04 19:00,Hall\n`),
    args: ['--home', `\\\\?\\${home}`, 'import', `\\\\?\\${data}\\unc.csv`, ...club],
    stdout: 'unc.csv: 1 event added.\n',
    effect: (state) => has(state, 'Unc'),
  },
  {
    name: 'replaces a file whose path begins with \\\\?\\',
    before: (state) => write(state, 'aus.csv', 'old'),
    args: ['export', ...club, '--output', `\\\\?\\${data}\\aus.csv`],
    stdout: 'aus.csv: 5 events.\n',
    effect: (state) =>
      expect(readFileSync(here(state, 'aus.csv'), 'utf8')).toContain('Übungsabend'),
  },
  {
    name: 'refuses a file name that Windows does not allow',
    args: ['export', ...club, '--output', `${data}\\was?.csv`],
    status: 1,
    stderr: `${data}\\was?.csv does not exist; check the name and the folder.\n`,
    effect: (state) =>
      expect(readdirSync(here(state, '')).filter((name) => name.includes('tmp'))).toEqual([]),
  },
  {
    name: 'says that a file is open in another program',
    before: async (state) => {
      writeBatch(state, 'halten.bat', [
        `"${commandLine}" --home "%~dp0demo" serve --demo --port 0 > "%~dp0offen.csv"`,
      ]);
      state.windows.start(['cmd', '/c', `${data}\\halten.bat`]);
      const path = here(state, 'offen.csv');
      await expect.poll(() => existsSync(path) && statSync(path).size).toBeGreaterThan(0);
    },
    args: ['export', ...club, '--output', `${data}\\offen.csv`],
    status: 1,
    stderr: `${data}\\offen.csv is open in another program, such as Excel; close it there, then try again.\n`,
  },
  {
    name: 'writes to a path of more than 260 characters',
    before: (state) => mkdirSync(here(state, longFolder.join('/')), { recursive: true }),
    args: ['export', ...club, '--output', [data, ...longFolder, 'lang.xlsx'].join('\\')],
    stdout: 'lang.xlsx: 5 events.\n',
    effect: (state) => {
      const bytes = readFileSync(here(state, [...longFolder, 'lang.xlsx'].join('/')));
      expect(bytes.subarray(0, 2).toString()).toBe('PK');
    },
  },
  {
    name: 'takes a data directory on another drive, relative to its folder',
    args: ['--home', 'D:home', 'user', 'add', 'Go'],
    stdout: 'Added club "Go".\n',
    effect: ({ windows }) => expect(existsSync(join(windows.d, 'home/events.sqlite'))).toBe(true),
  },
  {
    name: 'says that a drive is missing',
    args: ['--home', 'E:\\home', 'user', 'add', 'Go'],
    status: 1,
    stderr: 'The folder of E:\\home does not exist; check its name, or create it.\n',
  },
  {
    name: 'says that a server is missing',
    args: ['import', '\\\\nowhere\\share\\season.csv', ...club],
    status: 1,
    stderr:
      'The folder of \\\\nowhere\\share\\season.csv does not exist; check its name, or create it.\n',
  },
  {
    name: 'passes text in UTF-8 and its status on to a batch file',
    before: (state) =>
      writeBatch(state, 'liste.bat', [
        `"${commandLine}" --home "%~dp0home" user list`,
        'echo status %errorlevel%',
        `"${commandLine}" --home "%~dp0home" exprot Chess:Youth`,
        'echo status %errorlevel%',
      ]),
    act: ({ windows }) => windows.run(['cmd', '/c', `${data}\\liste.bat`]),
    status: 2,
    stdout: /Schach Grün +Europe\/Berlin +5 [\s\S]*status 0\r\nstatus 2\r\n$/,
    stderr: /^Wrong usage: unknown command 'exprot'/,
  },
  {
    name: 'imports twice at the same time, each event once',
    before: (state) => {
      const lines = Array.from({ length: 500 }, (_, at) => `Duo ${at},2027-04-01 19:00,Hall\n`);
      write(state, 'duo.csv', season + lines.join(''));
    },
    act: async (state) => {
      const start = () => ce(state, 'import', `${data}\\duo.csv`, ...club);
      const [first, second] = await Promise.all([start(), start()]);
      expect([first.status, second.status]).toEqual([0, 0]);
      return { status: 0, stdout: [first.stdout, second.stdout].sort().join(''), stderr: '' };
    },
    stdout: 'duo.csv: 500 events added.\nduo.csv: nothing changed; 500 events already there.\n',
    effect: async (state) => expect(await namesOf(state)).toHaveLength(505),
  },
  {
    name: 'stores nothing of an import that is ended in the middle',
    before: (state) => {
      const lines = Array.from({ length: 20_000 }, (_, at) => `Half ${at},2027-04-02 19:00,Hall\n`);
      write(state, 'halb.csv', season + lines.join(''));
    },
    act: async (state) => {
      const importing = state.windows.start(command(['import', `${data}\\halb.csv`, ...club]));
      const log = here(state, 'home/events.sqlite-wal');
      await expect
        .poll(() => existsSync(log) && statSync(log).size, { interval: 10 })
        .toBeGreaterThan(500_000);
      importing.kill();
      return await importing.finished;
    },
    status: null,
    effect: async (state) => expect(await namesOf(state)).toHaveLength(505),
  },
  {
    name: 'finds everything in order afterwards',
    args: ['check'],
    stdout:
      /Pages and indexes: in order[\s\S]*History: in order[\s\S]*events\.sqlite is in order\.\n$/,
  },
  {
    name: 'serves on a fixed port',
    act: serve,
    stdout: /^http:\/\/127\.0\.0\.1:\d+\n/,
    effect: async (state) => {
      const response = await request(state, '/health');
      expect(await response.json()).toEqual({ service: 'club-events', version });
      expect((await request(state, '/')).headers.get('content-type')).toContain('text/html');
    },
  },
  {
    name: 'prints the address of the service',
    args: ['url', '--wait', '60'],
    effect: ({ port }, { stdout }) => expect(stdout).toBe(`http://127.0.0.1:${port}\n`),
  },
  {
    name: 'creates a key that the service accepts at once',
    args: ['key', 'create', ...club, '--label', 'Skript für Büro'],
    stdout: /^ce_\w{36}\n$/,
    effect: async (state, { stdout }) => {
      expect((await request(state, '/v1/events')).status).toBe(401);
      state.key = stdout.trim();
      expect(await servedNames(state)).toHaveLength(200);
    },
  },
  {
    name: 'imports beside the service, which answers with the new event',
    before: (state) => write(state, 'neben.csv', `${season}Nebenbei,2027-03-05 19:00,Hall\n`),
    args: ['import', `${data}\\neben.csv`, ...club],
    stdout: 'neben.csv: 1 event added.\n',
    effect: async (state) => expect(await servedNames(state)).toContain('Nebenbei'),
  },
  {
    name: 'refuses a second service on its port',
    act: (state) => ce(state, 'serve', '--port', String(state.port)),
    status: 1,
    stderr: /^Club Events is already running at .*, for this data directory;/,
  },
  {
    name: 'examines the installation while it serves',
    args: ['doctor'],
    stdout: /✓ The service runs at [\s\S]*✓ Only your account can use the data\./,
  },
  {
    name: 'makes a backup while it serves',
    args: ['backup'],
    stdout: /\\backups\\\S+-hand\.sqlite: 1 club and 506 events, verified\.\n$/,
    effect: (state, { stdout }) => {
      state.backup = /[^\\]+-hand\.sqlite/.exec(stdout)?.[0] ?? '';
    },
  },
  {
    name: 'restores a backup while it serves',
    before: (state) =>
      ce(state, 'event', 'add', ...club, '--name', 'Später', '--date', '2027-05-01T14:00'),
    act: async (state) => {
      expect(await servedNames(state)).toContain('Später');
      return await ce(state, 'restore', state.backup ?? '');
    },
    stdout: /^Restored .*-hand\.sqlite: 1 club and 506 events\.\n/,
    effect: async (state) => {
      await expect.poll(() => servedNames(state)).not.toContain('Später');
      expect(await servedNames(state)).toContain('Nebenbei');
    },
  },
  {
    name: 'says that a service holds a damaged database',
    before: async (state) => {
      damage(here(state, 'home/events.sqlite'), 0.05);
      const refused = await ce(state, 'export', ...club, '--format', 'csv');
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is damaged') });
    },
    act: (state) => ce(state, 'restore', state.backup ?? ''),
    status: 1,
    stderr: /events\.sqlite is open in another program, probably a running service/,
  },
  {
    name: 'names a service that was ended at once, restores, and serves again',
    before: async ({ service }) => {
      service?.kill();
      await service?.finished;
    },
    args: ['doctor'],
    status: 1,
    stdout: '✗ The service ended without notice: process ',
    effect: async (state) => {
      expect((await ce(state, 'restore', state.backup ?? '')).status).toBe(0);
      await serve(state);
      expect(await servedNames(state)).toContain('Nebenbei');
    },
  },
  {
    name: 'restores a backup over a damaged database that the service has closed',
    before: async (state) => {
      state.service?.kill();
      await state.service?.finished;
      damage(here(state, 'home/events.sqlite'), 0.75);
      // It starts, as it does not read these pages, and checks the file then.
      await serve(state);
      await expect.poll(async () => (await request(state, '/v1/events')).status).toBe(503);
    },
    act: (state) => ce(state, 'restore', state.backup ?? ''),
    stdout: /^Restored .*-hand\.sqlite: 1 club and 506 events\.\n/,
    effect: async (state) => {
      await expect.poll(() => servedNames(state).catch(() => [])).toContain('Nebenbei');
      expect((await ce(state, 'check')).status).toBe(0);
    },
  },
  {
    name: 'gives a change to the interpreter of a batch file',
    before: (state) => writeBatch(state, 'melden.bat', ['more >> "%~dp0gemeldet.txt"']),
    act: async (state) => {
      const batch = ['--exec', 'cmd', '--', '/c', `${data}\\melden.bat`];
      const watching = state.windows.start(command(['watch', ...club, ...batch]));
      await expect.poll(watching.stderr).toContain('Watching the events of Schach Grün');
      const positions = here(state, 'home/watches');
      await expect
        .poll(() => existsSync(positions) && readdirSync(positions).join())
        .toMatch(/\.json/);
      await ce(state, 'event', 'add', ...club, '--name', 'Größe', '--date', '2027-05-01T14:00');
      const path = here(state, 'gemeldet.txt');
      await expect
        .poll(() => existsSync(path) && readFileSync(path, 'utf8'))
        .toContain('"name":"Größe"');
      watching.kill();
      return { ...(await watching.finished), status: 0 };
    },
  },
  {
    name: 'names the interpreter if the command is a batch file',
    args: ['watch', ...club, '--exec', `${data}\\melden.bat`],
    status: 1,
    stderr: `${data}\\melden.bat is a batch file, which needs its interpreter: --exec cmd -- /c "${data}\\melden.bat"\n`,
  },
  {
    name: 'names a missing program before the first change',
    args: ['watch', ...club, '--exec', 'no-such-program'],
    status: 1,
    stderr: /^no-such-program cannot be started \(ENOENT\);/,
  },
  {
    name: 'publishes a file on another drive, and keeps it up to date',
    args: ['publish', 'add', ...club, '--to', 'D:\\Grün.json', '--format', 'json'],
    effect: async (state) => {
      const read = () => readFileSync(join(state.windows.d, 'Grün.json'), 'utf8');
      expect(read()).toContain('Nebenbei');
      await ce(state, 'event', 'add', ...club, '--name', 'Aushang', '--date', '2027-05-02T14:00');
      await expect.poll(read).toContain('Aushang');
    },
  },
  {
    name: 'copies the file of another computer',
    before: (state) => ce(state, '--home', 'D:\\kopie', 'user', 'add', 'Kopie'),
    args: ['--home', 'D:\\kopie', 'mirror', 'set', '--user', 'Kopie', '--file', 'D:\\Grün.json'],
    effect: async (state) => {
      await ce(state, '--home', 'D:\\kopie', 'mirror', 'sync');
      // The copy has the name of its club.
      const { stdout } = await ce(
        state,
        ...['--home', 'D:\\kopie', 'export', ...club, '--format', 'csv'],
      );
      expect(stdout).toContain('Aushang');
    },
  },
  {
    name: 'answers an assistant',
    args: ['mcp', ...club],
    input: [
      {
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      },
      { method: 'notifications/initialized' },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 'list_events', arguments: { search: 'Größe' } },
      },
    ]
      .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      .join(''),
    stdout: /"id":2[\s\S]*Größe|Größe[\s\S]*"id":2/,
  },
  installerRow('the installer makes a PATH for a user without one', undefined, {
    type: 'REG_EXPAND_SZ',
    text: bin,
  }),
  installerRow(
    'the installer keeps type, variables, empty parts and a last backslash of a PATH',
    { type: 'REG_EXPAND_SZ', text: '%USERPROFILE%\\bin;;C:\\Tools\\;' },
    { type: 'REG_EXPAND_SZ', text: `%USERPROFILE%\\bin;;C:\\Tools\\;;${bin}` },
  ),
  installerRow(
    'the installer leaves the percent signs of a plain PATH as they are',
    { type: 'REG_SZ', text: 'C:\\100%TEMP%' },
    { type: 'REG_SZ', text: `C:\\100%TEMP%;${bin}` },
  ),
  installerRow(
    'the installer leaves a PATH that is too long',
    { type: 'REG_EXPAND_SZ', text: `C:\\${'x'.repeat(2_000)}` },
    { type: 'REG_EXPAND_SZ', text: `C:\\${'x'.repeat(2_000)}` },
  ),
];

let state: State | undefined;
let missing: string | undefined;

beforeAll(async () => {
  missing = lacking('Wine');
  if (missing !== undefined) return;
  const port = await findFreePort();
  try {
    state = { windows: await startWindows(), port };
    mkdirSync(here(state, ''));
  } catch (error) {
    missing = `needs Node.js for Windows: ${(error as Error).message}`;
  }
});

afterAll(() => state?.windows.close());

it.for(rows)('$name', async (row, context) => {
  if (missing !== undefined) skipWithReason(context, missing);
  if (row.need !== undefined) requirePlace(context, row.need);
  if (state === undefined) throw new Error('Wine has not started.');
  await row.before?.(state);
  const finished =
    (await row.act?.(state)) ??
    (await state.windows.run(command(row.args ?? []), { input: row.input ?? '' }));
  const { status, stdout, stderr } = finished;
  expect(status, stdout + stderr).toBe(row.status === undefined ? 0 : row.status);
  expect(stderr).not.toContain('please report');
  if (row.stdout !== undefined) expect(stdout).toMatch(row.stdout);
  if (row.stderr !== undefined) expect(stderr).toMatch(row.stderr);
  await row.effect?.(state, finished);
});
