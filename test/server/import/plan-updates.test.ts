import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import type { ActionInput } from '../../../server/actions/bridge.ts';
import type { ActionName, ActionResult } from '../../../server/actions/catalogue.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { calendar, event } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { makeXlsx } from '../../support/workbook.ts';

/** A plan is imported, something happens, and the plan comes again: the events as a secretary would have them. */

const user = 'Chess';
const timeZone = 'Europe/Berlin';
const today = '2026-11-25';

const counted = ['added', 'changed', 'moved', 'unchanged', 'skipped', 'missing', 'kept'] as const;
type Counts = Readonly<Record<(typeof counted)[number], number>>;

type Files = Readonly<Record<string, string | Uint8Array>>;
type Import = {
  /** Files of a download; they get the number of their step, as a browser numbers them. */
  readonly files: Files | ((club: Club) => Promise<Files>);
  readonly moved?: 'move' | 'add';
};
type Step = Import | ((club: Club) => Promise<unknown>);
type Club = ReturnType<typeof openClub>;

function openClub() {
  const home = makeTestHome();
  const folder = makeTestFolder();
  let now = today;
  const pieces: string[] = [];
  const tools = {
    ...thisMachine,
    home,
    now: () => new Date(`${now}T12:00:00.000Z`),
    systemTimeZone: () => timeZone,
    write: async (piece: string | Uint8Array) => void pieces.push(String(piece)),
    onProgress: () => undefined,
  };
  function perform<Name extends ActionName>(name: Name, args: ActionInput<Name>) {
    return catalogue[name].perform(args, tools) as Promise<ActionResult<Name>>;
  }
  async function readEvents(club = user): Promise<readonly StoredEvent[]> {
    pieces.length = 0;
    await perform('export', { user: club, format: 'json' });
    return JSON.parse(pieces.join('')).events;
  }
  const written = new Map<Import, Promise<string[]>>();
  async function writeFiles({ files }: Import): Promise<string[]> {
    const contents = typeof files === 'function' ? await files(club) : files;
    return Object.entries(contents).map(([name, content]) => {
      const path = join(folder, name.replace('.', ` (${written.size}).`));
      writeFileSync(path, content);
      return path;
    });
  }
  async function importPlan(step: Import, dryRun = false) {
    const paths = written.get(step) ?? writeFiles(step);
    written.set(step, paths);
    const answer: object = step.moved ? { moved: step.moved } : {};
    const report = await perform('import', { user, files: await paths, dryRun, ...answer });
    const files: readonly Partial<Counts>[] = report.files;
    const counts = Object.fromEntries(
      counted.map((key) => [key, files.reduce((sum, file) => sum + (file[key] ?? 0), 0)]),
    );
    return { counts, batch: report.batch };
  }
  const undo = async (id?: number) => {
    const [last] = (await perform('history', { user })).history;
    await perform('undo', { id: id ?? last?.id ?? 0 });
  };
  async function setNow(day: string): Promise<void> {
    now = day;
  }
  const club = { home, perform, readEvents, importPlan, undo, setNow };
  return club;
}

const clock = new Intl.DateTimeFormat('sv-SE', {
  ...({ dateStyle: 'short', timeStyle: 'short' } as const),
  timeZone,
});

/** Writes an event as one line; both dashes between two teams are the same to a reader. */
function lineOf({ name, date, location, status, description }: StoredEvent): string {
  const when = clock.format(new Date(date)).replace(' 00:00', '');
  return [
    `${when} ${name.replace(' - ', ' – ')}`,
    ...(location ? [`@${location}`] : []),
    ...(status === 'active' ? [] : [`(${status})`]),
    ...(description === null ? [] : [`| ${description.replaceAll('\n', ' / ')}`]),
  ].join(' ');
}

