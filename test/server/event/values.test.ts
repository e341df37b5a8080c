import { describe, expect, it } from 'vitest';
import type { EndLanguage, EndWords } from '../../../server/dates/end-line.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import {
  dayCount,
  endInstant,
  joinNote,
  lastDayOf,
  movedNote,
  noteOf,
  reasonOf,
  withEnd,
  withoutReason,
  withReason,
} from '../../../server/event/values.ts';
import { translator } from '../../../server/messages/messages.ts';

const zone = zoneNamed('Europe/Berlin');
const wordsOf = (language: EndLanguage) => {
  const translate = translator(language);
  return ((key, values) => translate(`value:${key}`, values)) satisfies EndWords;
};

/** Returns an event on 3 July 2027, at 10:00 in Berlin. */
const eventWith = (
  description: string | null,
  status: 'active' | 'cancelled' = 'active',
  date = '2027-07-03T08:00:00.000Z',
) => ({ date, description, status });

describe('the note of an event', () => {
  it.each([
    [null, undefined, ''],
    ['Bring a mug.', undefined, 'Bring a mug.'],
    ['Until 22:00', { day: '2027-07-03', time: '22:00' }, ''],
    ['Bis So 4. Juli\r\nZelt\nSeil', { day: '2027-07-04', time: '' }, 'Zelt\nSeil'],
    ['\nUntil 22:00', undefined, '\nUntil 22:00'],
  ])('has its end in the first line: %j', (description, end, text) => {
    expect(noteOf(eventWith(description), zone)).toMatchObject({ end, text });
  });

  it('follows the zone of the club, also if the event is the same object', () => {
    const event = eventWith('Until 02:00', 'active', '2027-07-03T22:30:00.000Z');
    expect(noteOf(event, zone).end).toEqual({ day: '2027-07-04', time: '02:00' });
    expect(noteOf(event, zoneNamed('Europe/Lisbon')).end).toEqual({
      day: '2027-07-04',
      time: '02:00',
    });
    expect(noteOf(event, zoneNamed('America/New_York')).end).toEqual({
      day: '2027-07-04',
      time: '02:00',
    });
    expect(endInstant(event, zone)).toBe(Date.parse('2027-07-04T00:00:00Z'));
    expect(endInstant(event, zoneNamed('America/New_York'))).toBe(
      Date.parse('2027-07-04T06:00:00Z'),
    );
  });

  it('counts the days of an event; a night belongs to its first day', () => {
    for (const [description, count, last] of [
      ['Bis Mi 7. Juli', 5, '2027-07-07'],
      ['Until 02:00', 1, '2027-07-03'],
      ['Zelt', 1, '2027-07-03'],
    ] as const) {
      const event = eventWith(description);
      expect([dayCount(event, zone), lastDayOf(event, zone)]).toEqual([count, last]);
    }
  });

  it('moves its end with the event, in the language of the line', () => {
    const move = (description: string | null, to: string) =>
      movedNote(eventWith(description), `${to}:00.000Z`, [zone, zone], wordsOf);
    expect(move('Bis Mi 7. Juli, 15:00 Uhr\nZelt', '2027-07-04T08:30')).toBe(
      'Bis Do 8. Juli, 15:30 Uhr\nZelt',
    );
    expect(move('until 11:30', '2027-07-10T08:00')).toBe('until 11:30');
    expect(move('until 11:30', '2027-07-03T08:30')).toBe('Until 12:00');
    expect(move('Jusqu’au mer. 7 juillet', '2027-07-10T08:00')).toBe('Jusqu’au mer. 14 juillet');
    expect(move('Until late', '2027-07-10T08:00')).toBe('Until late');
    expect(move(null, '2027-07-10T08:00')).toBeNull();
    // A day that gets a time after its end.
    const fair = { ...eventWith('Until 15:00\nZelt'), date: '2027-07-02T22:00:00.000Z' };
    const later = movedNote(fair, '2027-07-10T17:00:00.000Z', [zone, zone], wordsOf);
    expect(later).toBe('Zelt');
  });

  it('gets another end, and keeps its other lines', () => {
    const german = ['de', wordsOf('de')] as const;
    const event = eventWith('Until 11:30\nZelt');
    const end = { day: '2027-07-03', time: '12:00' };
    expect(withEnd(event, end, zone, german)).toBe('Bis 12:00 Uhr\nZelt');
    expect(withEnd(event, undefined, zone, german)).toBe('Zelt');
    expect(joinNote('', ' ')).toBeNull();
  });
});

describe('the reason for a cancellation', () => {
  it.each([
    ['Ice', 'Ice', 'Ice'],
    [null, 'Ice', 'Ice'],
    ['Until 22:00\nBring water', '  Ice \n and snow ', 'Until 22:00\nIce and snow\nBring water'],
    ['Until 22:00\nIce\nBring water', 'Ice', 'Until 22:00\nIce\nBring water'],
    ['Until 22:00', '', 'Until 22:00'],
  ])('stands below the end, as one line, once: %j, %j', (note, reason, result) => {
    const before = eventWith(note);
    expect(withReason(before, reason, zone)).toBe(result);
    // A line that was there before is no reason.
    const after = eventWith(result, 'cancelled');
    const isNew = result !== note;
    const line = reasonOf(before, after, zone);
    expect(line).toBe(isNew ? reason.replace(/\s+/g, ' ').trim() : '');
    expect(withoutReason(after, line, zone)).toBe(note);
  });

  it('is nothing that an event says which was cancelled before', () => {
    const [one, other] = [eventWith('Ice', 'cancelled'), eventWith('Snow', 'cancelled')];
    expect(reasonOf(one, other, zone)).toBe('');
    expect(reasonOf(undefined, one, zone)).toBe('Ice');
    expect(reasonOf(eventWith(null), eventWith('Ice'), zone)).toBe('');
  });

  it('goes only while it stands at its place', () => {
    expect(withoutReason(eventWith('Ice and more'), 'Ice', zone)).toBe('Ice and more');
    expect(withoutReason(eventWith('Mug\nIce'), 'Ice', zone)).toBe('Mug\nIce');
    expect(withoutReason(eventWith('Ice'), '', zone)).toBe('Ice');
  });
});
