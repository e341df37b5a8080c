import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { connection } from '../../../db/open.ts';
import { writeCopy } from '../../../server/copy/club-copy.ts';
import { writeCopyInPage } from '../../../server/copy/page.ts';
import type { FileKind, FileUse } from '../../../server/import/formats.ts';
import { listFileKinds, recognizeFile } from '../../../server/import/kinds.ts';
import { writeProposals } from '../../../server/proposals/proposals-file.ts';
import { type FileRoute, routeOf } from '../../../server/ui/manage/parts/file-route.ts';
import { callCommand } from '../../support/command.ts';
import { testCopyFacts } from '../../support/events.ts';
import {
  addMember,
  makeEvent,
  makeTestFolder,
  makeTestHome,
  openMemory,
} from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { makeXlsx } from '../../support/workbook.ts';
import { zip } from '../../support/zip.ts';
import { writeTestFile } from './files.ts';

const clock = { timeZone: 'Europe/Berlin', now: new Date('2026-11-19T08:00:00Z') };
const mark = '\ufeff';

const table = 'Name,Date,Place\nConcert,2027-05-01,Hall\n';
const list = '{"events":[{"name":"Concert","date":"2027-05-01T18:00:00Z"}]}';
/** An event whose note says what only a copy of a club says of itself. */
const posing = JSON.stringify([
  { name: 'Talk', date: '2027-05-01', description: '"format":"club-events-copy", "sha256":"0"' },
]);

const entry = (...lines: readonly string[]) =>
  ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
const calendar = (...entries: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...entries, 'END:VCALENDAR', ''].join('\r\n');
const wholeDay = entry(
  'UID:1',
  'DTSTART;VALUE=DATE:20261223',
  'DTEND;VALUE=DATE:20270107',
  'SUMMARY:Holidays',
);
const yearly = entry(
  'UID:2',
  'DTSTART;VALUE=DATE:20260501',
  'RRULE:FREQ=YEARLY',
  'SUMMARY:May Day',
);
const timed = entry('UID:3', 'DTSTART:20270501T180000Z', 'SUMMARY:Concert');
const unreadable = entry('UID:4', 'DTSTART;VALUE=DATE:20271399', 'SUMMARY:Never');

const events = [makeEvent(1), makeEvent(2)] as StoredEvent[];
const copy = writeCopy(events, testCopyFacts);
const page = `<!DOCTYPE html>\n<html><h1>Season</h1>\n${writeCopyInPage(copy)}</html>\n`;
const proposals = writeProposals({ club: 'a', sender: 'Tom', file: '0123456789ab', number: 1 }, []);

const backup = connection(openMemory()).serialize();
const foreign = Buffer.from(backup);
foreign.writeInt32BE(0, 68);

const workbook = makeXlsx([
  ['Name', 'Date'],
  ['Concert', '2027-05-01'],
]);
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const office = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
const large = `${'x'.repeat(99)}\n`.repeat(100_000);

