import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { latestVersion } from '../../db/open.ts';
import type { ActionName, ActionResult } from '../../server/actions/catalogue.ts';
import { homeAt } from '../../server/base/home.ts';
import { thisMachine } from '../../server/club/tools.ts';
import { proposeAsAssistant } from '../../server/proposals/assistant.ts';
import { listBackups } from '../../server/store/backup-records.ts';
import { withReader } from '../../server/store/store.ts';
import { runCommand, startServe } from '../support/command.ts';
import { makeFolder, removeFolder } from '../support/home.ts';
import { type Answers, askAll, packHome, performOn, readPacked, writeAnswers } from './homes.ts';

/**
 * Makes the home of the present schema in `test/db/homes`, with this program: `node
 * test/db/make-home.ts`. Run it once for each migration, before its release. Homes of earlier schemas
 * stay as their programs made them.
 */

const root = join(import.meta.dirname, '../..');
const zone = 'Europe/Berlin';

/**
 * The folder of the shared files, whose path stays in the home. It does not exist where the tests
 * run, and names nothing of this computer.
 */
const shared = '/var/tmp/club-events-shared';

/** The time of the next command. Each takes a minute. */
let now = Date.parse('2026-11-26T08:00:00.000Z');

const environment = () => ({
  TZ: zone,
  NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'test/support/clock.js'))}`,
  CLOCK_AHEAD: `${now - Date.now()}`,
});

/** An assistant proposes an event to the first club, and a person refuses it. */
async function refuseAssistant({ directory, run }: ReturnType<typeof openHome>): Promise<void> {
  await run('user assistant', ['Rovers', 'on']);
  const home = homeAt(directory);
  const tools = { ...thisMachine, home, now: () => new Date(now), systemTimeZone: () => zone };
  const call = { assistant: 'Ada', why: 'Sie haben danach gefragt.' };
  const changes = [{ name: 'Sommerfest', date: '2027-07-03T14:00' }];
  const [made] = await withReader(home, (db) =>
    proposeAsAssistant(db, 1, { ...call, changes }, tools),
  );
  const answer = ['--refuse', made?.id ?? '', '--reason', 'Erst im August.'];
  await run('proposal answer', ['--user', 'Rovers', ...answer]);
}

/** Returns the actions on a data directory: most as commands, as a person gives them. */
function openHome(directory: string) {
  return {
    directory,
    /** Runs a command, and returns its result. Throws if it fails. */
    async run<Name extends ActionName>(
      name: Name,
      args: readonly string[] = [],
      input = '',
    ): Promise<ActionResult<Name>> {
      now += 60_000;
      const all = ['--home', directory, '--json', ...name.split(' '), ...args];
      const { status, stdout, stderr } = await runCommand(all, { env: environment(), input });
      if (status !== 0) throw new Error(`${name} ${args.join(' ')}: ${stderr}`);
      return JSON.parse(stdout) as ActionResult<Name>;
    },
    /** Performs an action that only the window has. */
    async act(name: ActionName, args: object): Promise<void> {
      now += 60_000;
      await performOn(homeAt(directory), new Date(now).toISOString())(name, args);
    },
  };
}

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n`;

const columns = 'id,name,date,location,description,status,eventType,registrationOpen';

