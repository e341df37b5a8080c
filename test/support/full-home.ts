import { beginEventImport } from '../../db/event-import.ts';
import { prepareUserReads } from '../../db/users.ts';
import type { Home } from '../../server/base/home.ts';
import { withWriter } from '../../server/store/store.ts';
import { createdAt, makeEvent } from './home.ts';
import { openTwoLaptops } from './second-laptop.ts';

const calendar = {
  kind: 'public',
  name: 'Bavaria',
  source: 'DE-BY',
  readAt: '2026-11-19T08:00:00.000Z',
  days: [{ first: '2026-12-25', last: '2026-12-26', name: 'Christmas' }],
};

const announced = {
  at: '2027-01-01T00:00:00.000Z',
  language: 'en',
  ...{ epoch: '0123456789abcdef', batch: 1, others: [{ id: 1, batch: 2 }] },
};

/**
 * Makes a home with rows of all kinds: a club that follows a file, with a proposal, and the club `Own`
 * with days off, a history of events and settings, a message and an import that left an event out.
 */
export async function makeFullHome(): Promise<Home> {
  const { second } = await openTwoLaptops([
    makeEvent(1, { name: 'Rovers v City', date: '2027-11-21T13:00:00.000Z' }),
    makeEvent(2, { name: 'Meeting', date: '2027-12-07T18:00:00.000Z' }),
  ]);
  const act = second.perform;
  await act('proposal edit', { id: 1, changes: { date: '2027-11-21T14:30' } });
  const user = 'Own';
  await act('user add', { name: user, zone: 'Europe/Berlin' });
  await withWriter(second.home, (db) => {
    const userId = prepareUserReads(db).idByName(user) ?? 0;
    const batch = beginEventImport(db, { userId, now: createdAt, source: 'season.csv' });
    batch.apply(makeEvent(1, { name: 'Training' }));
    batch.apply(makeEvent(2));
    batch.leaveOut(makeEvent(3, { name: 'Clash' }));
    batch.commit();
  });
  await act('event edit', { user, id: 1, changes: { name: 'Long training' } });
  await act('event remove', { user, id: 2 });
  await act('days-off put', { user, calendar });
  await act('team add', { user, name: 'U15', words: 'U15' });
  await act('user zone', { name: user, zone: 'Europe/Vienna', times: 'keep' });
  await act('user length', { name: user, value: 90 });
  await act('message store', { user, announced });
  await act('key create', { user, label: 'script' });
  return second.home;
}
