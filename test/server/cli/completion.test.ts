import { execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { composeManPage } from '../../../server/cli/man-page.ts';
import { createProgram } from '../../../server/cli/program.ts';
import { callCommand, runCommand } from '../../support/command.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { serveForTest } from '../../support/service.ts';

const execute = promisify(execFile);

/** Command lines up to the cursor, each with some words that a shell completes and one that it does not. */
const lines = [
  ['club-events ', ['serve', 'user', 'import', 'mcp'], 'add'],
  ['club-events us', ['user'], 'serve'],
  ['club-events user ', ['add', 'list', 'rename', 'remove'], 'serve'],
  ['club-events --home /tmp --json user r', ['rename', 'remove'], 'add'],
  ['club-events --home user ', ['serve', 'user'], 'add'],
  ['club-events event add --status ', ['draft', 'cancelled'], 'open'],
  ['club-events export --user user --f', ['--format'], '--user'],
  ['club-events mirror key ', ['add', 'change'], 'set'],
  ['club-events completion ', ['bash', 'zsh', 'fish', 'powershell'], 'serve'],
  ['club-events import sea', ['season.csv'], 'import'],
] as const;

/** Makes a folder with a file to complete and the script of a shell. */
async function prepare(shell: string): Promise<string> {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'season.csv'), '');
  const { stdout } = await callCommand(['completion', shell]);
  writeFileSync(join(folder, `completion.${shell}`), stdout);
  return folder;
}

/** Skips the running test on a machine without a shell. */
async function requireShell(context: TestContext, shell: string) {
  const found = await execute(shell, ['--version']).catch((error: Error) => error);
  if (found instanceof Error) context.skip(`${shell} does not run here: ${found.message}`);
}

function expectWords(found: readonly string[], [line, words, other]: (typeof lines)[number]) {
  expect(found, line).toEqual(expect.arrayContaining([...words]));
  expect(found, line).not.toContain(other);
}

