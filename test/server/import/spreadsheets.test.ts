import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { choose } from '../../support/long.ts';
import { setUpInWords as setUp } from './set-up.ts';

type ExpectedEvent = Pick<StoredEvent, 'name' | 'location'> & {
  /** The local date, `YYYY-MM-DD`. */
  readonly date: string;
  /** The local time, `HH:MM`; null for an event without a time. */
  readonly time: string | null;
  readonly description?: string;
  readonly status?: StoredEvent['status'];
};

type Expectation = {
  readonly timeZone: string;
  readonly events: readonly ExpectedEvent[];
  readonly notes: readonly string[];
};

type Question = { readonly timeZone: string; readonly option: string };

const folder = join(import.meta.dirname, 'spreadsheets');
const folders = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const groups = ['', ...folders.filter((name) => name !== 'asks')];
const questions = join(folder, 'asks');

/** Reads what is expected of the files of a folder, by their names. */
function readExpectations<Kind>(path: string): readonly (readonly [string, Kind])[] {
  return Object.entries(JSON.parse(readFileSync(join(path, 'expected.json'), 'utf8')));
}

/** Returns the members of a stored event that an expectation has, on the clock of the zone. */
function localEvent(
  { date, name, location, description, status }: StoredEvent,
  timeZone: string,
): ExpectedEvent {
  const format = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
  const [day = '', time = ''] = new Date(date).toLocaleString('sv-SE', format).split(' ');
  return { date: day, time, name, location, description: description ?? '', status };
}

function compareEvents(one: ExpectedEvent, other: ExpectedEvent): number {
  const [first, second] = [one, other].map(
    ({ date, time, name }) => `${date} ${time ?? '00:00'} ${name}`,
  );
  return (first ?? '') < (second ?? '') ? -1 : 1;
}

/** Returns a matcher of an event; one without a time is stored at midnight. */
function matcherOf({ time, description, ...event }: ExpectedEvent): unknown {
  const text =
    description === undefined ? {} : { description: expect.stringContaining(description) };
  return expect.objectContaining({ ...event, ...text, time: time ?? '00:00' });
}

describe('a spreadsheet of a club is imported without any choice', () => {
  const files = groups.flatMap((group) =>
    readExpectations<Expectation>(join(folder, group)).map(
      ([file, expected]) => [join(group, file), expected] as const,
    ),
  );

  // Every third file in the short form.
  it.each(
    choose(
      files,
      files.filter((_, at) => at % 3 === 0),
    ),
  )(
    'a spreadsheet of a club is imported without any choice %s',
    async (path, { timeZone, events, notes }) => {
      const { run, stored } = setUp();
      const report = await run(
        { [basename(path)]: readFileSync(join(folder, path)) },
        { timeZone },
      );
      const found = stored().map((event) => localEvent(event, timeZone));
      expect(found.sort(compareEvents)).toEqual(events.map(matcherOf));
      expect(report).toMatchObject({ added: events.length, skipped: 0 });
      const reported = report.files.flatMap((part) => [...part.notes, ...part.ignored]);
      if (notes.length > 0) expect(reported).not.toEqual([]);
    },
  );
});

describe('a spreadsheet with more than one meaning is not imported without an answer', () => {
  it.each(readExpectations<Question>(questions))(
    'a spreadsheet with more than one meaning is not imported without an answer %s',
    async (file, { timeZone, option }) => {
      const { run, stored } = setUp();
      const content = readFileSync(join(questions, file));
      await expect(run({ [file]: content }, { timeZone })).rejects.toThrow(option);
      expect(stored()).toEqual([]);
    },
  );
});

describe.each(['', ...folders])('the folder spreadsheets/%s', (group) => {
  const path = join(folder, group);
  const expectations = readExpectations<Partial<Expectation>>(path);

  it('has an expectation for each file, in the order of dates', () => {
    const files = readdirSync(path).filter((name) => /\.(xlsx|xlsm|ods|csv|tsv|txt)$/.test(name));
    expect(expectations.map(([file]) => file)).toEqual(files.sort());
    for (const [file, { events = [] }] of expectations) {
      expect([...events].sort(compareEvents), file).toEqual(events);
    }
  });

  it('has files below 25 KB', () => {
    for (const [file] of expectations) {
      expect(statSync(join(path, file)).size, file).toBeLessThan(25_000);
    }
  });
});