const files: readonly (readonly [
  what: string,
  name: string,
  content: string | Uint8Array,
  kind: FileKind,
])[] = [
  ['a table', 'season.csv', table, 'events'],
  ['a table with a byte order mark', 'season.csv', mark + table, 'events'],
  ['a table in UTF-16', 'season.csv', Buffer.from(mark + table, 'utf16le'), 'events'],
  [
    'a table in the code page of Windows',
    'saison.csv',
    Buffer.from('Name;Datum\nFrühjahrsputz;1.5.2027\n', 'latin1'),
    'events',
  ],
  ['a table under the name of a backup', 'club.sqlite', table, 'events'],
  ['a large table', 'large.csv', `Name,Date\n${large}`, 'events'],
  ['a workbook', 'season.xlsx', workbook, 'events'],
  ['a workbook named as a table', 'season.csv', workbook, 'events'],
  ['a workbook that is cut', 'season.xlsx', workbook.subarray(0, 200), 'other'],
  ['a list of events', 'season.json', list, 'events'],
  ['a list with a byte order mark', 'season.json', mark + list, 'events'],
  ['events by line', 'season.jsonl', '{"name":"Concert","date":"2027-05-01"}\n', 'events'],
  ['an event whose note poses as a copy', 'season.json', posing, 'events'],
  ['a JSON file without events', 'package.json', '{"version":"1.0.0"}', 'other'],
  ['a calendar of events', 'season.ics', calendar(timed, wholeDay), 'events'],
  ['a calendar without events', 'empty.ics', calendar(), 'events'],
  ['a calendar of whole days', 'holidays.ics', calendar(wholeDay, yearly), 'daysOff'],
  ['the same with a byte order mark', 'holidays.ics', mark + calendar(wholeDay), 'daysOff'],
  ['the same under another name', 'holidays.txt', calendar(wholeDay), 'daysOff'],
  [
    'whole days with one that cannot be read',
    'holidays.ics',
    calendar(wholeDay, unreadable),
    'events',
  ],
  ['a calendar that is cut', 'holidays.ics', calendar(wholeDay, timed).slice(0, 60), 'events'],
  ['a backup', 'club.sqlite', backup, 'backup'],
  ['a backup under the name of a table', 'club.csv', backup, 'backup'],
  ['a backup without an ending', 'club', backup, 'backup'],
  ['a compressed backup', 'club.sqlite.gz', gzipSync(backup), 'backup'],
  [
    'a backup of an earlier schema',
    'old.gz',
    readFileSync(join(import.meta.dirname, '../store/backups/schema-12.sqlite.gz')),
    'backup',
  ],
  ['a backup that is cut', 'club.sqlite', backup.subarray(0, 5_000), 'backup'],
  ['a backup cut in its header', 'club.sqlite', backup.subarray(0, 40), 'other'],
  ['a database of another program', 'other.sqlite', foreign, 'other'],
  ['a compressed table', 'season.csv.gz', gzipSync(table), 'other'],
  ['a damaged compressed file', 'club.sqlite.gz', Buffer.from('1f8b0800ffff', 'hex'), 'other'],
  ['a backup in a ZIP file', 'club.zip', zip({ 'club.sqlite': backup }), 'other'],
  ['a copy for another computer', 'club.json', copy, 'copy'],
  ['the same under another name', 'club.txt', copy, 'copy'],
  ['the same with a byte order mark', 'club.json', mark + copy, 'copy'],
  ['the same with one byte changed', 'club.json', copy.replace('Clubhouse', 'Clubhaus'), 'copy'],
  [
    'the same saved again by an editor',
    'club.json',
    JSON.stringify(JSON.parse(copy), undefined, 2),
    'copy',
  ],
  [
    'a large copy',
    'club.json',
    writeCopy(
      Array.from({ length: 20_000 }, (_, at) => makeEvent(at + 1)) as StoredEvent[],
      testCopyFacts,
    ),
    'copy',
  ],
  ['the page for members', 'club.html', page, 'copy'],
  ['the page with one byte changed', 'club.html', page.replace('Clubhouse', 'Clubhaus'), 'copy'],
  ['the page under another name', 'club.txt', page, 'copy'],
  ['any web page', 'index.html', '<!doctype html><table><tr><td>1</td></tr></table>', 'other'],
  ['proposals', 'club.json.proposals-0123456789ab.json', proposals, 'proposals'],
  ['proposals under another name', 'answers.json', proposals, 'proposals'],
  ['an empty file', 'season.csv', '', 'other'],
  ['a file of zeros', 'season.csv', Buffer.alloc(70_000), 'other'],
  ['a file of spaces', 'season.csv', ' \n \n', 'other'],
  ['a picture', 'poster.png', png, 'other'],
  ['a PDF', 'season.pdf', '%PDF-1.7\n', 'other'],
  ['a workbook of Excel 97', 'season.xls', office, 'other'],
  ['a rich text', 'season.rtf', '{\\rtf1 "name": 1}', 'other'],
  ['an XML file', 'season.xml', '<?xml version="1.0"?><season/>', 'other'],
];

/** The step of the window with one file of each kind. */
const routes: Readonly<Record<FileKind, FileRoute>> = {
  events: { step: 'lead', use: 'import' },
  daysOff: { step: 'ask', uses: ['daysOff', 'import'] },
  backup: { step: 'lead', use: 'restore' },
  copy: { step: 'ask', uses: ['follow', 'import'] },
  proposals: { step: 'lead', use: 'proposals' },
  other: { step: 'explain' },
};

