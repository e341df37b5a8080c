import { describe, expect, it } from 'vitest';
import { readHistory, undoBatch } from '../../../db/history.ts';
import { prepareEventsState } from '../../../db/users.ts';
import { calendar, event } from '../../support/ics.ts';
import { now, setUp } from './set-up.ts';

const berlin = 'DTSTART;TZID=Europe/Berlin:';
const weekly = 'RRULE:FREQ=WEEKLY;COUNT=4';

/** Training of four Tuesdays in June 2026, as a revision of it. */
function training(sequence: number, ...lines: readonly string[]): string {
  return calendar(event('UID:training', 'SUMMARY:Training', `SEQUENCE:${sequence}`, ...lines));
}

function open() {
  const { db, run, stored } = setUp();
  const dates = (status: string) =>
    stored()
      .filter((each) => each.status === status)
      .map(({ date }) => date.slice(0, 16))
      .toSorted();
  const read = (text: string) => run({ 'club.ics': text }, { details: true });
  return { db, read, stored, dates };
}

const atSix = ['2026-06-02T16:00', '2026-06-09T16:00', '2026-06-16T16:00', '2026-06-23T16:00'];
const atSeven = atSix.map((date) => date.replace('T16', 'T17'));

describe('a later revision of a series', () => {
  it('moves its dates within the day, reports them, and can be undone', async () => {
    const { db, read, stored, dates } = open();
    await read(training(0, `${berlin}20260602T180000`, weekly));
    const before = stored();
    const report = await read(training(1, `${berlin}20260602T190000`, weekly));
    expect(report).toMatchObject({ added: 0, moved: 4, changed: 0, unchanged: 0, skipped: 0 });
    expect(dates('active')).toEqual(atSeven);
    expect(stored().map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const [{ id = 0 } = {}] = readHistory(db, 1);
    expect(undoBatch(db, id, now.toISOString())).toMatchObject({ removed: 0, restored: 4 });
    expect(stored()).toEqual(before);
  });

  it('is outdated when an earlier one comes after it', async () => {
    const { read, dates } = open();
    await read(training(0, `${berlin}20260602T180000`, weekly));
    await read(training(1, `${berlin}20260602T190000`, weekly));
    const report = await read(training(0, `${berlin}20260602T180000`, weekly));
    expect(report).toMatchObject({ added: 0, moved: 0, changed: 0, skipped: 4 });
    expect(dates('active')).toEqual(atSeven);
  });

  it('cancels the dates of the earlier one on other days, and reports them', async () => {
    const { read, dates } = open();
    await read(training(0, `${berlin}20260602T180000`, weekly));
    const report = await read(training(1, `${berlin}20260603T180000`, weekly));
    expect(report).toMatchObject({ added: 4, moved: 0, changed: 4, unchanged: 0, skipped: 0 });
    expect(dates('cancelled')).toEqual(atSix);
    const changed = report.files[0]?.rows.filter(({ kind }) => kind === 'changed');
    expect(changed).toHaveLength(4);
    expect(changed?.[0]).toEqual({
      place: { key: 'place:event', values: { event: 1 } },
      kind: 'changed',
      id: expect.any(Number),
      name: 'Training',
      date: '2026-06-02T16:00:00.000Z',
      location: '',
      description: null,
      status: 'cancelled',
      eventType: null,
      changes: [{ field: 'status', from: 'active', to: 'cancelled' }],
    });
  });

  it('changes nothing when it comes once more', async () => {
    const { read, stored } = open();
    await read(training(0, `${berlin}20260602T180000`, weekly));
    const later = training(1, `${berlin}20260602T190000`, weekly);
    await read(later);
    const before = stored();
    expect(await read(later)).toMatchObject({ added: 0, changed: 0, unchanged: 4 });
    expect(stored()).toEqual(before);
  });

  it('cancels a date that it excludes, and brings it back when a later one has it again', async () => {
    const { read, dates } = open();
    const start = `${berlin}20260602T180000`;
    await read(training(0, start, weekly));
    await read(training(1, start, weekly, 'EXDATE;TZID=Europe/Berlin:20260609T180000'));
    expect(dates('cancelled')).toEqual(['2026-06-09T16:00']);
    await read(training(2, start, weekly));
    expect(dates('active')).toEqual(atSix);
  });

  it('a later revision of a series is later by its time when its sequence is the same', async () => {
    const { db, read, dates } = open();
    const start = `${berlin}20260602T180000`;
    const excluded = 'EXDATE;TZID=Europe/Berlin:20260609T180000';
    const early = 'LAST-MODIFIED:20260501T080000Z';
    const late = 'LAST-MODIFIED:20260502T080000Z';
    // DTSTAMP is the time of the export in many calendars, and counts without LAST-MODIFIED only.
    await read(training(0, start, weekly, 'DTSTAMP:20260520T080000Z', early));
    await read(training(0, start, weekly, 'DTSTAMP:20260510T080000Z', late, excluded));
    expect(dates('cancelled')).toEqual(['2026-06-09T16:00']);
    const [{ id = 0 } = {}] = readHistory(db, 1);
    expect(undoBatch(db, id, now.toISOString())).toMatchObject({ restored: 1 });
    expect(dates('active')).toEqual(atSix);
    await read(training(0, start, weekly, late, excluded));
    const outdated = await read(training(0, start, weekly, early));
    expect(outdated).toMatchObject({ changed: 0, skipped: 4 });
    await read(training(0, start, weekly, 'DTSTAMP:20260503T080000Z'));
    expect(dates('active')).toEqual(atSix);
  });

  it('a later revision of a series is later than an equal one that was stored before times were', async () => {
    const { db, read, dates } = open();
    const start = `${berlin}20260602T180000`;
    await read(training(0, start, weekly));
    const stamped = training(0, start, 'RRULE:FREQ=WEEKLY;COUNT=3', 'DTSTAMP:20260503T080000Z');
    const revision = () => prepareEventsState(db)(1);
    await read(stamped);
    expect(dates('cancelled')).toEqual(['2026-06-23T16:00']);
    const before = revision();
    // A new time alone is no change for readers.
    const report = await read(stamped.replace('20260503', '20260504'));
    expect(report).toMatchObject({ changed: 0, unchanged: 3 });
    expect(revision()).toEqual(before);
  });

  it('leaves dates outside the period that is read, and those of other events', async () => {
    const { run, stored } = setUp();
    await run({ 'a.ics': training(0, `${berlin}20260602T180000`, weekly) });
    const other = event('UID:training:other', 'SUMMARY:Other', `${berlin}20260616T200000`);
    await run({ 'a.ics': calendar(other) });
    const window = { from: new Date('2026-06-10'), to: new Date('2026-06-20') };
    await run({ 'a.ics': training(1, `${berlin}20260602T190000`, weekly) }, { window });
    const statuses = stored().map(({ date, status }) => `${date.slice(0, 16)} ${status}`);
    expect(statuses.toSorted()).toEqual([
      '2026-06-02T16:00 active',
      '2026-06-09T16:00 active',
      '2026-06-16T17:00 active',
      '2026-06-16T18:00 active',
      '2026-06-23T16:00 active',
    ]);
  });

  it('leaves the dates of an equal sequence, which says nothing about them', async () => {
    const { read, dates } = open();
    await read(training(1, `${berlin}20260602T180000`, weekly));
    await read(training(1, `${berlin}20260602T180000`, 'RRULE:FREQ=WEEKLY;COUNT=2'));
    expect(dates('active')).toEqual(atSix);
  });

  it('cancels whole days by their day', async () => {
    const { read, dates } = open();
    await read(training(0, 'DTSTART;VALUE=DATE:20260602', weekly));
    await read(training(1, 'DTSTART;VALUE=DATE:20260603', weekly));
    expect(dates('cancelled')).toHaveLength(4);
    expect(dates('active')).toHaveLength(4);
  });

  it('a later revision of a series may make a single event of it, and the reverse', async () => {
    const { read, dates } = open();
    await read(training(0, `${berlin}20260602T180000`, weekly));
    await read(training(1, `${berlin}20260602T200000`));
    expect(dates('cancelled')).toEqual(atSix.slice(1));
    expect(dates('active')).toEqual(['2026-06-02T18:00']);
    await read(training(2, `${berlin}20260602T190000`, weekly));
    expect(dates('active')).toEqual(atSeven);
  });
});
