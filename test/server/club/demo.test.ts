import { describe, expect, it } from 'vitest';
import { eventStatuses, eventTypes } from '../../../db/model.ts';
import { demoEvents } from '../../../server/club/demo.ts';
import { Event } from '../../../server/http/contract.ts';

describe.each([
  ['2026-11-21T10:00:00.000Z', 'Europe/Berlin'],
  ['2024-02-29T23:59:00.000Z', 'America/New_York'],
  ['2027-03-28T01:30:00.000Z', 'Europe/Berlin'],
])('the demo club on %s in %s', (now, timeZone) => {
  const events = demoEvents(new Date(now), timeZone);

  it('creates 60 demo events of all kinds around today', () => {
    expect(events).toHaveLength(60);
    const past = events.filter(({ date }) => date < now).length;
    expect(past).toBeGreaterThan(20);
    expect(events.length - past).toBeGreaterThan(20);
    const values = (name: 'status' | 'eventType') => new Set(events.map((event) => event[name]));
    expect(values('status')).toEqual(new Set(eventStatuses));
    expect(values('eventType')).toEqual(new Set([...eventTypes, null]));
    expect(events.some(({ description }) => description === null)).toBe(true);
    expect(new Set(events.map(({ registrationOpen }) => registrationOpen)).size).toBe(3);
  });

  it('creates demo events that the contract allows', () => {
    for (const event of events) {
      expect(Event.safeParse(event).error).toBeUndefined();
      expect(event.createdAt && event.createdAt < now).toBe(true);
      expect(event.createdAt && event.createdAt < event.date).toBe(true);
      const { status, date } = event;
      if (status === 'completed') expect(date < now).toBe(true);
      if (status === 'active' || status === 'draft') expect(date >= now).toBe(true);
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(60);
  });
});
