import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { latestVersion } from '../../db/open.ts';
import { makeTestFolder } from '../support/home.ts';
import { choose } from '../support/long.ts';
import {
  type Answers,
  listHomes,
  performOn,
  readHomeAnswers,
  type TriedHome,
  tryHome,
  unpackHome,
} from './homes.ts';

type Row = Readonly<Record<string, unknown>>;

/** Returns the name of a source, the host of its URL. */
const hostOf = ({ url }: Row) => new URL(String(url)).host;

/** Returns the description of a change of several events, which moved them by a week in all homes. */
const commonOf = ({ kind, source, changed }: Row) =>
  kind === 'edit' && source === '' && changed === 2
    ? { kind: 'changed', values: [], days: 7 }
    : null;

const takesProposals = ({ kind }: Row) => kind === 'file';

/** Returns the time and the language of the last message; null before the first one. */
const toldOf = ({ told }: Row) => {
  const { at, language } = (told ?? {}) as Row;
  return told && { at, language };
};

/**
 * A difference between the answers of an earlier program and of this one: the question, the list whose
 * rows differ (or the answer itself), the field, the first schema with the value of today, this value
 * (undefined for a field that is gone), and the reason.
 */
type Difference = readonly [
  question: string,
  list: string,
  field: string,
  since: number,
  value: unknown,
  reason: string,
];

/** Returns the people whose proposals a change accepted, before assistants had some. */
const sendersOf = ({ proposedBy = [] }: Row) =>
  (proposedBy as readonly string[]).map((name) => ({ name, isAssistant: false }));

/** The intended differences. */
const differences: readonly Difference[] = [
  ['history', 'history', 'change', 9, null, 'edits by hand came'],
  ['key list', 'keys', 'baseUrl', 11, null, 'keys of online services came'],
  ['mirror status', 'mirrors', 'skipped', 14, undefined, 'unreadable events are not left out'],
  ['mirror status', 'mirrors', 'unreadable', 14, [], 'they keep their last good version'],
  ['mirror status', 'mirrors', 'isKeyForeign', 15, false, 'keys got the address they are for'],
  ['history', 'history', 'common', 15, commonOf, 'a change of several events is described'],
  ['history', '', 'older', 15, 0, 'the list got a limit'],
  ['history', '', 'timeZone', 16, 'Europe/Berlin', 'clubs got the zone of their computer'],
  ['key list', 'keys', 'zone', 16, 'Europe/Berlin', 'the same'],
  ['mirror status', 'mirrors', 'timeZone', 16, 'Europe/Berlin', 'the same'],
  ['user list', 'users', 'zone', 16, 'Europe/Berlin', 'the same'],
  ['history', 'history', 'leftOut', 20, null, 'events that an import left out came'],
  ['history', 'history', 'setting', 21, null, 'changes of settings came'],
  ['user list', 'users', 'seasonStart', 21, 7, 'the season got a first month'],
  ['user list', 'users', 'usualLength', 21, 120, 'events without an end got a length'],
  ['mirror status', 'mirrors', 'conflictCopies', 22, [], 'a followed file can have copies'],
  ['mirror status', 'mirrors', 'kind', 22, 'service', 'followed files came'],
  ['mirror status', 'mirrors', 'name', 22, hostOf, 'followed files have no host'],
  ['mirror status', 'mirrors', 'takesProposals', 23, takesProposals, 'proposals came'],
  ['publish list', 'files', 'onSheets', 23, true, 'sheets can be without a code'],
  ['message read', '', 'told', 26, toldOf, 'what members know is a place in the history'],
  ['proposal list', '', 'failure', 25, null, 'a file of proposals can be refused by its folder'],
  ['proposal list', 'proposals', 'otherClub', 25, null, 'a proposal is for one club'],
  ['mirror status', 'mirrors', 'minutesAhead', 26, 0, 'a clock that is ahead is named'],
  ['mirror status', 'mirrors', 'userId', 26, expect.any(Number), 'a file can rename its club'],
  ['history', 'history', 'names', 27, expect.any(Array), 'changes of several events are named'],
  ['history', 'history', 'proposedBy', 27, [], 'accepted proposals say whose they were'],
  ['publish list', 'files', 'team', 28, null, 'files can be of a team'],
  ['publish list', 'files', 'state', 26, 'behind', 'files have the days off of the club'],
  ['publish list', 'files', 'since', 29, 'all', 'files can leave out old events'],
  ['publish list', 'files', 'bytes', 29, 0, 'the size of a file is stored'],
  ['publish list', 'files', 'isLarge', 29, false, 'large files are named'],
  ['history', 'history', 'proposedBy', 31, sendersOf, 'assistants propose, too'],
  ['history', '', 'unanswered', 31, [], 'their proposals end without an answer'],
  ['user list', 'users', 'assistantProposes', 31, false, 'a club allows them'],
];

