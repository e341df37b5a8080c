import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '../../db/model.ts';
import { createRandom } from './random.ts';

/** The time at which 53 of the conferences are upcoming; 9 of them are not among the newest 200. */
export const conferencesNow = '2026-11-22T22:00:00.000Z';

const file = join(import.meta.dirname, '../../../shared/data/conferences.json');

const count = 6_831;
const firstId = 1_001;
const lastId = 48_812;
const day = 86_400_000;

/** Chooses the ids: a seventh of all, the first and the last included. */
function chooseIds(): readonly number[] {
  const random = createRandom(19);
  const ids = new Set([firstId, lastId]);
  while (ids.size < count) ids.add(firstId + random(lastId - firstId));
  return [...ids].sort((left, right) => left - right);
}

/** Generates events with the ids, the number and the upcoming dates of the real conferences. */
export function generateConferences(): readonly StoredEvent[] {
  const random = createRandom(53);
  const end = Date.parse(conferencesNow) - 2 * day;
  const ids = chooseIds();
  return ids.map((id, place): StoredEvent => {
    const fromEnd = count - 1 - place;
    const isHidden = fromEnd >= 20 && fromEnd <= 44 && fromEnd % 3 === 2;
    const isUpcoming = fromEnd < 53;
    // The newest 200 are of this year; the others of the thirteen years before.
    const age = isHidden ? 290 + fromEnd : fromEnd < 230 ? fromEnd : 230 + (fromEnd - 230) * 0.72;
    const createdAt = end - age * day - random(day);
    const date = isUpcoming ? end + (3 + fromEnd * 3) * day : Math.min(createdAt + 90 * day, end);
    return {
      id,
      name: `Conference ${id}`,
      date: `${new Date(date).toISOString().slice(0, 10)}T09:00:00.000Z`,
      location: random(10) === 0 ? '' : `Town ${random(400)}`,
      description: random(10) === 0 ? null : `https://conference-${id}.example`,
      status: isUpcoming ? 'active' : 'completed',
      eventType: 'international',
      registrationOpen: isUpcoming,
      createdAt: new Date(createdAt).toISOString(),
    };
  });
}

/** Returns 6,831 conferences: the real ones if they are beside this checkout, else generated ones. */
export function readConferences(): readonly StoredEvent[] {
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')).events as StoredEvent[])
    : generateConferences();
}
