import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command, Option } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { argumentsUsedAs, type CommandName, catalogue } from '../../../server/actions/catalogue.ts';
import { homeAt } from '../../../server/base/home.ts';
import { createProgram, valuesOf } from '../../../server/cli/program.ts';
import { listCodes } from '../../../server/messages/messages.ts';
import { callCommand } from '../../support/command.ts';
import { addMember, makeFolder, removeFolder } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { lacking } from '../../support/place.ts';
import { commandsIn, findRefusal, isGroup, wordsOf } from '../../support/printed-commands.ts';
import { createRandom } from '../../support/random.ts';

const club = 'Chess Club';
const folder = makeFolder();
const home = join(folder, 'home');
const at = (name: string) => join(folder, name);
const call = (...args: readonly string[]) => callCommand(['--home', home, ...args]);

/** A command line with one mistake, and the parts of it of which the sentence names one. */
type Mistake = {
  readonly line: readonly string[];
  readonly named: string;
  readonly value?: string;
};

const nowhere = { stdout: process.stdout, stderr: process.stderr, env: {} };

/** Lists the commands with their names, without groups. */
function leavesOf(command: Command, above = ''): readonly (readonly [string, Command])[] {
  return command.commands.flatMap((each) => {
    const name = `${above} ${each.name()}`.trim();
    const own = isGroup(each) ? [] : [[name, each] as const];
    return [...own, ...leavesOf(each, name)];
  });
}

const goodOperands: Readonly<Record<string, string>> = {
  name: club,
  new: 'Go',
  zone: 'Europe/Berlin',
  minutes: '90',
  month: '8',
  id: '1',
  file: at('season.csv'),
  address: at('plan.ics'),
  folder: at('folder'),
  shell: 'bash',
};

/** Options without which a command line is not complete. */
const companions: Readonly<Record<string, readonly string[]>> = {
  'event edit': ['--location', 'Hall'],
  'publish add': ['--to', at('new.ics'), '--format', 'ics'],
  export: ['--format', 'csv'],
  backup: ['--output', at('copy.sqlite')],
  'team change': ['--place', 'Hall'],
  except: ['--repeat', 'every Tue, 3 times'],
};

const goodOptions: Readonly<Record<string, string>> = {
  '--user': club,
  '--name': 'Run',
  '--date': '2027-05-01',
  '--words': 'Run',
};

const tooLong = 'x'.repeat(30_000);

/** Names of files that no command can read, with the part that the sentence names. */
const badFiles = [
  at('nothing.csv'),
  at('folder'),
  at('broken.csv'),
  at('season.csv/below.csv'),
  '',
  '-',
  'https://example.org/season.csv',
  ...(lacking('named pipes') === undefined ? [at('pipe.csv')] : []),
];

/** Names of files that no command can write. */
const badOutputs = [
  at('folder'),
  at('missing/season.csv'),
  at('season.csv/below.csv'),
  join(home, 'events.sqlite'),
  '',
  '-',
  'https://example.org/season.csv',
  ...(lacking('named pipes') === undefined ? [at('pipe.csv')] : []),
];

const wrongOperands: Readonly<Record<string, readonly string[]>> = {
  name: ['', tooLong],
  new: ['', tooLong],
  zone: ['Mars/Base', ''],
  minutes: ['0', 'many', ''],
  month: ['13', 'May', ''],
  id: ['abc', '424242', '1.5', ''],
  address: ['foo', 'ftp://example.org', '', at('nothing.ics')],
  folder: [at('missing'), ''],
  shell: ['csh', ''],
};

