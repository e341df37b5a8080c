import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { calendar, event, readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';

type Recurrence = {
  readonly rule: string;
  readonly start: string;
  readonly zone: string;
  readonly window: { readonly from: Date; readonly to: Date };
  /** Times in UTC. */
  readonly expected: readonly string[];
};

function parseRow(row: string): Recurrence {
  const [rule, start, zone, from, to, dates] = row.split('\t') as [
    ...[string, string, string, string, string, string],
  ];
  const expected = dates.split(' ').map((date) => new Date(date).toISOString());
  return { rule, start, zone, window: { from: new Date(from), to: new Date(to) }, expected };
}

/** Rules and the dates that python-dateutil gives for them; written by recurrences/make.py. */
const recurrences = readFileSync(join(import.meta.dirname, 'recurrences/rules.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(parseRow);

async function importDates({ rule, start, zone, window }: Recurrence): Promise<unknown[]> {
  const first = zone === 'UTC' ? `DTSTART:${start}Z` : `DTSTART;TZID=${zone}:${start}`;
  const content = calendar(event(first, `RRULE:${rule}`));
  const { records } = await readText(content, { window });
  return records.map(({ values }) => values.date);
}

const partsOf = (rule: string) => rule.split(';').map((part) => part.split('=')[0]);

describe('the fixture of recurrence rules', () => {
  it('uses each part of a rule at least twenty times', () => {
    const byPart = Map.groupBy(
      recurrences.flatMap(({ rule }) => partsOf(rule)),
      (part) => part,
    );
    const dates = ['BYMONTH', 'BYWEEKNO', 'BYYEARDAY', 'BYMONTHDAY', 'BYDAY', 'WKST', 'INTERVAL'];
    const times = ['BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYSETPOS', 'COUNT', 'UNTIL'];
    for (const part of [...dates, ...times]) {
      expect(byPart.get(part)?.length, part).toBeGreaterThanOrEqual(20);
    }
  });
});

describe('an imported series', () => {
  const byFrequency = Map.groupBy(recurrences, ({ rule }) => /FREQ=(\w+)/.exec(rule)?.[1]);

  it.each([...byFrequency])(
    'an imported series has the dates that python-dateutil gives: %s',
    async (_, group) => {
      const wrong: unknown[] = [];
      for (const recurrence of group.filter((_, at) => at % choose(1, 10) === 0)) {
        const dates = await importDates(recurrence);
        if (dates.join() !== recurrence.expected.join()) wrong.push({ ...recurrence, dates });
      }
      expect(wrong).toEqual([]);
    },
  );
});
