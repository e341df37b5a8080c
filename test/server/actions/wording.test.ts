import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { performInBackground } from '../../../server/actions/background.ts';
import { type ActionName, catalogue } from '../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../server/actions/tools.ts';
import { wording } from '../../../server/actions/wording.ts';
import { ClubEventsError } from '../../../server/errors.ts';
import type { Home } from '../../../server/home.ts';
import { addMember, makeTestHome } from '../../support/home.ts';
import { writeTestFile } from './import/files.ts';

/** What only people at a command line can make use of. */
const commandTerms = /(^|[\s"'`([])--[a-z]|"club-events |\bcommand/i;

async function errorOf(home: Home, name: ActionName, args: unknown): Promise<ClubEventsError> {
  const tools = { ...thisMachine, home, write: async () => undefined, onProgress: () => undefined };
  const error = await catalogue[name].perform(args, tools).then(
    () => new Error('It did not fail.'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ClubEventsError)) throw error;
  return error;
}

const user = 'Chess';
const failures: readonly (readonly [ActionName, (file: typeof writeTestFile) => object, RegExp])[] =
  [
    ['user remove', () => ({ name: 'Go' }), /^There is no club "Go" any more\.$/],
    ['user add', () => ({ name: user }), /^There is a club "Chess" already/],
    ['key create', () => ({ user, expires: 'soon' }), /^"soon" is not a date that exists/],
    ['key revoke', () => ({ id: 99 }), /^This key is not there any more\.$/],
    ['key revoke', () => ({ id: 'one' }), /^The id of a key is a whole number\.$/],
    ['history', () => ({ user: 'Go' }), /^There is no club "Go" any more\.$/],
    ['undo', () => ({ id: 99 }), /^This import is not in the history any more\.$/],
    ['undo', () => ({ id: 'one' }), /^The id of an import is a whole number\.$/],
    ['export', () => ({ user, output: 'events' }), /^Choose how to write the events\.$/],
    ['export', () => ({ user: 'Go', format: 'csv' }), /^There is no club "Go" any more\.$/],
    [
      'import',
      (file) => ({ user, files: [file('season.txt', 'name')] }),
      /does not end in .*; choose a file whose name does\.$/,
    ],
    [
      'import',
      (file) => ({ user, files: [file('season.csv', 'topic,day\nA,2026-05-01')] }),
      /row 1: there is no column "name"; choose which one it is, of "topic", "day"/,
    ],
    [
      'import',
      (file) => ({ user, files: [file('season.csv', 'Titel,Event,date\nA,B,2026-05-01')] }),
      /the columns "Titel", "Event" could both be the name; choose which one it is/,
    ],
    [
      'import',
      (file) => ({ user, files: [file('season.csv', 'name,date\nA,1/2/2026')] }),
      /no row of the column tells; choose which of them comes first/,
    ],
    [
      'import',
      (file) => ({ user, files: [file('season.csv', 'name,date')], from: 'soon' }),
      /^"soon" is not a date that exists/,
    ],
    ['import', () => ({ user, files: ['a.csv'], format: 'xls' }), /^The format is one of/],
    ['import', () => ({ user, files: ['a.csv'], dateOrder: 'ymd' }), /^The order of dates is one/],
    [
      'import',
      () => ({ user, files: ['a.csv'], timeZone: 'CET+1' }),
      /^The time zone is not known/,
    ],
  ];

describe('a sentence for the window', () => {
  it.each(failures)('says why "%s" failed without options and commands: %#', async (...failure) => {
    const [name, args, expected] = failure;
    const home = makeTestHome();
    await addMember(home, user);
    const { inWindow } = await errorOf(home, name, args(writeTestFile));
    expect(inWindow).toMatch(expected);
    expect(inWindow).not.toMatch(commandTerms);
  });

  it('comes from another thread as it is', async () => {
    const home = makeTestHome();
    await addMember(home, user);
    const options = { home, onProgress: () => undefined };
    await expect(performInBackground('undo', { id: 5 }, options)).rejects.toMatchObject({
      message: 'There is no import 5; see "club-events history --user NAME".',
      inWindow: 'This import is not in the history any more.',
    });
  });

  it('has words of its own for all that is an option or a command', () => {
    for (const say of Object.values(wording.window)) {
      const words = typeof say === 'string' ? say : (say as (...args: unknown[]) => string)('x', 1);
      expect(String(words)).not.toMatch(commandTerms);
    }
  });

  it('is made where the front is known: no action names options and commands itself', () => {
    const folder = join(import.meta.dirname, '../../../server/actions');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const strays = files
      .filter((path) => path.endsWith('.ts') && path !== 'wording.ts')
      .filter((path) => {
        const code = readFileSync(join(folder, path), 'utf8').replaceAll(
          /^\s*(\/\/|\/?\*).*$/gm,
          '',
        );
        return /--[a-z]|"club-events /.test(code);
      });
    expect(strays).toEqual([]);
  });
});
