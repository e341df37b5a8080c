import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeAt } from '../../../server/base/home.ts';
import { nameClub } from '../../../server/cli/output.ts';
import texts from '../../../server/messages/en.json' with { type: 'json' };
import { callCommand } from '../../support/command.ts';
import { addMember, makeTestFolder } from '../../support/home.ts';
import { findRefusal, wordsOf } from '../../support/printed-commands.ts';
import { makeXlsx, rowsXml } from '../../support/workbook.ts';

type Remedy = {
  readonly file: string;
  readonly content: string | Uint8Array;
  /** Arguments with which the file is imported first. */
  readonly first?: readonly string[];
  /** The sentence that names the remedy, and the arguments that it names. */
  readonly says: string;
  readonly add: readonly string[];
  readonly events: number;
};

/** The next first of May. */
const nextMay = (() => {
  const today = new Date();
  const year =
    today.getFullYear() +
    (today.getMonth() > 4 || (today.getMonth() === 4 && today.getDate() > 1) ? 1 : 0);
  return `${year}-05-01`;
})();

const workbook = makeXlsx(
  [
    ['Datum', 'Titel'],
    ['1.9.2026', 'A'],
  ],
  {
    more: {
      Feste: rowsXml([
        ['Wann', 'Fest'],
        ['1.7.2027', 'B'],
      ]),
    },
  },
);

const remedies: Readonly<Record<string, Remedy>> = {
  'two columns with one heading': {
    file: 'plan.csv',
    content: 'Datum;Was;Datum\n1.5.2026;Fest;2.5.2026',
    says: 'plan.csv, row 1: the columns "A", "C" could both be the date; choose one with --map date=COLUMN, or write each event into a row of its own (nothing was imported).',
    add: ['--map', 'date=C'],
    events: 1,
  },
  'a heading that two columns have': {
    file: 'plan.csv',
    content: 'Datum;Was;Datum\n1.5.2026;Fest;2.5.2026',
    first: ['--map', 'date=Datum'],
    says: 'plan.csv, row 1: two columns are named "Datum"; choose one with --map date=COLUMN, of "A", "C" (nothing was imported).',
    add: ['--map', 'date=A'],
    events: 1,
  },
  'no column of names': {
    file: 'plan.csv',
    content: 'Datum;Rot;Blau\n1.5.2026;x1;y1\n2.5.2026;x2;y2',
    says: 'plan.csv, row 1: there is no column "name"; choose one with --map name=COLUMN, of "Datum", "Rot", "Blau" (nothing was imported).',
    add: ['--map', 'name=Rot'],
    events: 2,
  },
  'two columns that may be the teams of a match': {
    file: 'plan.csv',
    content: 'Data;Squadra casa;Squadra ospite\n17/10/2026;TV A;TV B\n18/10/2026;TV B;TV C',
    says: 'plan.csv, row 1: the columns "Squadra casa", "Squadra ospite" could both be the name, or the two teams of a match; choose one with --map name=COLUMN, or both with --map "name=Squadra casa+Squadra ospite" (nothing was imported).',
    add: ['--map', 'name=Squadra casa+Squadra ospite'],
    events: 2,
  },
  'a list in rounds without names': {
    file: 'plan.csv',
    content:
      '1. Spieltag: 05.09.2026;;\nTV A;TV B;x1\nTV C;TV D;x2\n2. Spieltag: 19.09.2026;;\nTV E;TV F;x3\nTV G;TV H;x4',
    says: 'plan.csv, row 1: there is no column "name"; choose one with --map name=COLUMN, of "A", "B", "C" (nothing was imported).',
    add: ['--map', 'name=A'],
    events: 4,
  },
  'an order of day and month that is not known': {
    file: 'plan.csv',
    content: 'Date,What\n01/02/2026,Run',
    says: 'plan.csv, row 2, "Date" (date): "01/02/2026" could begin with its day or its month, and no row of the column shows which; give the order with --date-order dmy or --date-order mdy (nothing was imported).',
    add: ['--date-order', 'mdy'],
    events: 1,
  },
  'dates without a year': {
    file: 'plan.csv',
    content: 'Datum;Was\n1.5.;Fest',
    says: `plan.csv, row 2, "Datum" (date): "1.5." has no year, and nothing in the file shows it; give the first day of the list with --from, such as --from ${nextMay} (nothing was imported).`,
    add: ['--from', nextMay],
    events: 1,
  },
  'one bad row': {
    file: 'plan.csv',
    content: 'Datum;Was\n1.5.2026;Fest\nbald;Lauf',
    says: 'plan.csv, row 3, "Datum" (date): "bald" was not understood as a date; write it like 2026-05-01, 2026-05-01T18:00 or 2026-05-01T18:00:00Z; to leave out such rows and events, add --skip-bad-rows (nothing was imported).',
    add: ['--skip-bad-rows'],
    events: 1,
  },
  'an unclear encoding': {
    file: 'plan.csv',
    content: Buffer.from('name,date\n\xe0scar,2026-05-01\n', 'latin1'),
    says: 'plan.csv: the file is not UTF-8 text, and its encoding is unclear; save it again as "CSV UTF-8", or give its encoding with --encoding NAME (nothing was imported).',
    add: ['--encoding', 'dos'],
    events: 1,
  },
  'a table in Markdown': {
    file: 'plan.md',
    content: '| Datum | Was |\n|---|:-:|\n| 1.5.2026 | Fest |\n',
    says: 'plan.md: this is a text file, not a workbook; if it is a table, give its format with --format csv (nothing was imported).',
    add: ['--format', 'csv'],
    events: 1,
  },
  'an ending that is not known': {
    file: 'plan.dat',
    content: 'Datum;Was\n1.5.2026;Fest',
    says: 'plan.dat does not end in .csv, .json, .ics, .xlsx, .ods; give the format with --format csv, json, ics, xlsx, ods.',
    add: ['--format', 'csv'],
    events: 1,
  },
  'a workbook with the name of a table': {
    file: 'plan.csv',
    content: workbook,
    says: 'plan.csv: this is a workbook; change the end of its name to .xlsx, or give its format with --format xlsx (nothing was imported).',
    add: ['--format', 'xlsx'],
    events: 1,
  },
  'a second sheet with events': {
    file: 'plan.xlsx',
    content: workbook,
    says: '"Feste" has events too, under other headings; import it with --sheet "Feste", or all with one --sheet NAME for each of "Termine", "Feste".',
    add: ['--sheet', 'Termine', '--sheet', 'Feste'],
    events: 1,
  },
};