const files = {
  'season.csv': lines(
    columns,
    '1,U15 training,2027-01-12T18:30:00+01:00,Sporthalle Süd,Bring both shirts,active,club,',
    '2,Rovers v City,2027-01-16T15:00:00+01:00,Home Ground,"Ends: 16:45\nTickets at the gate",active,regional,true',
    '3,Jahreshauptversammlung,2027-02-05T19:30:00+01:00,Vereinsheim Größenstraße,"Ende: 22:00\nWahl des Vorstands",active,club,false',
    '4,Köln away,2027-02-13T14:00:00+01:00,Köln-Mülheim,,cancelled,national,',
    '5,Summer tournament,2027-07-03T09:00:00+02:00,,,draft,,true',
    '6,Photo evening,2026-10-09T19:00:00+02:00,Clubhouse,,completed,club,false',
    '7,Διεθνής ΣΊΣΥΦΟΣ – Ёлка,2027-09-18T10:00:00+02:00,Ναύπλιο / Ålesund,"한국어 마라톤, दिल्ली मैराथन, Marché de Noël",active,international,true',
  ),
  'later.csv': lines(
    columns,
    '2,Rovers v City,2027-01-16T15:30:00+01:00,Home Ground,"Ends: 17:15\nTickets at the gate",active,regional,false',
    '4,Köln away,2027-02-20T14:00:00+01:00,Köln-Mülheim,,active,national,',
    '71,Spring clean,2027-03-20T10:00:00+01:00,Home Ground,Gloves!,active,club,',
  ),
  'mistake.csv': lines(
    columns,
    '3,Wrong name,2027-02-06T19:30:00+01:00,,,cancelled,,',
    '81,Wrong event,2027-04-01T10:00:00+02:00,Nowhere,,active,,',
  ),
  'north.csv': lines(
    columns,
    '1,Nordcup,2027-05-08T11:00:00+02:00,Flensburg,Zelten möglich,active,regional,true',
    '2,Hafenlauf,2027-06-12T08:00:00+02:00,Hafen,,active,club,',
  ),
  'chess.ics': lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Schach//DE',
    'BEGIN:VEVENT',
    'UID:abend@schach.example',
    'DTSTAMP:20261101T120000Z',
    'SUMMARY:Übungsabend',
    'LOCATION:Bürgerhaus',
    'DTSTART;TZID=Europe/Berlin:20270105T190000',
    'DTEND;TZID=Europe/Berlin:20270105T213000',
    'RRULE:FREQ=WEEKLY;COUNT=3',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:open@schach.example',
    'DTSTAMP:20261101T120000Z',
    'SUMMARY:Osterturnier',
    'STATUS:CANCELLED',
    'DESCRIPTION:Fällt aus\\nbis auf Weiteres',
    'DTSTART;VALUE=DATE:20270326',
    'DTEND;VALUE=DATE:20270329',
    'END:VEVENT',
    'END:VCALENDAR',
  ),
  'holidays.ics': lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Schule//DE',
    'BEGIN:VEVENT',
    'UID:ostern@schule.example',
    'DTSTAMP:20261101T120000Z',
    'SUMMARY:Osterferien',
    'DTSTART;VALUE=DATE:20270322',
    'DTEND;VALUE=DATE:20270404',
    'END:VEVENT',
    'END:VCALENDAR',
  ),
};

const rovers = ['--user', 'Rovers'];
const chess = ['--user', 'Schachfreunde Köln'];
/** Follows the service of the other computer. */
const guests = ['--user', 'Gäste'];
/** Follows a file of the other computer. */
/** The club that takes its name from the file that it follows. */
const north = ['--user', 'Nord'];

const work = makeFolder();
const home = openHome(join(work, 'home'));
/** Another computer: the home follows its service and a file, and each proposes changes to the other. */
const other = openHome(join(work, 'other'));
const inWork = (name: keyof typeof files) => join(work, name);
const inShared = (name: string) => join(shared, name);

/** Tells the members of a club everything but some events. */
async function tell(user: string, language: string | null, unannounced: readonly number[]) {
  const at = new Date(now).toISOString();
  const { announced, now: place } = await performOn(homeAt(home.directory), at)('message read', {
    user,
  });
  const others = unannounced.map((id) => ({ id, batch: announced.batch }));
  await home.act('message store', { user, announced: { ...place, at, language, others } });
}

async function addClubs(): Promise<void> {
  const { run, act } = home;
  await run('user add', ['Rovers', '--zone', zone]);
  await run('user add', ['Schachfreunde', '--zone', zone]);
  await run('user rename', ['Schachfreunde', 'Schachfreunde Köln']);
  await run('key create', [...rovers, '--label', 'Aushang', '--expires', '2099-12-31']);
  await run('key create', chess);
  const { id } = await run('key create', [...rovers, '--label', 'lost']);
  await run('key revoke', [`${id}`]);
  await run('import', [inWork('season.csv'), ...rovers]);
  const year = ['--from', '2027-01-01', '--to', '2027-12-31'];
  await run('import', [inWork('chess.ics'), ...chess, ...year]);
  const evening = ['--name', 'Elternabend', '--date', '2027-03-04T19:00', '--end', '21:00'];
  const details = ['--location', 'Clubhouse', '--description', 'Bitte pünktlich'];
  await run('event add', [...rovers, ...evening, ...details, '--registration', 'open']);
  await run('event edit', ['1', ...rovers, '--location', 'Sporthalle Nord']);
  await run('event cancel', ['3', ...rovers, '--reason', 'Der Saal ist gesperrt']);
  await run('user length', ['Rovers', '105']);
  await run('user season', ['Rovers', '8']);
  await refuseAssistant(home);
  await run('user length', ['Schachfreunde Köln', '150']);
  await run('days-off add', [inWork('holidays.ics'), ...rovers, '--name', 'Schulferien']);
  const days = [
    { first: '2027-01-01', last: '2027-01-01', name: 'Neujahr' },
    { first: '2027-03-26', last: '2027-03-26', name: 'Karfreitag' },
  ];
  const readAt = new Date(now).toISOString();
  const calendar = { kind: 'public', name: 'Feiertage', source: 'DE-NW', readAt, days };
  await act('days-off put', { user: 'Schachfreunde Köln', calendar });
  await run('team add', ['U15', ...rovers, '--words', 'U15, U 15']);
  await run('team add', ['Erste', ...rovers, '--words', 'Rovers v', '--without', 'U15']);
  await run('team change', ['erste', ...rovers, '--name', 'Érste', '--place', 'Home Ground']);
  await run('follow add', [writeFixtures(), ...rovers, '--prefix', 'U15: ']);
  await tell('Rovers', 'de', []);
}

