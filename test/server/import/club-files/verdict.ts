import type { StoredEvent } from '../../../../db/model.ts';
import { Problem } from '../../../../server/base/errors.ts';
import { eventOutputs } from '../../../../server/cli/results/events.ts';
import { zoneNamed } from '../../../../server/dates/zone.ts';
import { noteOf } from '../../../../server/event/values.ts';
import type { ImportRequest } from '../../../../server/import/import.ts';
import { worded } from '../../../support/words.ts';
import { setUp } from '../set-up.ts';

const timeZone = 'Europe/Berlin';

/** An expected event; each list has the values that are equally right. */
export type Expected = Readonly<{
  day: string;
  time: string;
  names: readonly string[];
  places: readonly string[];
  end: string;
  isCancelled: boolean;
  note: string;
}>;

type Found = Readonly<{
  day: string;
  time: string;
  name: string;
  place: string;
  end: string;
  isCancelled: boolean;
  note: string;
}>;

export type Verdict = Readonly<{
  kind: 'right' | 'asked' | 'told' | 'wrong';
  /** The differences, or the sentence of a refusal. */
  why: string;
  lines: readonly string[];
}>;

const plain = (text: string) =>
  text
    .normalize()
    .replace(/ [-–—] /g, ' – ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the parts of a place in one order: columns are joined in any. */
const placeKey = (text: string) =>
  plain(text)
    .split(/\s*,\s*/)
    .sort()
    .join(', ');

const momentText = ({ day, time }: { day: string; time: string }) => `${day} ${time}`.trim();

function foundOf(event: StoredEvent): Found {
  const local = new Date(event.date).toLocaleString('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const [day = '', time = ''] = local.split(' ');
  const { end, text } = noteOf(event, zoneNamed(timeZone));
  return {
    day,
    time: time === '00:00' ? '' : time,
    name: event.name,
    place: event.location,
    end: end === undefined ? '' : momentText(end),
    isCancelled: event.status === 'cancelled',
    note: text,
  };
}

const isSame = (found: Found, expected: Expected): boolean =>
  found.day === expected.day &&
  found.time === expected.time &&
  expected.names.some((name) => plain(name) === plain(found.name)) &&
  expected.places.some((place) => place === '?' || placeKey(place) === placeKey(found.place)) &&
  found.end === expected.end &&
  found.isCancelled === expected.isCancelled &&
  plain(found.note).includes(plain(expected.note)) &&
  !/<\w+>/.test(found.note);

const foundText = ({ day, time, name, place, end, isCancelled, note }: Found): string =>
  [
    `${day} ${time}`.trim(),
    name,
    place,
    end && `> ${end}`,
    isCancelled && 'cancelled',
    note && `"${note}"`,
  ]
    .filter(Boolean)
    .join(' | ');

const expectedText = ({ names, places, ...rest }: Expected): string =>
  foundText({ ...rest, name: names.join(' ~ '), place: places.join(' ~ ') });

/** Returns the expected events that were not found, and those found that were not expected. */
function differences(found: readonly Found[], expected: readonly Expected[]): string[] {
  const rest = [...found];
  const missing = expected.filter((event) => {
    const at = rest.findIndex((other) => isSame(other, event));
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [
    ...missing.map((event) => `expected ${expectedText(event)}`),
    ...rest.map((event) => `got      ${foundText(event)}`),
  ];
}

/** Imports a file into an empty club, and compares the events with those that a careful person stores. */
export async function judge(
  name: string,
  content: string | Uint8Array,
  expected: readonly Expected[],
  {
    options = {},
    told,
  }: { options?: Partial<ImportRequest> | undefined; told?: RegExp | undefined } = {},
): Promise<Verdict> {
  const { run, stored } = setUp();
  try {
    const report = await run({ [name]: content }, { timeZone, ...options });
    const printed = await eventOutputs.import.toNotes?.({
      ...report,
      user: 'Chess',
      dryRun: false,
      timeZone,
    });
    const lines = (printed ?? []).map((line) => line.replace(`${name}: `, ''));
    const different = differences(stored().map(foundOf), expected);
    const isTold = told !== undefined && lines.some((line) => told.test(line));
    const kind = different.length === 0 ? 'right' : isTold ? 'told' : 'wrong';
    return { kind, why: different.join('\n'), lines };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { kind: 'asked', why: (worded(error) as Error).message, lines: [] };
  }
}
