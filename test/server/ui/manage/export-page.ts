import { closeStore, openReader } from '../../../../db/open.ts';
import { catalogue } from '../../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../../server/actions/tools.ts';
import type { Home } from '../../../../server/home.ts';
import { storedEvents } from '../../../support/events.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';

export const events = Array.from({ length: 1_234 }, (_, id) =>
  makeEvent(id + 1, { name: `Fête; “${id}”, =1+1`, description: id % 2 ? 'two\nlines' : null }),
);

export const addClub = (home: Home) => addMember(home, 'TSV 1860: Köln', events);

export const fragment = '#manage=export';

/** Imports a file into another club and returns its events. */
export async function importElsewhere(path: string) {
  const home = makeTestHome();
  await addMember(home, 'Other');
  const tools = { write: async () => undefined, onProgress: () => undefined };
  await catalogue.import.perform(
    // The page's time zone, because spreadsheets have local times.
    { files: [path], user: 'Other', timeZone: 'Europe/Berlin' },
    { ...thisMachine, home, ...tools },
  );
  const db = openReader(home.database);
  const stored = storedEvents(db, 1);
  closeStore(db);
  return stored;
}

export const today = () =>
  new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date());
