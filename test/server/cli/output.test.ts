import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { createOutput } from '../../../server/cli/output.ts';
import { callCommand, type Finished } from '../../support/command.ts';
import {
  addMember,
  makeEvent,
  makeFolder,
  makeTestHome,
  removeFolder,
} from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { requirePlace } from '../../support/place.ts';
import { writeTestFile } from '../import/files.ts';

const cli = join(import.meta.dirname, '../../../server/cli/club-events.js');

/** Runs a command of the shell in which `ce` is club-events with this data directory. */
function runShell(home: Home, command: string): Promise<Finished> {
  const ce = `ce() { "${process.execPath}" "${cli}" --home "${home.directory}" "$@"; }`;
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', `${ce}; ${command}`], (_error, stdout, stderr) => {
      resolve({ status: child.exitCode, stdout, stderr });
    });
  });
}

const isLong = choose(true, false);

/** A club for what only reads; its exports are larger than a pipe. */
const club = homeAt(makeFolder());

beforeAll(async () => {
  const events = Array.from({ length: 2_000 }, (_, id) => makeEvent(id));
  await addMember(club, 'Chess', events);
});

afterAll(() => removeFolder(club.directory));

const full = 'The disk that holds standard output is full; free some space, then try again.';

describe('control characters in the name of an event', () => {
  const name = 'evil \u001b]0;owned\u0007\u001b[2J\u009b2J\u007f\r\u202egnp.exe';
  const shown = 'evil \\u001b]0;owned\\u0007\\u001b[2J\\u009b2J\\u007f\\u000d\\u202egnp.exe';
  const controls = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

  async function setUp() {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const event = { id: 7, name, date: '2027-05-01T18:00:00.000Z' };
    const file = writeTestFile('evil.json', JSON.stringify([event]));
    const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
    return { file, call };
  }

  it('control characters in the name of an event are visible in the text of import, event and history', async () => {
    const { file, call } = await setUp();
    const outputs = [
      await call('import', file, '--user', 'Chess', '--dry-run'),
      await call('import', file, '--user', 'Chess'),
      await call('event', 'cancel', '7', '--user', 'Chess'),
      await call('history', '--user', 'Chess'),
    ];
    for (const { status, stdout, stderr } of outputs) {
      expect(status).toBe(0);
      expect(stdout + stderr).not.toMatch(controls);
    }
    for (const at of [0, 2, 3]) expect(outputs[at]?.stdout).toContain(shown);
  });

  it('control characters in the name of an event are visible in sentences on stderr, and in wrong usage', async () => {
    const { call } = await setUp();
    for (const args of [['restore', name], [name]]) {
      const { stdout, stderr } = await call(...args);
      expect(stdout).toBe('');
      expect(stderr).toContain('evil \\u001b]0;owned');
      expect(stderr).not.toMatch(controls);
    }
  });

  it('control characters in the name of an event are visible in the name of a file while its import shows its progress', () => {
    const pieces: string[] = [];
    const write = (piece: string, _: string, done: () => void) => {
      pieces.push(piece);
      done();
    };
    const terminal = Object.assign(new Writable({ write, decodeStrings: false }), { isTTY: true });
    const { progress } = createOutput({ stdout: terminal, stderr: terminal }, { json: false });
    progress({ file: name, share: 0.5, rows: 1, done: false });
    const [line = ''] = pieces;
    expect(line).toContain(shown);
    // The line begins with the return of the cursor and ends with the deletion of the rest.
    expect(line.slice(1, -'\u001b[K'.length)).not.toMatch(controls);
  });

  it('control characters in the name of an event do not begin another row of a table', async () => {
    const { call } = await setUp();
    const two = 'Run\n99  2026-11-23  import';
    await call('event', 'add', '--user', 'Chess', '--name', two, '--date', '2027-05-01');
    const { stdout } = await call('history', '--user', 'Chess');
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(stdout).toContain('Run 99  2026-11-23  import: added');
  });

  it('control characters in the name of an event stay as they are in JSON and in an export', async () => {
    const { file, call } = await setUp();
    await call('import', file, '--user', 'Chess');
    const cancelled = await call('event', 'cancel', '7', '--user', 'Chess', '--json');
    expect(JSON.parse(cancelled.stdout).event.name).toBe(name);
    const exported = await call('export', '--user', 'Chess', '--format', 'json');
    expect(JSON.parse(exported.stdout).events[0].name).toBe(name);
  });
});

describe('a reader that closes the pipe', () => {
  beforeEach((context) => requirePlace(context, 'a Unix shell'));
  const commands = ['export --user Chess --format json', '--help'];
  const others = ['export --user Chess --format csv', 'user list'];
  const readers = ['head -c 10', 'true'];

  it.each(choose([...commands, ...others], commands).map((args, at) => ({ args, at })))(
    'ends "$args" silently when the reader of stdout closes it',
    async ({ args, at }) => {
      for (const reader of choose(readers, readers.slice(at, at + 1))) {
        const result = await runShell(club, `ce ${args} | ${reader} >&2; exit \${PIPESTATUS[0]}`);
        expect(result.status).toBe(0);
        expect(result.stderr).not.toMatch(/failed|Error|EPIPE/);
      }
    },
  );
});

it('describes a change when the reader of stdout has closed it', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'a Unix shell');
  const home = makeTestHome();
  await addMember(home, 'Chess');
  const run = (args: string) => runShell(home, `{ sleep 0.5; ce ${args}; } | true`);
  expect((await run('key create --user Chess')).stderr).toBe(
    'Key 2 was created but could not be printed; run "club-events key revoke 2".\n',
  );
  if (!isLong) return;
  expect((await run('user add Rowing')).stderr).toBe('Added club "Rowing".\n');
});

describe('a full disk behind stdout', () => {
  beforeEach((context) => requirePlace(context, 'a Unix shell', '/dev/full'));
  const commands = ['--help', 'export --user Chess --format json', 'serve --port 0'];
  const others = [
    'user list',
    'key list',
    'history --user Chess',
    'check',
    '--version',
    'export --user Chess --format ics',
  ];

  it.each(choose([...commands, ...others], commands))(
    'reports a full stdout of "%s" in one sentence',
    { tags: 'long' },
    async (args) => {
      const result = await runShell(club, `ce ${args} > /dev/full`);
      expect(result).toEqual({ status: 1, stdout: '', stderr: `${full}\n` });
    },
  );

  it('describes a committed change when stdout cannot be written', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const file = writeTestFile('season.csv', 'name,date\nRun,2026-05-01\n');
    const run = (args: string) => runShell(home, `ce ${args} > /dev/full`);
    const key = await run('key create --user Chess');
    expect(key.stderr).toBe(
      `Key 2 was created but could not be printed; run "club-events key revoke 2".\n${full}\n`,
    );
    const imported = await run(`import "${file}" --user Chess`);
    expect(imported.stderr).toMatch(
      /^season\.csv: 1 event added\.\n(?:season\.csv: .*\n)+"club-events undo 1"/,
    );
    expect(imported.stderr).toContain(full);
    if (isLong) {
      expect((await run('undo 1')).stderr).toMatch(/1 event removed.*\n.*is full/);
      expect((await run('user add Rowing')).stderr).toBe(`Added club "Rowing".\n${full}\n`);
    }
    const keys = await callCommand(['--home', home.directory, 'key', 'list']);
    expect(keys.stdout).toMatch(/^2 +Chess +valid/m);
  });

  it('writes the result although stderr cannot be written', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const result = await runShell(home, 'ce key create --user Chess 2> /dev/full');
    expect(result.status).toBe(0);
    expect(result.stdout).toMatch(/^ce_/);
  });
});