/** Writes the calendar of a league into the shared folder. */
function writeFixtures(): string {
  mkdirSync(shared, { recursive: true });
  const path = join(shared, 'fixtures.ics');
  const match = [
    ...['BEGIN:VEVENT', 'UID:match-1@league', 'DTSTAMP:20261101T080000Z'],
    ...['DTSTART:20261219T140000Z', 'SUMMARY:Rovers v City', 'LOCATION:Ground', 'END:VEVENT'],
  ];
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//League//', 'X-WR-CALNAME:Fixtures'];
  writeFileSync(path, [...head, ...match, 'END:VCALENDAR', ''].join('\r\n'));
  return path;
}

/** Serves the other computer, at its base URL; on a free port if that is missing. */
async function serveOther(url: string | undefined, use: (url: string) => Promise<unknown>) {
  const port = url === undefined ? '0' : new URL(url).port;
  const args = ['--home', other.directory, '--port', port, '--sync-every', '0'];
  const stopAtEnd = (stop: () => void) => void process.on('exit', stop);
  const { firstLine, end } = await startServe(args, stopAtEnd, { env: environment() });
  await use(firstLine);
  await end('SIGTERM');
  return firstLine;
}

/** Follows the other computer's service and file, and keeps files up to date; returns its URL. */
async function follow(): Promise<string> {
  await other.run('user add', ['Nord', '--zone', zone]);
  await other.run('import', [inWork('north.csv'), '--user', 'Nord']);
  const first = await other.run('key create', ['--user', 'Nord']);
  const second = await other.run('key create', ['--user', 'Nord']);
  await home.run('user add', ['Gäste', '--zone', zone]);
  const served = await serveOther(undefined, async (url) => {
    await home.run('mirror set', [...guests, '--url', url], first.key);
    await home.run('mirror key add', guests, second.key);
  });
  for (const name of ['rovers.ics', 'rovers.json']) {
    await home.run('publish add', [...rovers, '--to', inShared(name)]);
  }
  const page = ['--to', inShared('u15.html'), '--filter', 'U15', '--language', 'de'];
  await home.run('publish add', [...rovers, ...page]);
  await home.run('publish add', [...rovers, '--to', inShared('u15.ics'), '--team', 'U15']);
  await other.run('publish add', ['--user', 'Nord', '--to', inShared('nord.json')]);
  await home.run('user add', ['Nordlichter', '--zone', zone]);
  await home.run('mirror set', ['--user', 'Nordlichter', '--file', inShared('nord.json')]);
  return served;
}

/** Proposes changes that get every kind of answer; returns the id of the refused one. */
async function propose(): Promise<string> {
  const edit = await home.run('proposal edit', ['1', ...north, '--location', 'Glücksburg']);
  const cancel = await home.run('proposal cancel', ['2', ...north, '--reason', 'Sturm']);
  const words = ['--name', 'Tom', '--note', 'Mit dem Hafen besprochen'];
  await home.run('proposal send', [...north, ...words]);
  const refused = cancel.proposal.id;
  const answers = ['--accept', edit.proposal.id, '--refuse', refused, '--reason', 'Kein Sturm.'];
  await other.run('proposal answer', ['--user', 'Nord', ...answers]);
  await other.run('publish now');
  await home.run('mirror sync', north);
  const party = ['--name', 'Grillfest', '--date', '2027-08-14T17:00', '--end', '23:00'];
  await home.run('proposal add', [...north, ...party]);
  const market = ['--name', 'Flohmarkt', '--date', '2027-09-05T09:00'];
  const withdrawn = await home.run('proposal add', [...north, ...market]);
  await home.run('proposal send', [...north, '--name', 'Tom']);
  await home.run('proposal withdraw', [withdrawn.proposal.id, ...north]);
  // Not sent.
  await home.run('proposal remove', ['1', ...north]);
  return refused;
}