it.each(Object.entries(remedies))(
  'the import of %s does what its sentence advises',
  async (_, { file, content, first = [], says, add, events }) => {
    const folder = makeTestFolder();
    const home = join(folder, 'home');
    await addMember(homeAt(home), 'Chess');
    const path = join(folder, file);
    writeFileSync(path, content);
    const run = (...args: readonly string[]) =>
      callCommand(['--home', home, 'import', path, '--user', 'Chess', ...args]);
    const { stderr } = await run(...first);
    expect(stderr.replaceAll(`${folder}/`, '')).toContain(says);
    const [option = '', value = ''] = add;
    expect(says).toContain(option);
    // A column, or one of the choices.
    const named = value.split('=').at(-1) ?? '';
    if (!says.includes('--encoding NAME')) expect(says).toContain(named);
    const others = first[0] === option ? [] : first;
    const { status, stdout } = await run(...others, ...add);
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`: ${events} events? added`));
  },
);

it.each([
  [
    'plan.xml',
    '<?xml version="1.0"?><Workbook/>',
    'this is an XML file; if it is a table, open it in Excel and save it as .xlsx (nothing',
  ],
  [
    'plan.csv',
    'Data;Ora;Squadra casa;Squadra ospite\nxyz 17/10/2026;21:00;A;B\nxyz 18/10/2026;21:00;B;C',
    'the columns "Squadra casa", "Squadra ospite" could both be the name, or the two teams of a match; choose one with --map name=COLUMN, or both with',
  ],
])('the refusal of %s says what is wrong', async (file, content, reason) => {
  const folder = makeTestFolder();
  const home = join(folder, 'home');
  await addMember(homeAt(home), 'Chess');
  writeFileSync(join(folder, file), content);
  const args = ['--home', home, 'import', join(folder, file), '--user', 'Chess'];
  expect((await callCommand(args)).stderr).toContain(reason);
});