describe('the kind of a file', () => {
  it.each(files)('%s, %s, decides where the window leads', async (_, name, content, kind) => {
    const { now, timeZone } = clock;
    const { kinds } = await listFileKinds(
      { files: [writeTestFile(name, content)] },
      { home: makeTestHome(), now: () => now, systemTimeZone: () => timeZone },
    );
    expect(kinds).toEqual([kind]);
    expect(routeOf(kinds)).toEqual(routes[kind]);
  });

  it.each<[why: string, kinds: readonly FileKind[], route: FileRoute]>([
    ['are a season plan', ['events', 'events'], routes.events],
    ['are asked about together', ['daysOff', 'daysOff'], routes.daysOff],
    ['lead to one screen', ['proposals', 'proposals'], routes.proposals],
    ['differ', ['events', 'daysOff'], { step: 'refuse' }],
    ['differ in the last one', ['events', 'events', 'backup'], { step: 'refuse' }],
    ['have an unknown one', ['other', 'events'], { step: 'refuse' }],
    ['are all unknown', ['other', 'other'], { step: 'refuse' }],
    ['exclude each other', ['backup', 'backup'], { step: 'refuse' }],
    ['cannot both be followed', ['copy', 'copy'], { step: 'refuse' }],
  ])('is that of several files, which %s', (_, kinds, route) => {
    expect(routeOf(kinds)).toEqual(route);
  });

  it.each<[wanted: FileUse, kind: FileKind, route: FileRoute]>([
    ['daysOff', 'daysOff', { step: 'lead', use: 'daysOff' }],
    ['daysOff', 'events', { step: 'lead', use: 'daysOff' }],
    ['daysOff', 'backup', routes.backup],
    ['daysOff', 'copy', routes.copy],
    ['follow', 'copy', { step: 'lead', use: 'follow' }],
    ['follow', 'backup', routes.backup],
    ['follow', 'events', routes.events],
    ['restore', 'backup', routes.backup],
    ['restore', 'events', routes.events],
    ['import', 'events', routes.events],
    ['import', 'daysOff', routes.daysOff],
    ['import', 'copy', routes.copy],
    ['import', 'other', routes.other],
  ])('chosen for %s that is %s leads to its use', (wanted, kind, route) => {
    expect(routeOf([kind], wanted)).toEqual(route);
  });

  it('is that of the target of a link; a folder and a missing file are other files', async (context) => {
    requirePlace(context, 'symbolic links');
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'club'), backup);
    symlinkSync(join(folder, 'club'), join(folder, 'link'));
    mkdirSync(join(folder, 'club.sqlite'));
    const kindOf = (name: string) => recognizeFile(join(folder, name), clock);
    expect(await kindOf('link')).toBe('backup');
    expect(await kindOf('club.sqlite')).toBe('other');
    expect(await kindOf('missing.csv')).toBe('other');
  });
});

describe('a command for files of another kind', () => {
  const [holidays, season] = [calendar(wholeDay), table];
  it.each([
    ['import', 'club.csv', backup, 'club-events restore FILE'],
    ['import', 'club.json', copy, 'club-events mirror set --user Chess --file FILE'],
    ['import', 'club.html', page, 'club-events mirror set --user Chess --file FILE'],
    ['import', 'answers.json', proposals, 'club-events proposal review --user Chess'],
    ['days-off add', 'club.ics', backup, 'club-events restore FILE'],
    ['mirror set', 'club.json', backup, 'club-events restore FILE'],
    ['mirror set', 'answers.json', proposals, 'club-events proposal review --user Chess'],
    ['restore', 'club.sqlite', season, 'club-events import FILE --user NAME'],
    ['restore', 'season.xlsx', workbook, 'club-events import FILE --user NAME'],
    ['restore', 'holidays.ics', holidays, 'club-events import FILE --user NAME'],
    ['restore', 'club.json', copy, 'club-events mirror set --user NAME --file FILE'],
  ])(
    '%s refuses %s, names the right command and changes nothing',
    async (command, name, content, right) => {
      const home = makeTestHome();
      await addMember(home, 'Chess', [makeEvent(1)]);
      const call = (...args: readonly string[]) => callCommand(['--home', home.directory, ...args]);
      const list = async () => (await call('export', '--user', 'Chess', '--format', 'json')).stdout;
      const before = await list();
      const path = writeTestFile(name, content);
      const file = command === 'mirror set' ? ['--file', path] : [path];
      const user = command === 'restore' ? [] : ['--user', 'Chess'];
      const { status, stderr } = await call(...command.split(' '), ...file, ...user);
      expect(status).toBe(2);
      expect(stderr).toContain(path);
      expect(stderr).toContain(right);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(await list()).toBe(before);
    },
  );

  it('takes the word of a person who names the format', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const path = writeTestFile('club.txt', copy);
    const args = ['--home', home.directory, 'import', path, '--user', 'Chess', '--format', 'json'];
    expect((await callCommand(args)).stdout).toContain('2 events');
  });
});