describe('completion', () => {
  it('works in bash', async (context) => {
    requirePlace(context, 'a Unix shell');
    const folder = await prepare('bash');
    const calls = lines.map(([line]) => {
      const words = line.split(' ').map((word) => `'${word}'`);
      return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _club_events; echo "\${COMPREPLY[*]}"`;
    });
    const script = ['source ./completion.bash', 'IFS=" "', ...calls].join('\n');
    const { stdout } = await execute('bash', ['-c', script], { cwd: folder });
    const answers = stdout.split('\n');
    for (const [at, line] of lines.entries()) expectWords((answers[at] ?? '').split(' '), line);
  });

  it('completes the value after "=" in an interactive bash', async (context) => {
    requirePlace(context, 'a Unix shell');
    // It gives the shell a terminal.
    await requireShell(context, 'script');
    const folder = await prepare('bash');
    const cases = [
      ['event add --status=a', '<event><add><--status=active>'],
      ['import --format=o', '<import><--format=ods>'],
      ['export --output=sea', '<export><--output=season.csv>'],
      ['--home=user ser', '<--home=user><serve>'],
      ['event add --status=active --regis', '<--status=active><--registration>'],
    ] as const;
    const shell = "PS1='READY>' bash --norc --noprofile -i";
    const child = spawn('script', ['-qec', shell, '/dev/null'], { cwd: folder });
    onTestFinished(() => void child.kill());
    const print = 'club-events() { printf "<%s>" "$@"; }; source ./completion.bash';
    const typed = [print, ...cases.map(([line]) => `club-events ${line}\t`), 'exit'];
    let shown = '';
    for await (const piece of child.stdout.setEncoding('utf8')) {
      shown += piece;
      // Before its prompt, the shell would take the tab for a blank.
      if (String(shown).endsWith('READY>')) child.stdin.write(`${typed.shift() ?? 'exit'}\n`);
    }
    for (const [, words] of cases) expect(shown).toContain(words);
  });

  it('works in fish', async (context) => {
    await requireShell(context, 'fish');
    const folder = await prepare('fish');
    for (const line of lines) {
      const script = `source ./completion.fish; complete -C '${line[0]}'`;
      const { stdout } = await execute('fish', ['-c', script], { cwd: folder });
      expectWords(
        stdout.split('\n').map((answer) => answer.split('\t')[0] ?? ''),
        line,
      );
    }
  });

  it('is well-formed in zsh', async (context) => {
    await requireShell(context, 'zsh');
    const folder = await prepare('zsh');
    await execute('zsh', ['-n', 'completion.zsh'], { cwd: folder });
  });

  it('works in PowerShell', async (context) => {
    await requireShell(context, 'pwsh');
    const folder = await prepare('powershell');
    for (const line of lines.slice(0, -1)) {
      const script = `. ./completion.powershell.ps1; (TabExpansion2 '${line[0]}').CompletionMatches.CompletionText`;
      const text = (await callCommand(['completion', 'powershell'])).stdout;
      writeFileSync(join(folder, 'completion.powershell.ps1'), text);
      const { stdout } = await execute('pwsh', ['-NoProfile', '-c', script], { cwd: folder });
      expectWords(stdout.split(/\r?\n/), line);
    }
  });
});

describe('help', () => {
  const say = async (...args: readonly string[]) => (await callCommand(args)).stdout;

  it.each(['user add', 'mirror key add', 'user', 'serve'])('of "%s" is its own', async (name) => {
    const own = await say(...name.split(' '), '--help');
    expect(own).toContain(`Usage: club-events ${name} `);
    expect(await say('help', ...name.split(' '))).toBe(own);
  });

  it('without a command is that of the program', async () => {
    expect(await say('help')).toBe(await say('--help'));
  });

  it('lists every code of a failure and of a finding, each with its sentence', async () => {
    const { codes, findings } = JSON.parse(await say('help', 'codes', '--json'));
    const names = codes.map(({ code }: { readonly code: string }) => code);
    expect(names).toEqual(expect.arrayContaining(['file_missing', 'usage_wrong', 'wait_invalid']));
    expect(new Set(names).size).toBe(names.length);
    // Words of the command line for a part of a sentence.
    expect(names).not.toContain('date_not_understood');
    expect(codes).toContainEqual({
      code: 'user_unknown',
      detail:
        'There is no club "USER"; see "club-events user list", or add it with "club-events user add NAME".',
    });
    expect(findings).toContainEqual({
      code: 'key_none',
      detail: 'There is no key yet, and scripts need one.',
      remedy: 'Create one with "club-events key create --user NAME".',
    });
    const text = await say('help', 'codes');
    expect(text).toContain('\n  wait_invalid: --wait: "TEXT" is not a whole number');
    expect(text).not.toMatch(/\{\{|[“”]/);
  });
});

describe('the manual page', () => {
  const page = composeManPage(
    createProgram({ stdout: process.stdout, stderr: process.stderr, env: {} }),
    '1.2.3',
  );

  it('has every command with its examples', () => {
    const plain = page.replaceAll('\\-', '-');
    for (const text of ['.SS serve [options]', '.SS mirror key add', '.SS mcp [options]']) {
      expect(plain).toContain(text);
    }
    expect(plain).toContain('club-events event edit 7 --user "Chess Club"');
  });

  it('has the files of the data directory, and the environment', () => {
    const [, files = ''] = /\.SH FILES\n(.*?)\.SH/s.exec(page) ?? [];
    for (const name of ['events.sqlite', 'backups', 'logs']) expect(files).toContain(name);
    const [, environment = ''] = /\.SH ENVIRONMENT\n(.*?)\.SH/s.exec(page) ?? [];
    for (const name of ['CLUB_EVENTS_HOME', 'TZ', 'HTTPS_PROXY']) {
      expect(environment).toContain(`.B ${name}\n`);
    }
  });

  it('is accepted by man', async (context) => {
    await requireShell(context, 'man');
    const path = join(makeTestFolder(), 'club-events.1');
    writeFileSync(path, page);
    const env = { ...process.env, MANWIDTH: '80' };
    const { stdout, stderr } = await execute('man', ['--warnings', '-l', path], { env });
    expect(stderr).toBe('');
    expect(stdout).toContain('EXIT STATUS');
  });
});

describe('url --wait', () => {
  beforeEach((context) => requirePlace(context, 'signals'));

  it('waits for a service that starts, and prints its address', async () => {
    const home = makeTestHome();
    const waiting = runCommand(['--home', home.directory, 'url', '--wait', '60']);
    const { baseUrl } = await serveForTest(home);
    expect(await waiting).toEqual({ status: 0, stdout: `${baseUrl}\n`, stderr: '' });
  });

  it('ends with status 1 without a service, and refuses a wrong number', async () => {
    const home = makeTestHome();
    const call = (...args: string[]) => callCommand(['--home', home.directory, 'url', ...args]);
    const late = await call('--wait', '1');
    expect(late.status).toBe(1);
    expect(late).toEqual(await call());
    const { status, stdout } = await call('--wait', 'soon', '--json');
    expect([status, JSON.parse(stdout).error.code]).toEqual([2, 'wait_invalid']);
  });
});

it.each([
  ['user list --bogus --json', 'usage_wrong'],
  ['--json nonsense', 'usage_wrong'],
  ['key create --json', 'usage_wrong'],
  ['user --json', 'command_missing'],
  ['serve --port abc --json', 'port_invalid'],
  ['completion csh --json', 'usage_wrong'],
])('answers "%s" in JSON', async (line, code) => {
  const { status, stdout } = await callCommand(line.split(' '));
  expect([status, JSON.parse(stdout).error.code]).toEqual([2, code]);
});
