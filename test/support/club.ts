import { beginEventImport } from '../../db/event-import.ts';
import type { EventDraft } from '../../db/model.ts';
import type { Home } from '../../server/base/home.ts';
import { withWriter } from '../../server/store/store.ts';
import { pageToday } from './browser.ts';
import { addMember, createdAt, type Member, makeTestHome } from './home.ts';
import { type RunningService, serveForTest } from './service.ts';

export type ServedClub = Member & { readonly home: Home; readonly service: RunningService };

/** Serves a club with these events for the running test. */
export async function serveClub(events: readonly EventDraft[]): Promise<ServedClub> {
  const home = makeTestHome();
  const service = await serveForTest(home);
  return { home, service, ...(await addMember(home, 'club', events)) };
}

/** Adds or changes events of a club, as an import beside the running service does. */
export function changeEvents({ home, userId }: ServedClub, events: readonly EventDraft[]) {
  return withWriter(home, (db) => {
    const batch = beginEventImport(db, { userId, now: createdAt, source: 'change' });
    for (const event of events) batch.apply(event);
    batch.commit();
  });
}

/** Returns the timestamp of noon in UTC, a number of days from the page's today. */
export function daysFromNow(days: number): string {
  const date = new Date(`${pageToday()}T12:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString();
}