async function answer(): Promise<void> {
  const copy = rovers;
  await other.run('user add', ['Rovers copy', '--zone', zone]);
  await other.run('mirror set', ['--user', 'Rovers copy', '--file', inShared('rovers.json')]);
  const edit = await other.run('proposal edit', ['5', ...copy, '--location', 'Stadtpark']);
  const remove = await other.run('proposal remove', ['6', ...copy]);
  await other.run('proposal add', [...copy, '--name', 'Karaoke', '--date', '2027-04-23T20:00']);
  await other.run('proposal send', [...copy, '--name', 'Ida']);
  const answers = ['--accept', edit.proposal.id, '--refuse', remove.proposal.id];
  await home.run('proposal answer', [...rovers, ...answers, '--reason', 'Bleibt.']);
  await home.run('publish now');
}

/** Makes the daily backup, further changes, and a backup by hand. */
async function makeBackups(): Promise<void> {
  const { run, act } = home;
  now += 24 * 60 * 60_000;
  // The one of the first day, before most of it.
  rmSync(homeAt(home.directory).backups, { recursive: true });
  // The backup of the day follows the first change.
  await run('import', [inWork('later.csv'), ...rovers]);
  const { batch } = await run('import', [inWork('mistake.csv'), ...rovers]);
  await run('undo', [`${batch}`]);
  const evening = ['--date', '2027-02-06T19:30', '--status', 'active'];
  await run('event edit', ['3', ...rovers, ...evening]);
  await run('event remove', ['5', ...rovers]);
  const move = { kind: 'move', days: 7 };
  await act('events change', { user: 'Schachfreunde Köln', ids: [1, 2], change: move });
  await run('backup');
}

async function changeAfterBackups(url: string, refused: string): Promise<void> {
  const { run } = home;
  await run('import', [inWork('season.csv'), ...rovers]);
  const blitz = ['--name', 'Blitzturnier', '--date', '2027-05-01T10:00'];
  await run('event add', [...chess, ...blitz]);
  await run('event cancel', ['3', ...chess]);
  await other.run('event edit', ['2', '--user', 'Nord', '--date', '2027-06-13T08:00']);
  await other.run('publish now');
  await serveOther(url, () => run('mirror sync'));
  await run('proposal withdraw', [refused, ...north]);
  await tell('Rovers', 'de', [3]);
  await tell('Schachfreunde Köln', null, []);
  const { calendars } = await run('days-off list', chess);
  await run('days-off remove', [`${calendars[0]?.id}`, ...chess]);
  await run('key create', [...rovers, '--label', 'Küche']);
  await run('publish now');
  await run('check');
}

/** Asks about the home, and about each backup after its restore. */
async function ask(): Promise<Readonly<Record<string, Answers>>> {
  const at = new Date(now).toISOString();
  const { directory } = home;
  const answers: Record<string, Answers> = { 'events.sqlite': await askAll(homeAt(directory), at) };
  for (const { name } of listBackups(homeAt(directory))) {
    const empty = openHome(join(work, name));
    await empty.run('restore', [join(directory, 'backups', name)]);
    answers[`backups/${name}`] = await askAll(homeAt(empty.directory), at);
  }
  return answers;
}

/** Throws if a file of the home names a folder of this computer. */
function requireNoPaths(): void {
  for (const [name, bytes] of Object.entries(readPacked(latestVersion))) {
    const found = [work, root, homedir()].find((path) => Buffer.from(bytes).includes(path));
    if (found !== undefined) throw new Error(`${name} has the path ${found}.`);
  }
}

mkdirSync(shared);
for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
try {
  await addClubs();
  const url = await follow();
  const refused = await propose();
  await answer();
  await makeBackups();
  await changeAfterBackups(url, refused);
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root });
  const made = {
    schema: latestVersion,
    commit: `${commit}`.trim(),
    at: new Date(now).toISOString(),
  };
  writeAnswers({ ...made, answers: await ask() });
  packHome(home.directory, latestVersion);
  requireNoPaths();
} finally {
  removeFolder(shared);
  removeFolder(work);
}