/** Values that an option refuses, by its flag or by the name of its value. */
const wrongValues: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^--user/, ['Nobody', '', tooLong]],
  [/^--host/, ['0.0.0.0']],
  [/^--rate/, ['many', '-1', '1000', '']],
  [/^--requests/, ['many', '-1', '1.5', '']],
  [/^--end/, ['soonish', '2027-02-30']],
  [/<(number|minutes|seconds)>$/, ['many', '-1', '1.5', '99999999999', '']],
  [/<(date|when|day)>$/, ['soonish', '2027-02-30', '']],
  [/zone>$/, ['Mars/Base', '']],
  [/^--encoding/, ['klingon', '']],
  [/^--map/, ['foo', 'name=Nothing', 'where=Place']],
  [/^--team/, ['Nobody']],
  [/^--language/, ['', 'no tag']],
  [/^--repeat/, ['sometimes', '']],
  [/^--exec/, [at('no-such-program')]],
  [/<url>$/, ['foo', 'ftp://example.org']],
  [/^--address/, ['foo', 'ftp://example.org']],
  [/<event\.\.\.>$/, ['abc', '424242', '']],
  [/^--(label|reason|prefix|filter|account|words|place)/, [tooLong]],
];

/** Returns the uses of the arguments of a command that are files. */
function filesOf(name: string, argument: string, option?: Option) {
  if (!Object.hasOwn(catalogue, name)) return undefined;
  const spec = catalogue[name as CommandName].command.options ?? [];
  const own = spec.find(({ flag }) => flag === option?.flags);
  const names = [own?.as ?? option?.attributeName() ?? argument, `${argument}s`];
  const isUsed = (...uses: Parameters<typeof argumentsUsedAs>[1][]) =>
    argumentsUsedAs(name as CommandName, ...uses).some((use) => names.includes(use));
  if (isUsed('output'))
    return name === 'export' ? badOutputs.filter((path) => path !== '-') : badOutputs;
  // A mirror also follows the file at an address.
  const isMirror = name === 'mirror set';
  return isUsed('file')
    ? badFiles.filter((path) => !(isMirror && /^https:/.test(path)))
    : undefined;
}

function mistakesOf(name: string, command: Command): readonly Mistake[] {
  const isTeam = /^team (change|remove)/.test(name);
  const arguments_ = command.registeredArguments;
  const operands = arguments_
    .filter(({ required }) => required || name === 'days-off add')
    .map((one) => (isTeam ? 'U15' : (goodOperands[one.name()] ?? '')));
  const required = command.options.filter(({ mandatory }) => mandatory);
  const compose = (own: readonly string[], without?: Option, more: readonly string[] = []) => [
    ...name.split(' '),
    ...own,
    ...required
      .filter((option) => option !== without)
      .flatMap(({ long }) => [long ?? '', goodOptions[long ?? ''] ?? '']),
    ...(companions[name] ?? []).filter((_, index, all) => {
      const flag = all[index - (index % 2)];
      return flag !== without?.long && command.options.some(({ long }) => long === flag);
    }),
    ...more,
  ];
  const structure: Mistake[] = [
    { line: compose(operands, undefined, ['--bogus']), named: '--bogus' },
    ...required.map((option) => ({ line: compose(operands, option), named: option.long ?? '' })),
    ...operands.map((_, index) => ({
      line: compose(operands.slice(0, index)),
      named: arguments_[index]?.name() ?? '',
    })),
    ...(arguments_.at(-1)?.variadic
      ? []
      : [{ line: compose([...operands, '1', '2', 'extra']), named: 'extra' }]),
  ];
  const options = command.options
    .filter((option) => option.required)
    .flatMap((option) => {
      const flag = option.long ?? '';
      const only = valuesOf(option) === undefined ? undefined : ['bogus', ''];
      const found = wrongValues.find(([pattern]) => pattern.test(option.flags))?.[1];
      const values = only ?? filesOf(name, '', option) ?? found ?? [];
      const more = companions[option.name()] ?? [];
      return [
        { line: compose(operands, option, [flag]), named: flag },
        ...values.map((value) => ({
          line: compose(operands, option, [...more, flag, value]),
          named: flag,
          value,
        })),
      ];
    });
  const wrong = arguments_.flatMap((argument, index) =>
    (filesOf(name, argument.name()) ?? wrongOperands[argument.name()] ?? []).map((value) => ({
      line: compose([...operands.slice(0, index), value, ...operands.slice(index + 1)]),
      named: argument.name(),
      value,
    })),
  );
  const all = [...structure, ...options, ...wrong];
  // A hub needs its server, and a proposal a copy of a club.
  return /^(hub|proposal|mirror add-ids)\b/.test(name) ? structure : all;
}

