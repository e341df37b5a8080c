import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../db/model.ts';
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
const groups = ['', 'german', 'english', 'french-dutch', 'mixed'];
const questions = join(folder, 'asks');
const ending = '.expected.json';

function spreadsheetsIn(path: string): string[] {
  return readdirSync(path).filter((name) => /\.(xlsx|ods|csv|tsv|txt)$/.test(name));
}

function readExpectation<Kind>(path: string, file: string): Kind {
  return JSON.parse(readFileSync(join(path, file + ending), 'utf8')) as Kind;
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
  const files = groups.flatMap((group) => {
    const path = join(folder, group);
    return spreadsheetsIn(path).map((file) => [join(group, file), path, file] as const);
  });

  it.each(files)('%s', async (_, path, file) => {
    const { timeZone, events, notes } = readExpectation<Expectation>(path, file);
    const { run, stored } = setUp();
    const report = await run({ [file]: readFileSync(join(path, file)) }, { timeZone });
    const found = stored().map((event) => localEvent(event, timeZone));
    expect(found.sort(compareEvents)).toEqual(events.map(matcherOf));
    expect(report).toMatchObject({ added: events.length, skipped: 0 });
    const reported = report.files.flatMap((part) => [...part.notes, ...part.ignored]);
    if (notes.length > 0) expect(reported).not.toEqual([]);
  });
});

describe('a spreadsheet with more than one meaning is not imported without an answer', () => {
  it.each(spreadsheetsIn(questions))('%s', async (file) => {
    const { timeZone, option } = readExpectation<Question>(questions, file);
    const { run, stored } = setUp();
    const content = readFileSync(join(questions, file));
    await expect(run({ [file]: content }, { timeZone })).rejects.toThrow(option);
    expect(stored()).toEqual([]);
  });
});

describe('the folder of spreadsheets', () => {
  it('has an expectation in order of date for each file, and each file below 20 KB', () => {
    const files = spreadsheetsIn(folder);
    expect(files.length).toBeGreaterThanOrEqual(48);
    const expectations = readdirSync(folder).filter((name) => name.endsWith(ending));
    expect(expectations).toEqual(files.map((file) => file + ending));
    for (const file of files) {
      expect(statSync(join(folder, file)).size, file).toBeLessThan(20_000);
      const { events } = readExpectation<Expectation>(folder, file);
      expect([...events].sort(compareEvents), file).toEqual(events);
    }
  });
});