it('a date with a weekday that is not known is refused by its cell', async () => {
  const folder = makeTestFolder();
  const home = join(folder, 'home');
  await addMember(homeAt(home), 'Chess');
  const path = join(folder, 'plan.csv');
  writeFileSync(path, 'Data;Squadra casa;Ora\nxyz 17/10/2026;A;21:00\nxyz 18/10/2026;B;21:00');
  const args = ['--home', home, 'import', path, '--user', 'Chess', '--map', 'name=Squadra casa'];
  const { stderr } = await callCommand(args);
  expect(stderr).toContain('row 2, "Data" (date): "xyz 17/10/2026" was not understood as a date');
});

describe('a command that an import prints', () => {
  /** Imports versions of a plan for a club, and runs the command that is then found in the notes. */
  async function runPrinted(plans: readonly string[], find: RegExp, id = '') {
    const folder = makeTestFolder();
    const home = join(folder, 'home');
    await addMember(homeAt(home), 'Chess Club');
    const call = (...args: readonly string[]) => callCommand(['--home', home, ...args]);
    let printed = '';
    for (const plan of plans) {
      writeFileSync(join(folder, 'plan.csv'), plan);
      printed = (await call('import', join(folder, 'plan.csv'), '--user', 'Chess Club')).stderr;
    }
    const command = find.exec(printed)?.[1] ?? printed;
    const { stderr } = await call(...wordsOf(command.replace(' ID ', ` ${id} `)));
    const { stdout } = await call('export', '--user', 'Chess Club', '--format', 'csv');
    return { stderr, rows: stdout.trim().split('\n').slice(1) };
  }

  it('adds the events of a course', async () => {
    const plan = 'Kurs;Start;Ende;Tag;Uhrzeit\nYoga & Co;11.01.2027;22.03.2027;Montag;18:00-19:30';
    const { stderr, rows } = await runPrinted([plan], /club-events (event add .*), and import/);
    expect(stderr).toMatch(/^Added 11 events/);
    expect(rows.every((row) => row.includes('Yoga & Co'))).toBe(true);
  });

  it('cancels an event that is no longer in the plan', async () => {
    const plan = 'Datum;Was\n1.5.2099;Fest\n2.5.2099;Lauf';
    const find = /'club-events (event cancel ID --user "Chess Club")' cancels/;
    const { stderr, rows } = await runPrinted([`${plan}\n3.5.2099;Ball`, plan], find, '3');
    expect(stderr).toMatch(/^Cancelled event 3/);
    expect(rows.find((row) => row.includes('Ball'))).toContain('cancelled');
  });

  it('has no name of a club or an event that a shell would change', () => {
    const sentence = 'See "club-events history --user NAME", or "club-events backup".';
    const named = (user: string) => nameClub(sentence, user);
    expect(named('Café_2')).toBe(
      'See "club-events history --user Café_2", or "club-events backup".',
    );
    expect(named('Rover’s Club')).toBe(
      `See 'club-events history --user "Rover’s Club"', or "club-events backup".`,
    );
    for (const user of ['$(id)', 'a`b', 'say "x"', '100 %', 'wow!', '-x', 'a\\b']) {
      expect(named(user)).toBe(sentence);
    }
  });
});

it('prints only commands that the program accepts', async () => {
  const folder = 'server/cli/results';
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const sentences = Object.values(texts).flatMap((section) => Object.values(section));
  const all = [...sources, ...sentences].flatMap((text) => [
    ...text.replaceAll(/\$\{[^}]*\}|\{\{[^}]*\}\}/g, 'X').matchAll(/[“"](club-events [^”"]*)[”"]/g),
  ]);
  const commands = [...new Set(all.map(([, command]) => command ?? ''))].filter(
    (command) => !command.startsWith('club-events X'),
  );
  expect(commands.length).toBeGreaterThan(40);
  const refused = commands.map(async (command) => [command, await findRefusal(command)]);
  expect((await Promise.all(refused)).filter(([, reason]) => reason !== undefined)).toEqual([]);
});