/** Mistakes that no single option makes. */
const others: readonly Mistake[] = [
  { line: ['evnt', 'add'], named: 'evnt' },
  { line: ['event', 'ad'], named: 'ad' },
  { line: ['event'], named: 'these commands' },
  { line: ['mirror', 'key'], named: 'these commands' },
  { line: ['help', 'evnt'], named: 'evnt' },
  { line: ['help', 'event', 'ad'], named: 'ad' },
  { line: ['serve', '--demo', '--hub'], named: '--hub' },
  { line: ['mcp', '--bundle', ''], named: 'output' },
  { line: ['mcp', '--bundle', at('folder')], named: at('folder') },
  { line: ['watch', 'x', '--user', club], named: '--exec' },
  {
    line: ['days-off', 'add', at('plan.ics'), '--url', 'https://example.org/a.ics', '--user', club],
    named: '--url',
  },
  { line: ['days-off', 'add', '--user', club], named: '--url' },
  { line: ['mirror', 'set', '--user', club], named: '--url' },
  {
    line: [
      'mirror',
      'set',
      '--user',
      club,
      '--url',
      'https://example.org',
      '--file',
      at('plan.json'),
    ],
    named: '--file',
  },
  { line: ['publish', 'add', '--user', club], named: '--to' },
  {
    line: [
      'publish',
      'add',
      '--user',
      club,
      '--to',
      at('a.ics'),
      '--dav',
      'https://example.org/a.ics',
    ],
    named: '--dav',
  },
  {
    line: [
      'follow',
      'change',
      '1',
      '--address',
      'https://example.org/a.ics',
      '--file',
      at('plan.ics'),
    ],
    named: '--file',
  },
  { line: ['follow', 'answer', '1', '--cancel', '1', '--keep', '1'], named: '1' },
  { line: ['follow', 'answer', '1'], named: '--cancel' },
  { line: ['proposal', 'answer', '--user', club], named: '--accept' },
  { line: ['event', 'edit', '1', '--user', club], named: '--date' },
  {
    line: [
      'event',
      'add',
      '--user',
      club,
      '--name',
      'A',
      '--date',
      '1 May 2027',
      '--except',
      '2 May 2027',
    ],
    named: '--repeat',
  },
  {
    line: ['event', 'add', '--user', club, '--name', 'A', '--date', '5/4/2027'],
    named: '5/4/2027',
  },
  {
    line: ['event', 'add', '--user', club, '--name', 'A', '--date', 'Sun 1 May 2027'],
    named: '--date',
  },
  {
    line: ['import', at('season.csv'), '--user', club, '--map', 'name=name', '--map', 'name=date'],
    named: '--map',
  },
  { line: ['export', '--user', club, '--output', at('season.xyz')], named: '--format' },
  { line: ['--home', '', 'user', 'list'], named: '--home' },
  { line: ['--home=', 'user', 'list'], named: '--home' },
];

const mistakes = new Map(
  leavesOf(createProgram(nowhere)).map(([name, command]) => [name, mistakesOf(name, command)]),
);

