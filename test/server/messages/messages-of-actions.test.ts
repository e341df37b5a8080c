import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { performInBackground } from '../../../server/actions/background.ts';
import { type ActionName, catalogue } from '../../../server/actions/catalogue.ts';
import { Problem, packProblem } from '../../../server/base/errors.ts';
import type { Home } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { problemMessage } from '../../../server/messages/message.ts';
import {
  type Language,
  languages,
  wordForCommandLine,
  wordProblem,
} from '../../../server/messages/messages.ts';
import { addMember, makeTestHome } from '../../support/home.ts';
import { makeXlsx } from '../../support/workbook.ts';
import { writeTestFile } from '../import/files.ts';

const user = 'Chess';

/** The arguments that import a file with this content. */
const files = (name: string, content: string | Uint8Array) => () => ({
  user,
  files: [writeTestFile(name, content)],
});

/** The arguments that add an event with these values. */
const event = (values: object) => () => ({
  user,
  event: { name: 'Run', date: '2026-05-01', ...values },
});

const workbook = makeXlsx([['Titel']]);
const unclear = Buffer.from('name,date\n\x9abungsplatz,2026-05-01', 'latin1');

/** Failures of the actions, each with its sentence in the English window. */
const failures: readonly (readonly [ActionName, () => object, RegExp])[] = [
  ['user remove', () => ({ name: 'Go' }), /^There is no club “Go” any more\.$/],
  ['user add', () => ({ name: user }), /^There is a club “Chess” already/],
  ['user add', () => ({ name: ' ' }), /^Enter a name/],
  ['key create', () => ({ user, expires: 'soon' }), /^“soon” is not a date; choose another day/],
  ['key revoke', () => ({ id: 99 }), /^This key no longer exists\.$/],
  ['key revoke', () => ({ id: 'one' }), /^The id of a key is a whole number\.$/],
  ['history', () => ({ user: 'Go' }), /^There is no club “Go” any more\.$/],
  ['undo', () => ({ id: 99 }), /^This change is no longer in the history\.$/],
  ['undo', () => ({ id: 'one' }), /^The number of a change is a whole number\.$/],
  ['event edit', () => ({ user, id: 99, changes: {} }), /^This event no longer exists\.$/],
  ['event cancel', () => ({ user, id: 'one' }), /^The id of an event is a whole number\.$/],
  ['event add', () => ({ user, event: { name: '', date: '' } }), /^Enter a name for the event\.$/],
  ['event add', event({ date: 'soon' }), /^“soon” was not understood as a date/],
  [
    'event add',
    event({ date: '5/4/2026' }),
    /could begin with the day or the month; write it like/,
  ],
  ['event add', event({ date: 'Sun 2 May 2026' }), /another weekday than that of 2026-05-02/],
  ['event add', event({ location: 'x'.repeat(20_001) }), /^The place is longer than 20000/],
  [
    'event add',
    event({ status: 'on' }),
    /^The status is Draft, Planned, Completed or Cancelled\.$/,
  ],
  [
    'event add',
    event({ eventType: 'fun' }),
    /^The type is National, International, Regional, Club or No type\.$/,
  ],
  ['export', () => ({ user, output: 'events' }), /^Choose a format for the file\.$/],
  ['export', () => ({ user: 'Go', format: 'csv' }), /^There is no club “Go” any more\.$/],
  ['import', () => ({ user, files: ['a.csv'], format: 'xls' }), /^The format is not known/],
  ['import', () => ({ user, files: ['a.csv'], dateOrder: 'ymd' }), /^The order of dates/],
  ['import', () => ({ user, files: ['a.csv'], encoding: 'klingon' }), /^“klingon” is not an/],
  ['import', () => ({ user, files: ['a.csv'], timeZone: 'CET+1' }), /^The time zone is not/],
  [
    'import',
    () => ({ ...files('season.csv', 'name,date')(), from: 'soon' }),
    /^“soon” is not a date/,
  ],
  ['import', files('season.log', 'name'), /does not end in .*; choose a file whose name does\.$/],
  [
    'import',
    files('season.csv', 'x,y,day\nA,B,2026-05-01'),
    /row 1: there is no column for the name; choose the one that has it\. Nothing was imported\.$/,
  ],
  [
    'import',
    files('season.csv', 'Titel,Event,date\nA,B,2026-05-01'),
    /the columns “Titel”, “Event” could both be the name; choose one of them/,
  ],
  [
    'import',
    files('season.csv', 'name,date\nA,1/2/2026'),
    /row 2, “date”: “1\/2\/2026” could begin with the day or the month; choose which comes first/,
  ],
  [
    'import',
    files('season.csv', 'name,date\nA,31.11.2026'),
    /“31\.11\.2026” does not exist: November 2026 has only 30 days/,
  ],
  ['import', files('season.csv', 'Titel,Datum\n"",1.5.2026'), /row 2, column “Titel”: is empty/],
  ['import', files('season.csv', 'name,date,eventType\nA,1.5.2026,Ball'), /“ball” is not a type/],
  [
    'import',
    files('season.csv', 'name,date,time\nA,1.5.2026,soon'),
    /“soon” was not understood as a time/,
  ],
  ['import', files('season.csv', 'name,date\nA'), /as many cells as the header \(1 instead of 2\)/],
  ['import', files('season.csv', 'name,date\n"A'), /a quotation mark is opened and never closed/],
  ['import', files('season.csv', ''), /the file is empty/],
  [
    'import',
    files('season.csv', workbook),
    /this is a workbook; change the end of its name to \.xlsx/,
  ],
  ['import', files('season.xlsx', 'Titel;Datum'), /a text file, not a workbook; .* to \.csv/],
  ['import', files('season.xlsx', workbook.subarray(9)), /save the table as \.xlsx in Excel/],
  ['import', files('season.csv', unclear), /save it again as “CSV UTF-8”/],
  ['import', files('season.json', '{"events":[{"name":"A"}]}'), /event 1, “date”: is missing/],
  ['import', files('season.json', '[5]'), /event 1: this is not an event/],
  ['import', files('season.json', '{"events":['), /season\.json: the data ends too early/],
  ['import', files('season.json', '{"a":1}'), /no list “events”/],
  ['import', files('season.ics', ''), /season\.ics/],
];