/** Returns the answers with other values of the fields that differ. */
function applyDifferences(answers: Answers, intended: readonly Difference[]): Answers {
  const apply = (answer: unknown, [, list, field, , value]: Difference): unknown => {
    const change = (row: Row): Row => ({
      ...row,
      [field]: typeof value === 'function' ? value(row) : value,
    });
    if (list === '') return change(answer as Row);
    const { [list]: rows = [] } = answer as Readonly<Record<string, readonly Row[]>>;
    return { ...(answer as Row), [list]: rows.map(change) };
  };
  const changed = Object.entries(answers).map(([question, answer]) => {
    const own = intended.filter(([about]) => question.startsWith(about));
    return [question, own.reduce(apply, answer)] as const;
  });
  return Object.fromEntries(changed);
}

/** Returns the answers without those about files beside the database, which a restore leaves. */
function withoutFiles({ 'publish list': _, ...answers }: Answers): Answers {
  return answers;
}

/** Returns the answers after a restore into an empty home as they are in the home of the backup. */
function toOwnHome(answers: Answers, schema: number): Answers {
  const isForeign = ({ kind }: Row) => kind === 'service' && schema < 15;
  const reason = 'the key is there, and is sent if its address was stored with it';
  return applyDifferences(withoutFiles(answers), [
    ['mirror status', 'mirrors', 'isKeyForeign', 15, isForeign, reason],
    ['mirror status', 'mirrors', 'isKeyMissing', 15, isForeign, reason],
  ]);
}

/** Expects the same answers, and nothing about things that the earlier program did not have. */
function expectAnswers(found: Answers = {}, told: Answers): void {
  const entries = Object.entries(found);
  const isKnown = ([question]: readonly [string, unknown]) => Object.hasOwn(told, question);
  expect(Object.fromEntries(entries.filter(isKnown))).toEqual(told);
  for (const [question, answer] of entries.filter((entry) => !isKnown(entry))) {
    expect(JSON.stringify(answer), question).not.toMatch(/\[[^\]]|"told":\{/);
  }
}

/** Expects the findings about a home that the program of its time has told. */
function expectHome(schema: number, { present, problems, within, intoEmpty }: TriedHome): void {
  const { 'events.sqlite': told = {}, ...backups } = readHomeAnswers(schema).answers;
  const intended = differences.filter(([, , , since]) => schema < since);
  expect(problems).toEqual([]);
  expectAnswers(present, applyDifferences(told, intended));
  expect(Object.keys(backups)).toHaveLength(2);
  for (const [file, answers] of Object.entries(backups)) {
    const expected = applyDifferences(answers, intended);
    expectAnswers(intoEmpty[file], expected);
    expectAnswers(withoutFiles(within[file] ?? {}), toOwnHome(expected, schema));
  }
}

it('has a home of the newest schema', () => {
  const remedy = `Schema ${latestVersion} has no home: run "node test/db/make-home.ts".`;
  expect(listHomes(), remedy).toContain(latestVersion);
});

// Those between the oldest and the newest take as long as all other tests of the database.
const tried = choose(
  listHomes(),
  listHomes().filter((schema, at) => at === 0 || schema === latestVersion),
);

it.each(tried)('opens the home of schema %i, and restores its backups', async (schema) => {
  expectHome(schema, await tryHome(schema, makeTestFolder()));
});

it('knows what members knew before messages were places in the history', async () => {
  const home = unpackHome(25, join(makeTestFolder(), 'home'));
  const perform = performOn(home, readHomeAnswers(25).at);
  await perform('event edit', { user: 'Rovers', id: 2, changes: { location: 'Elsewhere' } });
  const { announced, before } = await perform('message read', { user: 'Rovers' });
  // They knew event 2 alone, at the time and place that it had; all others were there, too.
  const known = before.filter(({ event }) => event !== null);
  expect(known).toMatchObject([
    { id: 2, event: { date: '2027-01-16T14:00:00.000Z', location: 'Home Ground' } },
  ]);
  expect(before.map(({ id }) => id).toSorted((one, other) => one - other)).toEqual([
    1, 2, 3, 4, 7, 8, 71,
  ]);
  expect(announced.others.map(({ id }) => id)).not.toContain(2);
});

it('restores the backups of this program in the next release', async () => {
  const schemas = choose(listHomes(), [latestVersion]);
  const args = [
    join(import.meta.dirname, 'next-release.ts'),
    makeTestFolder(),
    ...schemas.map(String),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 100_000_000 });
  const homes = JSON.parse(stdout) as readonly TriedHome[];
  expect(homes).toHaveLength(schemas.length);
  schemas.forEach((schema, at) => {
    expectHome(schema, homes[at] as TriedHome);
  });
});