/** Lists the events by day, with an id only where the expected line has one. */
function linesOf(events: readonly StoredEvent[], expected: readonly string[]): readonly string[] {
  const parts = expected.map((line) => /^(#\d+ )?(.*)/.exec(line) ?? []);
  const withId = new Set(parts.flatMap(([, id, line]) => (id ? [line] : [])));
  return events
    .map((one) => ({ id: one.id, line: lineOf(one) }))
    .toSorted((a, b) => (a.line < b.line ? -1 : a.line > b.line ? 1 : a.id - b.id))
    .map(({ id, line }) => (withId.has(line) ? `#${id} ${line}` : line));
}

const table = (name: string, head: string) => {
  return (...rows: readonly string[]): Import => ({
    files: { [name]: [head, ...rows].join('\n') },
  });
};
const plan = table('Spielplan.csv', 'Datum;Zeit;Heim;Gast;Ort');
const withStatus = table('Spielplan.csv', 'Datum;Zeit;Heim;Gast;Ort;Status');
const handball = table('Handball.csv', 'Spielnummer;Datum;Zeit;Heim;Gast;Ort');
const volleyball = table('Volleyball.csv', 'Spielnummer;Datum;Zeit;Heim;Gast;Ort');
const cricket = table('fixtures.csv', 'Match No.,Date,Time,Home,Away,Venue');
const programme = table('Programm.csv', 'Datum;Uhrzeit;Veranstaltung;Ort');
const withEnds = table('Programm.csv', 'Datum;Beginn;Ende;Veranstaltung;Ort');

type CalendarEvent = readonly [uid: string, start: string, name: string, ...lines: string[]];

/** Writes starts such as `20270109`, `20270109T170000Z` or, on the clock of the club, `20270109T180000`. */
function ics(...events: readonly CalendarEvent[]): Import {
  const startOf = (start: string) => {
    if (start.length === 8) return `DTSTART;VALUE=DATE:${start}`;
    return start.endsWith('Z') ? `DTSTART:${start}` : `DTSTART;TZID=${timeZone}:${start}`;
  };
  const texts = events.map(([uid, start, name, ...lines]) =>
    event(`UID:${uid}`, startOf(start), `SUMMARY:${name}`, 'LOCATION:Halle', ...lines),
  );
  return { files: { 'calendar.ics': calendar(...texts) } };
}

const json = (...events: readonly object[]): Import => ({
  files: { 'events.json': JSON.stringify({ events }) },
});

const together = (...imports: readonly Import[]): Import => ({
  files: Object.assign({}, ...imports.map(({ files }) => files)),
});

const answered = (moved: 'move' | 'add', step: Import): Import => ({ ...step, moved });

/** Exports the club with its ids, edits the copy and imports it. */
const copy = (edit: (event: StoredEvent) => Partial<StoredEvent>): Import => ({
  async files({ readEvents }) {
    const events = await readEvents();
    return {
      'copy.json': JSON.stringify({ events: events.map((one) => ({ ...one, ...edit(one) })) }),
    };
  },
});

function laterBy(days: number, { date }: StoredEvent) {
  return { date: new Date(Date.parse(date) + days * 86_400_000).toISOString() };
}

const on =
  (day: string): Step =>
  ({ setNow }) =>
    setNow(day);
const undo: Step = (club) => club.undo();
const byHand =
  (name: string, date: string, location: string, days?: string[]): Step =>
  (club) =>
    club.perform('event add', { user, event: { name, date, location }, ...(days && { days }) });
const edit =
  (id: number, changes: ActionInput<'event edit'>['changes']): Step =>
  (club) =>
    club.perform('event edit', { user, id, changes });
const cancel =
  (id: number): Step =>
  (club) =>
    club.perform('event cancel', { user, id });

/** Two matches that stay as they are while another one changes. */
const rest = ['16.01.2027;18:00;SC C;SC D;Halle', '24.01.2027;11:00;VfL E;VfL F;Arena'] as const;
const restLines = [
  '#2 2027-01-16 18:00 SC C – SC D @Halle',
  '#3 2027-01-24 11:00 VfL E – VfL F @Arena',
] as const;
const first = plan('09.01.2027;15:00;TV A;TV B;Halle', ...rest);
const firstLine = '#1 2027-01-09 15:00 TV A – TV B @Halle';

const tuesdays = (time: string, ...days: readonly string[]) =>
  days.map((day) => `${day};${time};Training;Halle`);

const lastSeason = [
  on('2025-11-01'),
  plan(
    '06.12.2025;15:00;TV A;TV B;Halle',
    '13.12.2025;18:00;SC C;TV A;Arena',
    '10.01.2026;15:00;TV A;VfL E;Halle',
  ),
  on(today),
];
const lastSeasonLines = [
  '#1 2025-12-06 15:00 TV A – TV B @Halle',
  '#2 2025-12-13 18:00 SC C – TV A @Arena',
  '#3 2026-01-10 15:00 TV A – VfL E @Halle',
];
const thisSeason = plan(
  '05.12.2026;15:00;TV A;TV B;Halle',
  '12.12.2026;18:00;SC C;TV A;Arena',
  '09.01.2027;15:00;TV A;VfL E;Halle',
);
const thisSeasonLines = [
  '2026-12-05 15:00 TV A – TV B @Halle',
  '2026-12-12 18:00 SC C – TV A @Arena',
  '2027-01-09 15:00 TV A – VfL E @Halle',
];

const withIds = table('Termine.csv', 'ID;Datum;Was');
const lastYear = [
  on('2025-12-01'),
  withIds('1;09.01.2026;Lauf', '2;10.02.2026;Ball'),
  on(today),
] as const;
const thisYear = (day: string) => withIds(`1;${day};Lauf`, '2;09.02.2027;Ball');
const lastAndThisYear = (day: string) => [
  '#1 2026-01-09 Lauf',
  '#2 2026-02-10 Ball',
  `#3 ${day} Lauf`,
  '#4 2027-02-09 Ball',
];

type Case = {
  readonly title: string;
  readonly steps: readonly Step[];
  /** The events by day; `#7` is an id that must have stayed. */
  readonly state: readonly string[];
  /** Counts of the last import; those that are left out are 0. */
  readonly report?: Partial<Counts>;
  /** The code with which the last import is refused. */
  readonly refused?: string;
};

const cases: readonly Case[] = [
  // Days and times
  {
    title: 'a time that was open is given',
    steps: [plan('09.01.2027;tba;TV A;TV B;Halle', ...rest), first],
    state: [firstLine, ...restLines],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'a place and a time that were open are given',
    steps: [plan('09.01.2027;;TV A;TV B;', ...rest), first],
    state: [firstLine, ...restLines],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'a match is later in the evening, one on the next day, and one two weeks later',
    steps: [
      plan(
        '09.01.2027;18:00;TV A;TV B;Halle',
        '16.01.2027;18:00;SC C;TV A;Arena',
        '23.01.2027;18:00;TV A;VfL E;Halle',
        '30.01.2027;18:00;TV A;FC G;Halle',
      ),
      plan(
        '09.01.2027;19:30;TV A;TV B;Halle',
        '17.01.2027;11:00;SC C;TV A;Arena',
        '30.01.2027;18:00;TV A;FC G;Halle',
        '06.02.2027;18:00;TV A;VfL E;Halle',
      ),
    ],
    state: [
      '#1 2027-01-09 19:30 TV A – TV B @Halle',
      '#2 2027-01-17 11:00 SC C – TV A @Arena',
      '#4 2027-01-30 18:00 TV A – FC G @Halle',
      '#3 2027-02-06 18:00 TV A – VfL E @Halle',
    ],
    report: { moved: 3, unchanged: 1 },
  },
  {
    title: 'a match is moved by the second and again by the third file',
    steps: [
      first,
      plan('13.01.2027;19:30;TV A;TV B;Halle', ...rest),
      plan('03.02.2027;20:00;TV A;TV B;Halle', ...rest),
    ],
    state: [...restLines, '#1 2027-02-03 20:00 TV A – TV B @Halle'],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'an older version of the file comes again after the newer one',
    steps: [first, plan('13.01.2027;19:30;TV A;TV B;Halle', ...rest), first],
    state: [firstLine, ...restLines],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'the same file comes twice',
    steps: [first, { ...first }],
    state: [firstLine, ...restLines],
    report: { unchanged: 3 },
  },
  {
    title: 'matches are moved, dropped, added and left as they were in one file',
    steps: [
      plan(
        '05.12.2026;15:00;TV A;TV B;Halle',
        '12.12.2026;15:00;SC C;TV A;Arena',
        '09.01.2027;15:00;TV A;SC D;Halle',
        '16.01.2027;15:00;VfL E;TV A;Sportpark',
        '23.01.2027;15:00;TV A;VfL F;Halle',
      ),
      plan(
        '05.12.2026;15:00;TV A;TV B;Halle',
        '13.12.2026;11:00;SC C;TV A;Arena',
        '09.01.2027;17:00;TV A;SC D;Halle',
        '23.01.2027;15:00;TV A;VfL F;Halle',
        '30.01.2027;15:00;FC G;TV A;Arena',
      ),
    ],
    state: [
      '#1 2026-12-05 15:00 TV A – TV B @Halle',
      '#2 2026-12-13 11:00 SC C – TV A @Arena',
      '#3 2027-01-09 17:00 TV A – SC D @Halle',
      '#4 2027-01-16 15:00 VfL E – TV A @Sportpark',
      '#5 2027-01-23 15:00 TV A – VfL F @Halle',
      '#6 2027-01-30 15:00 FC G – TV A @Arena',
    ],
    report: { moved: 2, unchanged: 2, added: 1, missing: 1 },
  },
  {
    title: 'two matches exchange their days',
    steps: [
      first,
      plan('16.01.2027;18:00;TV A;TV B;Halle', '09.01.2027;15:00;SC C;SC D;Halle', rest[1]),
    ],
    state: [
      '#2 2027-01-09 15:00 SC C – SC D @Halle',
      '#1 2027-01-16 18:00 TV A – TV B @Halle',
      restLines[1],
    ],
    report: { moved: 2, unchanged: 1 },
  },
  {
    title: 'two matches of the same teams on one day are both half an hour later',
    steps: [
      plan('12.12.2026;10:00;TV A;TV B;Halle', '12.12.2026;12:00;TV A;TV B;Halle'),
      plan('12.12.2026;10:30;TV A;TV B;Halle', '12.12.2026;12:30;TV A;TV B;Halle'),
    ],
    state: ['#1 2026-12-12 10:30 TV A – TV B @Halle', '#2 2026-12-12 12:30 TV A – TV B @Halle'],
    report: { moved: 2 },
  },
  {
    title: 'a match that was off yesterday is postponed',
    steps: [
      on('2026-11-01'),
      plan('24.11.2026;19:00;TV A;TV B;Halle', ...rest),
      on(today),
      plan('08.12.2026;19:00;TV A;TV B;Halle', ...rest),
    ],
    state: ['#1 2026-12-08 19:00 TV A – TV B @Halle', ...restLines],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'a plan has only the matches that remain, one of them on another day',
    steps: [
      on('2026-10-01'),
      plan(
        '14.11.2026;15:00;TV A;TV B;Halle',
        '21.11.2026;15:00;SC C;TV A;Arena',
        '05.12.2026;15:00;TV A;VfL E;Halle',
        '12.12.2026;15:00;FC G;TV A;Arena',
      ),
      on(today),
      plan('05.12.2026;15:00;TV A;VfL E;Halle', '13.12.2026;15:00;FC G;TV A;Arena'),
    ],
    state: [
      '#1 2026-11-14 15:00 TV A – TV B @Halle',
      '#2 2026-11-21 15:00 SC C – TV A @Arena',
      '#3 2026-12-05 15:00 TV A – VfL E @Halle',
      '#4 2026-12-13 15:00 FC G – TV A @Arena',
    ],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a match that is over has its result in a new column',
    steps: [
      plan('21.11.2026;15:00;TV A;TV B;Halle', ...rest),
      table('Spielplan.csv', 'Datum;Zeit;Heim;Gast;Ort;Ergebnis')(
        '21.11.2026;15:00;TV A;TV B;Halle;28:25',
        ...rest.map((row) => `${row};`),
      ),
    ],
    state: ['#1 2026-11-21 15:00 TV A – TV B @Halle', ...restLines],
    report: { unchanged: 3 },
  },

  // Cancelled, and no longer there
  {
    title: 'the file cancels a match',
    steps: [
      withStatus('09.01.2027;15:00;TV A;TV B;Halle;', ...rest.map((row) => `${row};`)),
      withStatus('09.01.2027;15:00;TV A;TV B;Halle;abgesagt', ...rest.map((row) => `${row};`)),
    ],
    state: [`${firstLine} (cancelled)`, ...restLines],
    report: { changed: 1, unchanged: 2 },
  },
  {
    title: 'the file cancels a match and has its new day in another row',
    steps: [
      first,
      withStatus(
        '09.01.2027;15:00;TV A;TV B;Halle;abgesagt',
        ...rest.map((row) => `${row};`),
        '30.01.2027;15:00;TV A;TV B;Halle;',
      ),
    ],
    state: [`${firstLine} (cancelled)`, ...restLines, '2027-01-30 15:00 TV A – TV B @Halle'],
    report: { added: 1, changed: 1, unchanged: 2 },
  },
  {
    title: 'a match that was cancelled by hand is in the plan as before',
    steps: [first, cancel(1), { ...first }],
    state: [`${firstLine} (cancelled)`, ...restLines],
    report: { unchanged: 3 },
  },
  {
    title: 'a match that was cancelled by hand is in the plan on a new day',
    steps: [first, cancel(1), plan('30.01.2027;15:00;TV A;TV B;Halle', ...rest)],
    state: [`${firstLine} (cancelled)`, ...restLines, '2027-01-30 15:00 TV A – TV B @Halle'],
  },
  {
    title: 'a calendar cancels a match',
    steps: [
      ics(['a', '20270109T150000', 'TV A – TV B'], ['b', '20270116T180000', 'SC C – SC D']),
      ics(
        ['a', '20270109T150000', 'TV A – TV B', 'STATUS:CANCELLED'],
        ['b', '20270116T180000', 'SC C – SC D'],
      ),
    ],
    state: [`${firstLine} (cancelled)`, restLines[0]],
    report: { changed: 1, unchanged: 1 },
  },
  {
    title: 'a match is no longer in the file',
    steps: [first, plan(...rest)],
    state: [firstLine, ...restLines],
    report: { unchanged: 2, missing: 1 },
  },
  {
    title: 'the last plan is empty',
    steps: [first, plan()],
    state: [firstLine, ...restLines],
    report: {},
  },

  // Names and places
  {
    title: 'the spelling of a name is corrected',
    steps: [
      programme('05.12.2026;19:00;KONZERT;Kirche', '19.12.2026;16:00;Weihnachtsfeier;Halle'),
      programme('05.12.2026;19:00;Konzert;Kirche', '19.12.2026;16:00;Weihnachtsfeier;Halle'),
    ],
    state: ['#1 2026-12-05 19:00 Konzert @Kirche', '#2 2026-12-19 16:00 Weihnachtsfeier @Halle'],
    report: { changed: 1, unchanged: 1 },
  },
  {
    title: 'one hall gets another name, then the home ground of all matches',
    steps: [
      first,
      plan('09.01.2027;15:00;TV A;TV B;Halle', rest[0], '24.01.2027;11:00;VfL E;VfL F;Süd-Arena'),
      plan(
        '09.01.2027;15:00;TV A;TV B;Sparkassenhalle',
        '16.01.2027;18:00;SC C;SC D;Sparkassenhalle',
        '24.01.2027;11:00;VfL E;VfL F;Süd-Arena',
      ),
    ],
    state: [
      '#1 2027-01-09 15:00 TV A – TV B @Sparkassenhalle',
      '#2 2027-01-16 18:00 SC C – SC D @Sparkassenhalle',
      '#3 2027-01-24 11:00 VfL E – VfL F @Süd-Arena',
    ],
    report: { changed: 2, unchanged: 1 },
  },
  {
    title: 'the columns have other names and another order, and a match is moved',
    steps: [
      first,
      table('Export.csv', 'Halle;Heimmannschaft;Gastmannschaft;Datum;Uhrzeit')(
        'Halle;TV A;TV B;10.01.2027;15:00',
        'Halle;SC C;SC D;16.01.2027;18:00',
        'Arena;VfL E;VfL F;24.01.2027;11:00',
      ),
    ],
    state: ['#1 2027-01-10 15:00 TV A – TV B @Halle', ...restLines],
    report: { moved: 1, unchanged: 2 },
  },

  // Numbers of the federation
  {
    title: 'the number stays while the winner of a quarter-final gets its name',
    steps: [
      cricket('41,2027-01-09,15:00,TV A,Winner QF1,Halle', '42,2027-01-16,18:00,SC C,SC D,Halle'),
      cricket('41,2027-01-09,15:00,TV A,TV B,Halle', '42,2027-01-16,18:00,SC C,SC D,Halle'),
    ],
    state: [firstLine, restLines[0]],
    report: { changed: 1, unchanged: 1 },
  },
  {
    title: 'the number stays while home, hall, day and time change',
    steps: [
      handball('7101;09.01.2027;15:00;TV B;TV A;Arena', '7102;16.01.2027;18:00;SC C;SC D;Halle'),
      handball('7101;27.02.2027;19:30;TV A;TV B;Halle', '7102;16.01.2027;18:00;SC C;SC D;Halle'),
    ],
    state: [restLines[0], '#1 2027-02-27 19:30 TV A – TV B @Halle'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a second federation with other columns has the same numbers',
    steps: [
      handball('1;09.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC C;SC D;Halle'),
      cricket('1,2027-01-10,11:00,Lions,Tigers,Park', '2,2027-01-17,11:00,Bears,Lions,Park'),
      handball('1;23.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC C;SC D;Halle'),
    ],
    state: [
      '#3 2027-01-10 11:00 Lions – Tigers @Park',
      restLines[0],
      '#4 2027-01-17 11:00 Bears – Lions @Park',
      '#1 2027-01-23 15:00 TV A – TV B @Halle',
    ],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a second federation with the same columns has the same numbers',
    steps: [
      handball('1;09.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC C;SC D;Halle'),
      volleyball('1;10.01.2027;11:00;VC U;VC V;Arena', '2;16.01.2027;11:00;VC W;VC U;Park'),
    ],
    state: [
      firstLine,
      '2027-01-10 11:00 VC U – VC V @Arena',
      '2027-01-16 11:00 VC W – VC U @Park',
      restLines[0],
    ],
    report: { added: 2 },
  },
  {
    title: 'the numbers of the next season begin at 1 again',
    steps: [
      on('2026-01-10'),
      handball('1;14.02.2026;15:00;TV A;TV X;Halle', '2;14.03.2026;15:00;TV Y;TV A;Arena'),
      on(today),
      handball('1;09.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC C;SC D;Halle'),
    ],
    state: [
      '#1 2026-02-14 15:00 TV A – TV X @Halle',
      '#2 2026-03-14 15:00 TV Y – TV A @Arena',
      '2027-01-09 15:00 TV A – TV B @Halle',
      '2027-01-16 18:00 SC C – SC D @Halle',
    ],
    report: { added: 2 },
  },

  // Two matches of the same teams
  {
    title: 'of a match and its return match, the first is moved behind the second',
    steps: [
      plan('09.01.2027;15:00;TV A;TV B;Halle', '30.01.2027;15:00;TV B;TV A;Arena'),
      plan('30.01.2027;15:00;TV B;TV A;Arena', '06.02.2027;15:00;TV A;TV B;Halle'),
    ],
    state: ['#2 2027-01-30 15:00 TV B – TV A @Arena', '#1 2027-02-06 15:00 TV A – TV B @Halle'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'league and cup bring the same teams twice in a month, and both are a day later',
    steps: [
      handball('7101;09.01.2027;15:00;TV A;TV B;Halle', '93;27.01.2027;19:30;TV A;TV B;Halle'),
      handball('93;28.01.2027;19:30;TV A;TV B;Halle', '7101;10.01.2027;15:00;TV A;TV B;Halle'),
    ],
    state: ['#1 2027-01-10 15:00 TV A – TV B @Halle', '#2 2027-01-28 19:30 TV A – TV B @Halle'],
    report: { moved: 2 },
  },
  {
    title: 'league and cup bring the same teams twice in a month, and one is a day later',
    steps: [
      plan('09.01.2027;15:00;TV A;TV B;Halle', '27.01.2027;19:30;TV A;TV B;Halle'),
      plan('10.01.2027;15:00;TV A;TV B;Halle', '27.01.2027;19:30;TV A;TV B;Halle'),
    ],
    state: ['#1 2027-01-10 15:00 TV A – TV B @Halle', '#2 2027-01-27 19:30 TV A – TV B @Halle'],
    report: { moved: 1, unchanged: 1 },
  },

  // Weekly trainings
  {
    title: 'a match is moved beside the trainings of the same file',
    steps: [
      programme(
        ...tuesdays('18:00', '01.12.2026', '08.12.2026', '15.12.2026', '22.12.2026'),
        '05.12.2026;15:00;Pokalspiel;Halle',
      ),
      programme(
        ...tuesdays('18:00', '01.12.2026', '08.12.2026', '15.12.2026', '22.12.2026'),
        '12.12.2026;15:00;Pokalspiel;Halle',
      ),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '#2 2026-12-08 18:00 Training @Halle',
      '#5 2026-12-12 15:00 Pokalspiel @Halle',
      '#3 2026-12-15 18:00 Training @Halle',
      '#4 2026-12-22 18:00 Training @Halle',
    ],
    report: { moved: 1, unchanged: 4 },
  },
  {
    title: 'trainings are dropped in the holidays',
    steps: [
      programme(...tuesdays('18:00', '15.12.2026', '22.12.2026', '29.12.2026', '05.01.2027')),
      programme(...tuesdays('18:00', '15.12.2026', '05.01.2027')),
    ],
    state: [
      '#1 2026-12-15 18:00 Training @Halle',
      '#2 2026-12-22 18:00 Training @Halle',
      '#3 2026-12-29 18:00 Training @Halle',
      '#4 2027-01-05 18:00 Training @Halle',
    ],
    report: { unchanged: 2, missing: 2 },
  },
  {
    title: 'one training is dropped, and one is added at the end',
    steps: [
      programme(...tuesdays('18:00', '01.12.2026', '08.12.2026', '15.12.2026', '22.12.2026')),
      programme(...tuesdays('18:00', '01.12.2026', '08.12.2026', '22.12.2026', '29.12.2026')),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '#2 2026-12-08 18:00 Training @Halle',
      '#3 2026-12-15 18:00 Training @Halle',
      '#4 2026-12-22 18:00 Training @Halle',
      '#5 2026-12-29 18:00 Training @Halle',
    ],
    report: { added: 1, unchanged: 3, missing: 1 },
  },
  {
    title: 'all trainings are half an hour later',
    steps: [
      programme(...tuesdays('18:00', '01.12.2026', '08.12.2026', '15.12.2026')),
      programme(...tuesdays('18:30', '01.12.2026', '08.12.2026', '15.12.2026')),
    ],
    state: [
      '#1 2026-12-01 18:30 Training @Halle',
      '#2 2026-12-08 18:30 Training @Halle',
      '#3 2026-12-15 18:30 Training @Halle',
    ],
    report: { moved: 3 },
  },
  {
    title: 'all trainings are on another weekday, which the report names without a guess',
    steps: [
      programme(...tuesdays('18:00', '01.12.2026', '08.12.2026', '15.12.2026')),
      programme(...tuesdays('18:00', '03.12.2026', '10.12.2026', '17.12.2026')),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '2026-12-03 18:00 Training @Halle',
      '#2 2026-12-08 18:00 Training @Halle',
      '2026-12-10 18:00 Training @Halle',
      '#3 2026-12-15 18:00 Training @Halle',
      '2026-12-17 18:00 Training @Halle',
    ],
    report: { added: 3, missing: 3 },
  },
  {
    title: 'trainings by hand are beside another training and a match of the plan',
    steps: [
      byHand('Training', '2026-12-01T18:00', 'Halle', ['2026-12-01', '2026-12-08', '2026-12-15']),
      programme('03.12.2026;18:00;Training;Halle', '05.12.2026;15:00;Pokalspiel;Halle'),
      programme('03.12.2026;18:00;Training;Halle', '12.12.2026;15:00;Pokalspiel;Halle'),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '2026-12-03 18:00 Training @Halle',
      '#2 2026-12-08 18:00 Training @Halle',
      '2026-12-12 15:00 Pokalspiel @Halle',
      '#3 2026-12-15 18:00 Training @Halle',
    ],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'each file has the list of one week',
    steps: [
      programme('01.12.2026;18:00;Training;Halle', '03.12.2026;19:00;Vorstand;Clubheim'),
      programme('08.12.2026;18:00;Training;Halle', '10.12.2026;19:00;Vorstand;Clubheim'),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '#2 2026-12-03 19:00 Vorstand @Clubheim',
      '2026-12-08 18:00 Training @Halle',
      '2026-12-10 19:00 Vorstand @Clubheim',
    ],
  },
  {
    title: 'each file has the programme of one month',
    steps: [
      on('2026-10-25'),
      programme('11.11.2026;19:00;Stammtisch;Gasthof', '20.11.2026;18:00;Spieleabend;Clubheim'),
      on(today),
      programme(
        '05.12.2026;16:00;Adventsfeier;Halle',
        '09.12.2026;19:00;Stammtisch;Gasthof',
        '18.12.2026;18:00;Spieleabend;Clubheim',
      ),
    ],
    state: [
      '#1 2026-11-11 19:00 Stammtisch @Gasthof',
      '#2 2026-11-20 18:00 Spieleabend @Clubheim',
      '2026-12-05 16:00 Adventsfeier @Halle',
      '2026-12-09 19:00 Stammtisch @Gasthof',
      '2026-12-18 18:00 Spieleabend @Clubheim',
    ],
  },

  // Calendars and other formats
  {
    title: 'an office calendar has new UIDs in each download, and a match is moved',
    steps: [
      ics(['AAA1', '20270109T150000', 'TV A – TV B'], ['AAA2', '20270116T180000', 'SC C – SC D']),
      ics(['BBB1', '20270112T193000', 'TV A – TV B'], ['BBB2', '20270116T180000', 'SC C – SC D']),
    ],
    state: ['#1 2027-01-12 19:30 TV A – TV B @Halle', restLines[0]],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'an office calendar has new UIDs for its trainings, and one date is left out',
    steps: [
      ics(['AAA1', '20261201T180000', 'Training', 'RRULE:FREQ=WEEKLY;COUNT=4']),
      ics([
        ...(['BBB1', '20261201T180000', 'Training', 'RRULE:FREQ=WEEKLY;COUNT=4'] as const),
        `EXDATE;TZID=${timeZone}:20261215T180000`,
      ]),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '#2 2026-12-08 18:00 Training @Halle',
      '#3 2026-12-15 18:00 Training @Halle',
      '#4 2026-12-22 18:00 Training @Halle',
    ],
    report: { unchanged: 3, missing: 1 },
  },
  {
    title: 'a calendar moves one date of a series',
    steps: [
      ics(['a', '20261201T180000', 'Training', 'RRULE:FREQ=WEEKLY;COUNT=4']),
      ics(
        ['a', '20261201T180000', 'Training', 'RRULE:FREQ=WEEKLY;COUNT=4'],
        ['a', '20261216T190000', 'Training', `RECURRENCE-ID;TZID=${timeZone}:20261215T180000`],
      ),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '#2 2026-12-08 18:00 Training @Halle',
      '#3 2026-12-16 19:00 Training @Halle',
      '#4 2026-12-22 18:00 Training @Halle',
    ],
    report: { moved: 1, unchanged: 3 },
  },
  {
    title: 'a UID stays while the event gets another name two months later',
    steps: [
      ics(['a', '20270109T150000', 'TV A – Winner QF1'], ['b', '20270116T180000', 'SC C – SC D']),
      ics(['a', '20270306T150000', 'TV A – TV B'], ['b', '20270116T180000', 'SC C – SC D']),
    ],
    state: [restLines[0], '#1 2027-03-06 15:00 TV A – TV B @Halle'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'two events share a UID, and one of them is moved',
    steps: [
      ics(['a', '20270202T180000', 'Exercise A'], ['a', '20270209T180000', 'Exercise B']),
      ics(['a', '20270202T180000', 'Exercise A'], ['a', '20270210T180000', 'Exercise B']),
    ],
    state: ['#1 2027-02-02 18:00 Exercise A @Halle', '#2 2027-02-10 18:00 Exercise B @Halle'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a calendar of an older revision comes after the newer one',
    steps: [
      ics(['a', '20270109T150000', 'TV A – TV B', 'SEQUENCE:0']),
      ics(['a', '20270113T193000', 'TV A – TV B', 'SEQUENCE:1']),
      ics(['a', '20270109T150000', 'TV A – TV B', 'SEQUENCE:0']),
    ],
    state: ['#1 2027-01-13 19:30 TV A – TV B @Halle'],
    report: { skipped: 1 },
  },
  {
    title: 'the same plan comes as a table and then as a calendar with a hyphen between the teams',
    steps: [
      plan('09.01.2027;15:00;TV A;TV B;Halle', rest[0]),
      ics(['a', '20270109T150000', 'TV A - TV B'], ['b', '20270117T110000', 'SC C - SC D']),
    ],
    state: [firstLine, '#2 2027-01-17 11:00 SC C – SC D @Halle'],
  },
  {
    title:
      'the clock changes between a table and a calendar in UTC, and between two days of a match',
    steps: [
      plan(
        '27.03.2027;18:00;TV A;TV B;Halle',
        '03.04.2027;18:00;TV A;VfL E;Halle',
        '27.03.2027;20:00;SC C;SC D;Halle',
      ),
      ics(
        ['a', '20270327T170000Z', 'TV A – TV B'],
        ['b', '20270403T160000Z', 'TV A – VfL E'],
        ['c', '20270402T180000Z', 'SC C – SC D'],
      ),
    ],
    state: [
      '#1 2027-03-27 18:00 TV A – TV B @Halle',
      '#3 2027-04-02 20:00 SC C – SC D @Halle',
      '#2 2027-04-03 18:00 TV A – VfL E @Halle',
    ],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'the plan comes as a workbook and then as text',
    steps: [
      {
        files: {
          'Spielplan.xlsx': makeXlsx([
            ['Datum', 'Zeit', 'Heim', 'Gast', 'Ort'],
            [{ date: 46_396 }, '15:00', 'TV A', 'TV B', 'Halle'],
            [{ date: 46_403 }, '18:00', 'SC C', 'SC D', 'Halle'],
          ]),
        },
      },
      plan('23.01.2027;15:00;TV A;TV B;Halle', rest[0]),
    ],
    state: [restLines[0], '#1 2027-01-23 15:00 TV A – TV B @Halle'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'JSON without ids has an event on another day',
    steps: [
      json(
        { name: 'Open day', date: '2027-01-09T15:00', location: 'Hall' },
        { name: 'Cup', date: '2027-01-16', location: 'Hall' },
      ),
      json(
        { name: 'Open day', date: '2027-01-30T14:00', location: 'Hall' },
        { name: 'Cup', date: '2027-01-16', location: 'Hall' },
      ),
    ],
    state: ['#2 2027-01-16 Cup @Hall', '#1 2027-01-30 14:00 Open day @Hall'],
    report: { moved: 1, unchanged: 1 },
  },

  // Whole days and ends
  {
    title: 'a whole day gets a time, and another one stays whole',
    steps: [
      ics(['a', '20261205', 'Fest'], ['b', '20261212', 'Turnier']),
      ics(['c', '20261205T140000', 'Fest'], ['d', '20261212', 'Turnier']),
    ],
    state: ['#1 2026-12-05 14:00 Fest @Halle', '#2 2026-12-12 Turnier @Halle'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'an event ends later, and another one begins and ends later',
    steps: [
      withEnds('05.12.2026;19:00;22:00;Konzert;Kirche', '12.12.2026;14:00;17:00;Markt;Platz'),
      withEnds('05.12.2026;19:00;23:00;Konzert;Kirche', '12.12.2026;15:00;18:00;Markt;Platz'),
    ],
    state: [
      '#1 2026-12-05 19:00 Konzert @Kirche | Until 23:00',
      '#2 2026-12-12 15:00 Markt @Platz | Until 18:00',
    ],
    report: { changed: 1, moved: 1 },
  },
  {
    title: 'an event of three days is a week later',
    steps: [
      ics(['a', '20270730', 'Lager', 'DTEND;VALUE=DATE:20270802'], ['b', '20270626', 'Fest']),
      ics(['c', '20270806', 'Lager', 'DTEND;VALUE=DATE:20270809'], ['d', '20270626', 'Fest']),
    ],
    state: ['#2 2027-06-26 Fest @Halle', '#1 2027-08-06 Lager @Halle | Until Sun 8 August'],
    report: { moved: 1, unchanged: 1 },
  },

  // By hand
  {
    title: 'a match that was added by hand is in the plan too',
    steps: [byHand('TV A - TV B', '2027-01-09T15:00', 'Halle'), first],
    state: [firstLine, ...restLines],
    report: { added: 2, unchanged: 1 },
  },
  {
    title: 'an event that was added by hand has the name of another one in the plan',
    steps: [
      byHand('Konzert', '2026-12-12T19:00', 'Kirche'),
      programme('19.12.2026;19:00;Konzert;Kirche', '05.12.2026;15:00;Fest;Halle'),
    ],
    state: [
      '2026-12-05 15:00 Fest @Halle',
      '#1 2026-12-12 19:00 Konzert @Kirche',
      '2026-12-19 19:00 Konzert @Kirche',
    ],
    report: { added: 2 },
  },
  {
    title: 'a time that was edited by hand stays when the plan comes as before',
    steps: [first, edit(1, { date: '2027-01-09T16:00' }), { ...first }],
    state: ['#1 2027-01-09 16:00 TV A – TV B @Halle', ...restLines],
    report: { unchanged: 3 },
  },
  {
    title: 'a note that was written by hand stays when the plan moves the match',
    steps: [
      first,
      edit(1, { description: 'Kuchen mitbringen' }),
      plan('30.01.2027;15:00;TV A;TV B;Halle', ...rest),
    ],
    state: [...restLines, '#1 2027-01-30 15:00 TV A – TV B @Halle | Kuchen mitbringen'],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'an update is undone and then imported again',
    steps: [
      first,
      plan('30.01.2027;15:00;TV A;TV B;Halle', ...rest),
      undo,
      plan('30.01.2027;15:00;TV A;TV B;Halle', ...rest),
    ],
    state: [...restLines, '#1 2027-01-30 15:00 TV A – TV B @Halle'],
    report: { moved: 1, unchanged: 2 },
  },

  // The next season
  {
    title: 'the next season has the same matches, without numbers or ids',
    steps: [...lastSeason, thisSeason],
    state: [...lastSeasonLines, ...thisSeasonLines],
    report: { added: 3 },
  },
  {
    title: 'the next season has the UIDs and names of the last one, and the import asks',
    steps: [
      on('2025-11-01'),
      ics(['0', '20251206T150000', 'TV A – TV B'], ['1', '20251213T180000', 'TV A – VfL E']),
      on(today),
      ics(['0', '20261205T150000', 'TV A – TV B'], ['1', '20261212T180000', 'TV A – VfL E']),
    ],
    state: ['#1 2025-12-06 15:00 TV A – TV B @Halle', '#2 2025-12-13 18:00 TV A – VfL E @Halle'],
    refused: 'import_moved_or_added',
  },
  {
    title: 'a copy with ids is a year later and its events are moved',
    steps: [
      ...lastSeason,
      answered(
        'move',
        copy((one) => laterBy(364, one)),
      ),
    ],
    state: thisSeasonLines.map((line, at) => `#${at + 1} ${line}`),
  },
  {
    title: 'a calendar uses the UIDs of the last half-season for other matches',
    steps: [
      on('2026-05-01'),
      ics(['0', '20260606T150000', 'TV A – TV X'], ['1', '20260613T150000', 'TV Y – TV A']),
      on(today),
      ics(['0', '20270109T150000', 'TV A – TV B'], ['1', '20270116T180000', 'SC C – SC D']),
    ],
    state: [
      '#1 2026-06-06 15:00 TV A – TV X @Halle',
      '#2 2026-06-13 15:00 TV Y – TV A @Halle',
      '2027-01-09 15:00 TV A – TV B @Halle',
      '2027-01-16 18:00 SC C – SC D @Halle',
    ],
    report: { added: 2 },
  },
  {
    title: 'a copy with ids has a match on another day and in another hall',
    steps: [first, copy((one) => (one.id === 1 ? { ...laterBy(1, one), location: 'Arena' } : {}))],
    state: ['#1 2027-01-10 15:00 TV A – TV B @Arena', ...restLines],
  },
  {
    title: 'a copy with ids is a year later, and the import asks',
    steps: [...lastSeason, copy((one) => laterBy(364, one))],
    state: lastSeasonLines,
    refused: 'import_moved_or_added',
  },
  {
    title: 'a copy with ids is a year later and is added',
    steps: [
      ...lastSeason,
      answered(
        'add',
        copy((one) => laterBy(364, one)),
      ),
    ],
    state: [...lastSeasonLines, ...thisSeasonLines],
    report: { added: 3 },
  },

  {
    title: 'a table with ids that was added for this season comes again, and nothing is asked',
    steps: [...lastYear, answered('add', thisYear('08.01.2027')), thisYear('08.01.2027')],
    state: lastAndThisYear('2027-01-08'),
    report: { unchanged: 2 },
  },
  {
    title: 'a table with ids that was added comes again, and its events are not moved onto it',
    steps: [
      ...lastYear,
      answered('add', thisYear('08.01.2027')),
      answered('move', thisYear('08.01.2027')),
    ],
    state: lastAndThisYear('2027-01-08'),
    report: { unchanged: 2 },
  },
  {
    title: 'a table with ids that was added comes again with a corrected date',
    steps: [
      ...lastYear,
      answered('add', thisYear('08.01.2027')),
      answered('add', thisYear('15.01.2027')),
    ],
    state: lastAndThisYear('2027-01-15'),
    report: { moved: 1, unchanged: 1 },
  },

  // Lists that follow each other
  {
    title: 'the list of each week ends with the same later event',
    steps: [
      programme('01.12.2026;18:00;Training;Halle', '19.12.2026;16:00;Weihnachtsfeier;Halle'),
      programme('08.12.2026;18:00;Training;Halle', '19.12.2026;16:00;Weihnachtsfeier;Halle'),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '2026-12-08 18:00 Training @Halle',
      '#2 2026-12-19 16:00 Weihnachtsfeier @Halle',
    ],
  },
  {
    title: 'each file has the trainings of the next three weeks',
    steps: [
      programme(...tuesdays('18:00', '01.12.2026', '08.12.2026', '15.12.2026')),
      programme(...tuesdays('18:00', '08.12.2026', '15.12.2026', '22.12.2026')),
    ],
    state: [
      '#1 2026-12-01 18:00 Training @Halle',
      '#2 2026-12-08 18:00 Training @Halle',
      '#3 2026-12-15 18:00 Training @Halle',
      '#4 2026-12-22 18:00 Training @Halle',
    ],
  },
  {
    title: 'a monthly meeting was yesterday, and the new list has the next one',
    steps: [
      on('2026-11-01'),
      programme('24.11.2026;19:00;Stammtisch;Gasthof', '05.12.2026;16:00;Adventsfeier;Halle'),
      on(today),
      programme('05.12.2026;16:00;Adventsfeier;Halle', '22.12.2026;19:00;Stammtisch;Gasthof'),
    ],
    state: [
      '#1 2026-11-24 19:00 Stammtisch @Gasthof',
      '#2 2026-12-05 16:00 Adventsfeier @Halle',
      '2026-12-22 19:00 Stammtisch @Gasthof',
    ],
  },

  // Moves that are easy to miss, and numbers that are not those of events
  {
    title: 'the only event of a file is on another day, which may be the next of a series',
    steps: [
      programme('05.12.2026;16:00;Adventsfeier;Halle'),
      programme('12.12.2026;16:00;Adventsfeier;Halle'),
    ],
    state: ['#1 2026-12-05 16:00 Adventsfeier @Halle', '2026-12-12 16:00 Adventsfeier @Halle'],
    report: { added: 1, missing: 1 },
  },
  {
    title: 'all matches are a week later',
    steps: [
      first,
      plan(
        '16.01.2027;15:00;TV A;TV B;Halle',
        '23.01.2027;18:00;SC C;SC D;Halle',
        '31.01.2027;11:00;VfL E;VfL F;Arena',
      ),
    ],
    state: [
      '#1 2027-01-16 15:00 TV A – TV B @Halle',
      '#2 2027-01-23 18:00 SC C – SC D @Halle',
      '#3 2027-01-31 11:00 VfL E – VfL F @Arena',
    ],
    report: { moved: 3 },
  },
  {
    title: 'a team name has other capitals, and the match is moved',
    steps: [first, plan('10.01.2027;15:00;Tv A;TV B;halle', ...rest)],
    state: ['#1 2027-01-10 15:00 Tv A – TV B @halle', ...restLines],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'of two teams that play at the same time in two halls, one plays a day later',
    steps: [
      plan('09.01.2027;15:00;TV A;TV B;Halle', '09.01.2027;15:00;TV A;TV B;Arena'),
      plan('09.01.2027;15:00;TV A;TV B;Halle', '10.01.2027;15:00;TV A;TV B;Arena'),
    ],
    state: ['#1 2027-01-09 15:00 TV A – TV B @Halle', '#2 2027-01-10 15:00 TV A – TV B @Arena'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'one of three play-off matches is a day later',
    steps: [
      handball(
        '901;09.01.2027;15:00;TV A;TV B;Halle',
        '902;16.01.2027;15:00;TV A;TV B;Halle',
        '903;23.01.2027;15:00;TV A;TV B;Halle',
      ),
      handball(
        '901;09.01.2027;15:00;TV A;TV B;Halle',
        '902;17.01.2027;15:00;TV A;TV B;Halle',
        '903;23.01.2027;15:00;TV A;TV B;Halle',
      ),
    ],
    state: [
      '#1 2027-01-09 15:00 TV A – TV B @Halle',
      '#2 2027-01-17 15:00 TV A – TV B @Halle',
      '#3 2027-01-23 15:00 TV A – TV B @Halle',
    ],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'all numbers are one higher because a match is new on top',
    steps: [
      handball('1;09.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC C;SC D;Halle'),
      handball(
        '1;08.01.2027;20:00;FC G;FC H;Halle',
        '2;09.01.2027;15:00;TV A;TV B;Halle',
        '3;16.01.2027;18:00;SC C;SC D;Halle',
      ),
    ],
    state: ['#3 2027-01-08 20:00 FC G – FC H @Halle', firstLine, restLines[0]],
    report: { added: 1, unchanged: 2 },
  },
  {
    title: 'a number of the round stands beside each of its matches',
    steps: [
      cricket('1,2027-01-09,15:00,TV A,TV B,Halle', '1,2027-01-09,17:00,SC C,SC D,Halle'),
      cricket('1,2027-01-09,15:00,TV A,TV B,Halle', '1,2027-01-09,18:00,SC C,SC D,Halle'),
    ],
    state: [firstLine, '#2 2027-01-09 18:00 SC C – SC D @Halle'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a cancelled match is no longer in the file, and its new day is',
    steps: [
      withStatus('09.01.2027;15:00;TV A;TV B;Halle;abgesagt', ...rest.map((row) => `${row};`)),
      withStatus('23.01.2027;15:00;TV A;TV B;Halle;', ...rest.map((row) => `${row};`)),
    ],
    state: [
      `${firstLine} (cancelled)`,
      restLines[0],
      '2027-01-23 15:00 TV A – TV B @Halle',
      restLines[1],
    ],
  },
  {
    title: 'a calendar cancels a match and plays it after all',
    steps: [
      ics(['a', '20270109T150000', 'TV A – TV B', 'SEQUENCE:0']),
      ics(['a', '20270109T150000', 'TV A – TV B', 'SEQUENCE:1', 'STATUS:CANCELLED']),
      ics(['a', '20270116T150000', 'TV A – TV B', 'SEQUENCE:2', 'STATUS:CONFIRMED']),
    ],
    state: ['#1 2027-01-16 15:00 TV A – TV B @Halle'],
    report: { moved: 1 },
  },
  {
    title: 'the table and the calendar of one plan come at once',
    steps: [
      together(
        plan('09.01.2027;15:00;TV A;TV B;Halle', rest[0]),
        ics(['a', '20270109T150000', 'TV A - TV B'], ['b', '20270116T180000', 'SC C - SC D']),
      ),
    ],
    state: [firstLine, restLines[0]],
    report: { added: 2, unchanged: 2 },
  },
  {
    title: 'a hall that was edited by hand stays when the plan moves the match',
    steps: [
      first,
      edit(1, { location: 'Nebenhalle' }),
      plan('23.01.2027;15:00;TV A;TV B;Halle', ...rest),
    ],
    state: [restLines[0], '#1 2027-01-23 15:00 TV A – TV B @Nebenhalle', restLines[1]],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'a match that was moved by hand is on the same day in the plan later',
    steps: [
      first,
      edit(1, { date: '2027-01-23T15:00' }),
      plan('23.01.2027;15:00;TV A;TV B;Halle', ...rest),
    ],
    state: [restLines[0], '#1 2027-01-23 15:00 TV A – TV B @Halle', restLines[1]],
  },
  {
    title: 'a match that was renamed by hand is moved by the plan',
    steps: [
      first,
      edit(1, { name: 'Derby: TV A – TV B' }),
      plan('23.01.2027;15:00;TV A;TV B;Halle', ...rest),
    ],
    state: [restLines[0], '#1 2027-01-23 15:00 Derby: TV A – TV B @Halle', restLines[1]],
    report: { moved: 1, unchanged: 2 },
  },

  // The place before the order of the rows
  {
    title: 'two rows of one moment come in another order after one was cancelled by hand',
    steps: [
      programme('09.01.2027;15:00;Training;Nord', '09.01.2027;15:00;Training;Süd'),
      cancel(1),
      programme('09.01.2027;15:00;Training;Süd', '09.01.2027;15:00;Training;Nord'),
    ],
    state: ['#1 2027-01-09 15:00 Training @Nord (cancelled)', '#2 2027-01-09 15:00 Training @Süd'],
    report: { unchanged: 2 },
  },
  {
    title: 'of two rows of one moment, the first one is dropped, and later it is there again',
    steps: [
      plan('09.01.2027;15:00;TV A;TV B;Nord', '09.01.2027;15:00;TV A;TV B;Süd'),
      edit(1, { description: 'Kuchen' }),
      plan('09.01.2027;15:00;TV A;TV B;Süd'),
      plan('09.01.2027;15:00;TV A;TV B;Süd', '09.01.2027;15:00;TV A;TV B;Nord'),
    ],
    state: [
      '#1 2027-01-09 15:00 TV A – TV B @Nord | Kuchen',
      '#2 2027-01-09 15:00 TV A – TV B @Süd',
    ],
    report: { unchanged: 2 },
  },
  {
    title: 'of two rows of one moment, the first one is dropped',
    steps: [
      programme('09.01.2027;15:00;Training;Nord', '09.01.2027;15:00;Training;Süd'),
      programme('09.01.2027;15:00;Training;Süd'),
    ],
    state: ['#1 2027-01-09 15:00 Training @Nord', '#2 2027-01-09 15:00 Training @Süd'],
    report: { unchanged: 1, missing: 1 },
  },
  {
    title: 'of two rows of one moment, the first one is later and below the other',
    steps: [
      programme('09.01.2027;15:00;Training;Nord', '09.01.2027;15:00;Training;Süd'),
      programme('09.01.2027;15:00;Training;Süd', '09.01.2027;15:30;Training;Nord'),
    ],
    state: ['#2 2027-01-09 15:00 Training @Süd', '#1 2027-01-09 15:30 Training @Nord'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a training is later, and another hall has one at its time',
    steps: [
      programme('09.01.2027;15:00;Training;Nord'),
      programme('09.01.2027;15:00;Training;Süd', '09.01.2027;15:30;Training;Nord'),
    ],
    state: ['2027-01-09 15:00 Training @Süd', '#1 2027-01-09 15:30 Training @Nord'],
    report: { moved: 1, added: 1 },
  },
  {
    title: 'two rows of one moment without places in the new file',
    steps: [
      programme('09.01.2027;15:00;Training;Nord', '09.01.2027;15:00;Training;Süd'),
      table('Programm.csv', 'Datum;Uhrzeit;Veranstaltung')(
        '09.01.2027;15:00;Training',
        '09.01.2027;15:00;Training',
      ),
    ],
    state: ['#1 2027-01-09 15:00 Training @Nord', '#2 2027-01-09 15:00 Training @Süd'],
    report: { unchanged: 2 },
  },

  // Renamed, spelled otherwise, and with another home right
  {
    title: 'a calendar renames a match under its UID, which is not missing then',
    steps: [
      ics(['a', '20270109T150000', 'TV A vs. TV D'], ['b', '20270116T180000', 'SC C – SC D']),
      ics(['a', '20270109T150000', 'Pokal: TV A - TV D'], ['b', '20270116T180000', 'SC C – SC D']),
    ],
    state: ['#1 2027-01-09 15:00 Pokal: TV A – TV D @Halle', restLines[0]],
    report: { changed: 1, unchanged: 1 },
  },
  {
    title: 'two events share a UID, and one of them is renamed',
    steps: [
      ics(['a', '20270202T180000', 'Exercise A'], ['a', '20270209T180000', 'Exercise B']),
      ics(['a', '20270202T180000', 'Exercise A'], ['a', '20270209T180000', 'Exercise B neu']),
    ],
    state: ['#1 2027-02-02 18:00 Exercise A @Halle', '#2 2027-02-09 18:00 Exercise B neu @Halle'],
    report: { changed: 1, unchanged: 1 },
  },
  {
    title: 'a calendar gives the UID of a match to another one, and the match has a new UID',
    steps: [
      ics(['a', '20270109T150000', 'TV A – TV B']),
      ics(['a', '20270110T150000', 'SC C – SC D'], ['b', '20270109T150000', 'TV A – TV B']),
    ],
    state: [firstLine, '2027-01-10 15:00 SC C – SC D @Halle'],
    report: { added: 1, unchanged: 1 },
  },
  {
    title: 'the only match is spelled with a hyphen instead of a stroke',
    steps: [
      plan('09.01.2027;15:00;TV A;SG Berg/Tal;Halle'),
      plan('09.01.2027;15:00;TV A;SG Berg-Tal;Halle'),
    ],
    state: ['#1 2027-01-09 15:00 TV A – SG Berg-Tal @Halle'],
    report: { changed: 1 },
  },
  {
    title: 'two teams exchange the home right on one day',
    steps: [plan('09.01.2027;15:00;TV A;TV B;Halle'), plan('09.01.2027;17:00;TV B;TV A;Arena')],
    state: ['#1 2027-01-09 17:00 TV B – TV A @Arena'],
    report: { moved: 1 },
  },
  {
    title: 'an opponent is at home instead of away, beside a return match',
    steps: [
      table('Spielplan.csv', 'Datum;Zeit;Gegner;H/A')(
        '09.01.2027;15:00;TV Berg;H',
        '30.01.2027;15:00;TV Berg;A',
      ),
      table('Spielplan.csv', 'Datum;Zeit;Gegner;H/A')(
        '09.01.2027;15:00;TV Berg;A',
        '30.01.2027;15:00;TV Berg;H',
      ),
    ],
    state: ['#1 2027-01-09 15:00 TV Berg (A)', '#2 2027-01-30 15:00 TV Berg (H)'],
    report: { changed: 2 },
  },
  {
    title: 'the two matches of a tournament day stay with their home rights',
    steps: [
      plan('09.01.2027;10:00;TV A;TV B;Halle', '09.01.2027;12:00;TV B;TV A;Halle'),
      plan('09.01.2027;10:30;TV B;TV A;Halle', '09.01.2027;12:30;TV A;TV B;Halle'),
    ],
    state: ['#2 2027-01-09 10:30 TV B – TV A @Halle', '#1 2027-01-09 12:30 TV A – TV B @Halle'],
    report: { moved: 2 },
  },

  // Postponed for long, and numbers of other plans
  {
    title: 'a match with a number is postponed for eleven weeks and to another hall',
    steps: [
      handball('101;09.01.2027;15:00;TV A;TV B;Halle', '102;16.01.2027;18:00;SC C;SC D;Halle'),
      handball('101;27.03.2027;15:00;TV A;TV B;Arena', '102;16.01.2027;18:00;SC C;SC D;Halle'),
    ],
    state: [restLines[0], '#1 2027-03-27 15:00 TV A – TV B @Arena'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a match with a number is postponed for eleven weeks and its opponent renamed',
    steps: [
      handball('101;09.01.2027;15:00;TV A;TV B;Halle', '102;16.01.2027;18:00;SC C;SC D;Halle'),
      handball('101;27.03.2027;15:00;TV A;TV Berg;Halle', '102;16.01.2027;18:00;SC C;SC D;Halle'),
    ],
    state: [restLines[0], '#1 2027-03-27 15:00 TV A – TV Berg @Halle'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a match without a number is a day later in another hall, one is months later',
    steps: [
      first,
      plan('10.01.2027;15:00;TV A;TV B;Arena', rest[0], '11.04.2027;11:00;VfL E;VfL F;Halle'),
    ],
    state: [
      '#1 2027-01-10 15:00 TV A – TV B @Arena',
      restLines[0],
      '#3 2027-04-11 11:00 VfL E – VfL F @Halle',
    ],
    report: { moved: 2, unchanged: 1 },
  },
  {
    title: 'two teams of one club have plans with the same columns and numbers',
    steps: [
      handball('1;09.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC D;TV A;Arena'),
      handball('1;10.01.2027;11:00;TV A;VC V;Halle', '2;17.01.2027;11:00;VC W;TV A;Park'),
    ],
    state: [
      firstLine,
      '2027-01-10 11:00 TV A – VC V @Halle',
      '#2 2027-01-16 18:00 SC D – TV A @Arena',
      '2027-01-17 11:00 VC W – TV A @Park',
    ],
    report: { added: 2 },
  },
  {
    title: 'all numbers of the plan of one team are one higher, and its first match was cancelled',
    steps: [
      handball('1;09.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC D;TV A;Halle'),
      cancel(1),
      handball(
        '1;08.01.2027;20:00;TV A;FC H;Halle',
        '2;09.01.2027;15:00;TV A;TV B;Halle',
        '3;16.01.2027;18:00;SC D;TV A;Halle',
      ),
    ],
    state: [
      '#3 2027-01-08 20:00 TV A – FC H @Halle',
      `${firstLine} (cancelled)`,
      '#2 2027-01-16 18:00 SC D – TV A @Halle',
    ],
    report: { added: 1, unchanged: 2 },
  },

  // Remarks in names
  {
    title: 'the names say that events are cancelled, and one that it has another date',
    steps: [
      programme(
        '09.01.2027;15:00;Neujahrskonzert;Kirche',
        '16.01.2027;15:00;Übungslauf;Wald',
        '23.01.2027;19:00;Ball;Halle',
        '30.01.2027;19:00;Fest;Halle',
      ),
      programme(
        '09.01.2027;15:00;Neujahrskonzert - abgesagt;Kirche',
        '16.01.2027;15:00;ABGESAGT: Übungslauf;Wald',
        '31.01.2027;19:00;Ball (verlegt vom 23.01.);Halle',
        '30.01.2027;19:00;Fest fällt leider aus;Halle',
      ),
    ],
    state: [
      '#1 2027-01-09 15:00 Neujahrskonzert – abgesagt @Kirche (cancelled)',
      '#2 2027-01-16 15:00 ABGESAGT: Übungslauf @Wald (cancelled)',
      '#4 2027-01-30 19:00 Fest fällt leider aus @Halle',
      '#3 2027-01-31 19:00 Ball (verlegt vom 23.01.) @Halle',
    ],
    report: { changed: 3, moved: 1 },
  },
  {
    title: 'a name that may say that its match is cancelled adds no second one',
    steps: [
      plan('09.01.2027;15:00;TV A;TV B;Halle', ...rest),
      plan('09.01.2027;15:00;TV A;TV B abgesagt;Halle', ...rest),
    ],
    state: ['#1 2027-01-09 15:00 TV A – TV B abgesagt @Halle', ...restLines],
    report: { changed: 1, unchanged: 2 },
  },

  // Cancellations that a file withdraws
  {
    title: 'a note, a status, a mark and a name no longer cancel their events',
    steps: [
      together(
        table('notes.csv', 'Datum;Was;Bemerkung')('09.01.2027;Lauf;abgesagt', '10.01.2027;Fest;'),
        table('status.csv', 'Datum;Was;Status')('11.01.2027;Ball;abgesagt'),
        table('marks.csv', 'Datum;Was;Absage')('12.01.2027;Markt;x'),
        table('names.csv', 'Datum;Was')('13.01.2027;Kino (abgesagt)'),
      ),
      together(
        table('notes.csv', 'Datum;Was;Bemerkung')('09.01.2027;Lauf;', '10.01.2027;Fest;'),
        table('status.csv', 'Datum;Was;Status')('11.01.2027;Ball;'),
        table('marks.csv', 'Datum;Was;Absage')('12.01.2027;Markt;'),
        table('names.csv', 'Datum;Was')('13.01.2027;Kino'),
      ),
    ],
    state: [
      '#1 2027-01-09 Lauf',
      '#2 2027-01-10 Fest',
      '#3 2027-01-11 Ball',
      '#4 2027-01-12 Markt',
      '#5 2027-01-13 Kino',
    ],
    report: { changed: 4, unchanged: 1 },
  },
  {
    title: 'a note says that the event takes place after all',
    steps: [
      table('notes.csv', 'Datum;Was;Bemerkung')('09.01.2027;Lauf;abgesagt'),
      table('notes.csv', 'Datum;Was;Bemerkung')('09.01.2027;Lauf;findet doch statt'),
    ],
    state: ['#1 2027-01-09 Lauf | findet doch statt'],
    report: { changed: 1 },
  },
  {
    title: 'a calendar without a status withdraws its cancellation',
    steps: [
      ics(['a', '20270109T150000', 'TV A – TV B', 'STATUS:CANCELLED']),
      ics(['a', '20270109T150000', 'TV A – TV B']),
    ],
    state: [firstLine],
    report: { changed: 1 },
  },
  {
    title:
      'a plan without a column for it does not withdraw a cancellation, nor does a doubtful note',
    steps: [
      withStatus('09.01.2027;15:00;TV A;TV B;Halle;abgesagt', ...rest.map((row) => `${row};`)),
      table('Spielplan.csv', 'Datum;Zeit;Heim;Gast;Ort;Bemerkung')(
        '09.01.2027;15:00;TV A;TV B;Halle;neue Trikots',
        ...rest.map((row) => `${row};`),
      ),
    ],
    state: [`${firstLine} (cancelled) | neue Trikots`, ...restLines],
    report: { changed: 1, unchanged: 2 },
  },
  {
    title: 'an event that was cancelled by hand stays when the file agreed and no longer does',
    steps: [
      withStatus('09.01.2027;15:00;TV A;TV B;Halle;', ...rest.map((row) => `${row};`)),
      cancel(1),
      withStatus('09.01.2027;15:00;TV A;TV B;Halle;abgesagt', ...rest.map((row) => `${row};`)),
      withStatus('09.01.2027;15:00;TV A;TV B;Halle;', ...rest.map((row) => `${row};`)),
    ],
    state: [`${firstLine} (cancelled)`, ...restLines],
    report: { unchanged: 3, kept: 1 },
  },
  {
    title: 'an event that was added and cancelled by hand is in a plan, which then gets a status',
    steps: [
      byHand('TV A – TV B', '2027-01-09T15:00', 'Halle'),
      cancel(1),
      first,
      withStatus('09.01.2027;15:00;TV A;TV B;Halle;', ...rest.map((row) => `${row};`)),
    ],
    state: [`${firstLine} (cancelled)`, ...restLines],
    report: { unchanged: 3 },
  },

  // What a file does not contain
  {
    title: 'a plan without times keeps them, and moves a match to its new day at its time',
    steps: [
      first,
      table('Spielplan.csv', 'Datum;Heim;Gast')(
        '09.01.2027;TV A;TV B',
        '17.01.2027;SC C;SC D',
        '24.01.2027;VfL E;VfL F',
      ),
    ],
    state: [firstLine, '#2 2027-01-17 18:00 SC C – SC D @Halle', restLines[1]],
    report: { moved: 1, unchanged: 2 },
  },
  {
    title: 'a plan without times does not touch a time that was edited by hand',
    steps: [
      first,
      edit(1, { date: '2027-01-09T16:00' }),
      table('Spielplan.csv', 'Datum;Heim;Gast')('09.01.2027;TV A;TV B'),
      first,
    ],
    state: ['#1 2027-01-09 16:00 TV A – TV B @Halle', ...restLines],
    report: { unchanged: 3 },
  },
  {
    title: 'a match is cancelled where its time stood, and has it again later',
    steps: [first, plan('09.01.2027;abgesagt;TV A;TV B;Halle', ...rest), first],
    state: [firstLine, ...restLines],
  },
  {
    title: 'an end is emptied while other rows have ends, and a note by hand stays',
    steps: [
      table('a.csv', 'Von;Bis;Was')('05.07.2027;11.07.2027;Lager', '01.05.2027;02.05.2027;Maifest'),
      table('a.csv', 'Von;Bis;Was')('12.07.2027;16.07.2027;Lager', '01.05.2027;;Maifest'),
    ],
    state: ['#2 2027-05-01 Maifest', '#1 2027-07-12 Lager | Until Fri 16 July'],
    report: { moved: 1, changed: 1 },
  },
  {
    title: 'a file has no notes and another one no ends, and what they lack stays',
    steps: [
      table('a.csv', 'Von;Bis;Was;Bemerkung')(
        '05.07.2027;11.07.2027;Lager;Zelt',
        '01.05.2027;;Fest;',
      ),
      table('a.csv', 'Von;Bis;Was')('05.07.2027;12.07.2027;Lager', '01.05.2027;;Fest'),
      table('a.csv', 'Von;Was;Bemerkung')('06.07.2027;Lager;Zelt und Seil', '01.05.2027;Fest;'),
    ],
    state: ['#2 2027-05-01 Fest', '#1 2027-07-06 Lager | Until Tue 13 July / Zelt und Seil'],
    report: { moved: 1, unchanged: 1 },
  },
  {
    title: 'a calendar no longer has the end of an event',
    steps: [
      ics(['a', '20270730', 'Lager', 'DTEND;VALUE=DATE:20270802'], ['b', '20270626', 'Fest']),
      ics(['a', '20270730', 'Lager'], ['b', '20270626', 'Fest']),
    ],
    state: ['#2 2027-06-26 Fest @Halle', '#1 2027-07-30 Lager @Halle'],
    report: { changed: 1, unchanged: 1 },
  },

  // Several files and clubs
  {
    title: 'two files come at once, and both come again with a match on another day',
    steps: [
      together(
        handball('1;09.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC C;SC D;Halle'),
        cricket('1,2027-01-10,11:00,Lions,Tigers,Park', '2,2027-01-17,11:00,Bears,Lions,Park'),
      ),
      together(
        handball('1;23.01.2027;15:00;TV A;TV B;Halle', '2;16.01.2027;18:00;SC C;SC D;Halle'),
        cricket('1,2027-01-10,11:00,Lions,Tigers,Park', '2,2027-01-24,11:00,Bears,Lions,Park'),
      ),
    ],
    state: [
      '#3 2027-01-10 11:00 Lions – Tigers @Park',
      restLines[0],
      '#1 2027-01-23 15:00 TV A – TV B @Halle',
      '#4 2027-01-24 11:00 Bears – Lions @Park',
    ],
    report: { moved: 2, unchanged: 2 },
  },
];

/** Events of another club, with the names and UIDs that the plans have. */
const neighbours = [
  makeEvent(1, { name: 'TV A – TV B', location: 'Halle', date: '2027-01-09T14:00:00.000Z' }),
  makeEvent(2, { name: 'Training', location: 'Halle', date: '2026-12-02T17:00:00.000Z' }),
];

describe('a plan that comes again', () => {
  it.each(
    choose(
      cases,
      cases.filter((_, at) => at % 2 === 0),
    ),
  )('$title', async ({ steps, state, report, refused }) => {
    const club = openClub();
    await addMember(club.home, user);
    await addMember(club.home, 'Neighbours', neighbours);
    const last = steps.at(-1) as Import;
    for (const step of steps.slice(0, -1)) {
      await (typeof step === 'function' ? step(club) : club.importPlan(step));
    }
    const before = await club.readEvents();
    const lines = (events: readonly StoredEvent[]) => linesOf(events, state);
    if (refused !== undefined) {
      await expect(club.importPlan(last, true)).rejects.toMatchObject({ code: refused });
      await expect(club.importPlan(last)).rejects.toMatchObject({ code: refused });
      expect(lines(await club.readEvents())).toEqual(state);
      return;
    }
    const preview = await club.importPlan(last, true);
    expect(await club.readEvents()).toEqual(before);
    const done = await club.importPlan(last);
    const after = await club.readEvents();
    expect(lines(after)).toEqual(state);
    expect(done.counts).toEqual(preview.counts);
    if (report !== undefined) {
      expect(done.counts).toEqual({
        ...Object.fromEntries(counted.map((key) => [key, 0])),
        ...report,
      });
    }
    expect(await club.readEvents('Neighbours')).toEqual(neighbours);

    const again = await club.importPlan(last);
    expect(again.counts).toMatchObject({ added: 0, changed: 0, moved: 0 });
    expect(await club.readEvents()).toEqual(after);

    // Each undo and redo takes as long as the import.
    if (done.batch === undefined || !choose(true, false)) return;
    await club.undo(done.batch);
    expect(await club.readEvents()).toEqual(before);
    await club.undo();
    expect(await club.readEvents()).toEqual(after);
  });
});

it('a row of an event that a hand moved has no new date, and does not take its cancellation back', async () => {
  const club = openClub();
  await addMember(club.home, user);
  const plan = (values: object): Import => ({
    files: {
      'plan.json': JSON.stringify([
        { name: 'Plan', date: '2026-12-03T18:00:00.000Z', ...values },
        { name: 'Other', date: '2026-12-04T18:00:00.000Z', location: 'Lake' },
      ]),
    },
  });
  await club.importPlan(plan({ location: 'Pool' }));
  const changes = { status: 'cancelled', date: '2026-12-01T18:00:00.000Z' } as const;
  await club.perform('event edit', { user, id: 1, changes });
  await club.importPlan(plan({ location: 'Pool', status: 'cancelled' }));
  const { counts } = await club.importPlan(plan({ location: 'Hall' }));
  expect(counts).toMatchObject({ added: 0, changed: 1, unchanged: 1, kept: 0 });
  const [event] = await club.readEvents();
  expect(event).toMatchObject({ ...changes, location: 'Hall' });
});

it('a row finds its event after the undo of an import, also if an earlier one named its id', async () => {
  const club = openClub();
  await addMember(club.home, user);
  const date = '2026-12-02T18:00:00.000Z';
  const importRows = async (...rows: object[]) => {
    const path = join(makeTestFolder(), 'plan.json');
    writeFileSync(path, JSON.stringify(rows));
    return await club.perform('import', { user, files: [path], overwriteEdits: true });
  };
  await importRows({ name: 'Plan', date, location: 'Lake' });
  await club.perform('event edit', { user, id: 1, changes: { name: 'B' } });
  const named = { id: 1, name: 'B', date: '2026-12-01T18:00:00.000Z' };
  await importRows(named, { name: 'Plan', date, location: 'Hall' });
  const { batch } = await importRows({ name: 'Plan', date, location: 'Lake' });
  await club.perform('undo', { id: batch as number });
  const again = await importRows({ id: 1, name: 'A', date }, { name: 'Plan', date });
  expect(again).toMatchObject({ added: 0 });
});