/** Writes a line as a person types it, for the failure of a test. */
const shown = (line: readonly string[]) =>
  line
    .map((word) => (/^[^\s"]+$/.test(word) ? word : JSON.stringify(word)).slice(0, 80))
    .join(' ')
    .replaceAll(folder, '~');

const changes = async () => [
  (await call('user', 'list')).stdout,
  (await call('key', 'list')).stdout,
  (await call('team', 'list', '--user', club)).stdout,
  (await call('history', '--user', club)).stdout,
  (await call('publish', 'list')).stdout,
  (await call('follow', 'list')).stdout,
  readdirSync(folder),
];

let before: readonly unknown[];

const codes = new Set(listCodes().codes.map(({ code }) => code));

beforeAll(async () => {
  await addMember(homeAt(home), club);
  writeFileSync(at('season.csv'), 'name,date\nRun,2027-05-01\n');
  const event = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270101T180000Z\r\nSUMMARY:Run\r\nEND:VEVENT';
  const calendar = `BEGIN:VCALENDAR\r\n${event}\r\nEND:VCALENDAR\r\n`;
  for (const name of ['plan.ics', 'followed.ics']) writeFileSync(at(name), calendar);
  mkdirSync(at('folder'));
  symlinkSync('nowhere.csv', at('broken.csv'));
  if (lacking('named pipes') === undefined) execFileSync('mkfifo', [at('pipe.csv')]);
  for (const line of [
    ['import', at('season.csv'), '--user', club],
    ['team', 'add', 'U15', '--user', club, '--words', 'Run'],
    ['key', 'create', '--user', club],
    ['publish', 'add', '--user', club, '--to', at('dates.ics')],
    ['follow', 'add', at('followed.ics'), '--user', club],
  ]) {
    expect(await call(...line)).toMatchObject({ status: 0 });
  }
  before = await changes();
});

afterAll(() => removeFolder(folder));

/** Returns what is wrong with the answer to a mistake; undefined if nothing is. */
async function findFault({ line, named, value = named }: Mistake): Promise<string | undefined> {
  const { status, stdout, stderr } = await call('--json', ...line);
  const sentence = stderr.trimEnd();
  const fault = (what: string) => `${shown(line)}\n  ${what}: ${status} ${sentence}${stdout}`;
  if (status !== 1 && status !== 2) return fault('status');
  const { error } = JSON.parse(stdout || '{}');
  // The help of a group is above it.
  const isWhole = error?.code === 'command_missing' || error?.detail === sentence;
  if (!isWhole || !sentence.endsWith(error.detail)) return fault('not one sentence');
  if (!codes.has(error.code) || error.code === 'internal') return fault('not a listed code');
  if (
    !/[.)?]$/.test(sentence) ||
    /please report| at .*\.ts|\{\{|undefined|\[obj|[“”]/.test(sentence)
  )
    return fault('wording');
  const given = [named, value === '' ? '""' : (basename(value).split('=').at(-1) ?? '')];
  if (value.includes('/')) given.push(basename(dirname(value)));
  if (value.length > 60) given.push(value.slice(0, 60));
  const plain = commandsIn(sentence).reduce((text, one) => text.replace(one, ''), sentence);
  if (!given.some((text) => plain.includes(text))) return fault('names nothing');
  for (const command of commandsIn(sentence)) {
    const refusal = await findRefusal(command);
    if (refusal !== undefined) return fault(`${command}: ${refusal}`);
    const name = Object.keys(catalogue).find((one) => command.startsWith(`club-events ${one}`));
    const isRead = name !== undefined && catalogue[name as CommandName].effect === 'read';
    if (!isRead || /\b[A-Z]{2,}\b/.test(command)) continue;
    const repaired = await call(...wordsOf(command).slice(1));
    if (repaired.status !== 0) return fault(`${command}: ${repaired.stderr}`);
  }
  return undefined;
}

/** Chooses the mistakes of a command: all of them, or some by a seed. */
function chosenOf(all: readonly Mistake[], seed: number): readonly Mistake[] {
  const random = createRandom(seed);
  return choose(
    all,
    all.filter(() => random(3) === 0),
  );
}

it.each(
  [...mistakes.entries(), ['others', others] as const].map(([name, all], seed) => ({
    name,
    all,
    seed,
  })),
)(
  'says of each wrong command line of $name what is wrong and what to do',
  async ({ name, all, seed }) => {
    const faults: string[] = [];
    for (const mistake of name === 'others' ? all : chosenOf(all, seed)) {
      const fault = await findFault(mistake);
      if (fault !== undefined) faults.push(fault);
    }
    expect(faults).toEqual([]);
  },
);

it('changes nothing for wrong command lines', async () => {
  expect(await changes()).toEqual(before);
});