async function problemOf(home: Home, name: ActionName, args: unknown): Promise<Problem> {
  const tools = { ...thisMachine, home, write: async () => undefined, onProgress: () => undefined };
  const error = await catalogue[name].perform(args, tools).then(
    () => new Error('It did not fail.'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw error;
  return error;
}

/** Options and commands, which only people at a command line can use. */
const commandTerms = /(^|[\s"'`([“„])--[a-z]|club-events |\bcommand/i;
const englishWords = /\b(the|is|are|not|of|with|and|choose|row|column|event|file|again)\b/i;

describe('the failure of an action', () => {
  it.each(failures)('has a sentence for the window in each language: %s %#', async (...failure) => {
    const [name, args, expected] = failure;
    const home = makeTestHome();
    await addMember(home, user);
    const problem = packProblem(await problemOf(home, name, args()));
    expect(wordProblem(problem, 'en')).toMatch(expected);
    for (const language of Object.keys(languages) as Language[]) {
      const sentence = wordProblem(problem, language);
      expect(sentence).not.toMatch(commandTerms);
      expect(sentence).not.toMatch(/\{\{|undefined|\[object|["']/);
      // Names of columns and values of the file stay as they are.
      const own = sentence.replace(/[“„«][^”“»]*[”“»]/g, '');
      if (language === 'de') expect(own).not.toMatch(englishWords);
    }
    const sentence = wordForCommandLine(problemMessage(problem));
    expect(sentence).not.toMatch(/\{\{|undefined|\[object|[“”]/);
  });

  it('is the same from another thread', async () => {
    const home = makeTestHome();
    await addMember(home, user);
    const options = { home, onProgress: () => undefined };
    await expect(performInBackground('undo', { id: 5 }, options)).rejects.toMatchObject({
      code: 'import_unknown',
      values: { id: 5 },
    });
  });

  it('is worded where it is shown: no action names options and commands', () => {
    const server = join(import.meta.dirname, '../../../server');
    const rooms = ['club', 'doctor', 'export', 'hub', 'import', 'mirror', 'outside', 'proposals'];
    const strays = [...rooms, 'publish', 'store'].flatMap((room) =>
      readdirSync(join(server, room), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => join(server, room, path))
        .filter((path) => {
          const text = readFileSync(path, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
          // The properties of stylesheets are no options.
          return /(?<!\()--[a-z][a-z\d-]*(?![a-z\d-]|:|\))|"club-events /.test(text);
        }),
    );
    expect(strays).toEqual([]);
  });
});
