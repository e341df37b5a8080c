import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { EventDraft, StoredEvent } from '../../../db/model.ts';
import { closeStore, openReader } from '../../../db/open.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import type { Home } from '../../../server/base/home.ts';
import type { ActionTools } from '../../../server/club/tools.ts';
import { daysFromNow } from '../../support/club.ts';
import { storedEvents } from '../../support/events.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { readOnce } from '../../support/patience.ts';

const texts = [
  '=1+1',
  ' -x',
  "'",
  'a,b;c',
  'say "hi"',
  'two\r\nlines',
  '<b>Fête</b> 🏃‍♀️',
  'שלום',
  '\u0001',
];

/** More than a page of the list, with all that a file could spoil. */
export const club: readonly EventDraft[] = Array.from({ length: 450 }, (_, id) =>
  makeEvent(id, {
    name: `${texts[id % texts.length]} ${id}`,
    date: daysFromNow(Math.floor(id / 2) - 100),
    location: texts[(id + 1) % texts.length] ?? '',
    description: [null, '', texts[id % texts.length] ?? ''][id % 3] ?? null,
    status: (['active', 'completed', 'cancelled', 'draft'] as const)[id % 4] ?? 'active',
    eventType: ([null, 'national', 'club'] as const)[id % 3] ?? null,
    ...(id % 5 !== 0 && { registrationOpen: id % 5 === 1 }),
  }),
);

/** The name of the menu, in English and German. */
const menuName = /^(Share|Weitergeben)$/;

/** Opens the dialog of the formats, unless it is open. */
export async function openExport(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  if (await readOnce(dialog.isVisible())) return;
  await page.getByRole('button', { name: menuName }).click();
  await page.getByRole('menuitem', { name: /^(Save a file|Datei speichern)/ }).click();
  await dialog.waitFor();
}

/** The button that saves the events in a format. */
export const saveButton = (page: Page, format: RegExp) =>
  page.getByRole('region', { name: format }).getByRole('button');

/** Saves the events in a format and returns the path, name and text of the file. */
export async function download(page: Page, format: RegExp) {
  await openExport(page);
  const download = page.waitForEvent('download');
  await saveButton(page, format).click();
  const file = await download;
  const path = join(makeTestFolder(), file.suggestedFilename());
  await file.saveAs(path);
  return { path, name: file.suggestedFilename(), text: readFileSync(path, 'utf8') };
}

/** Creates the tools of an action on a home. */
export function toolsFor(home: Home): ActionTools {
  return {
    home,
    now: () => new Date(),
    randomInt: () => 0,
    // That of the page, because spreadsheets have local times.
    systemTimeZone: () => 'Europe/Berlin',
    write: async () => undefined,
    onProgress: () => undefined,
  };
}

/** Imports a file into another club and returns its events by id. */
export async function importInto(path: string): Promise<StoredEvent[]> {
  const home = makeTestHome();
  await addMember(home, 'Other');
  await catalogue.import.perform({ files: [path], user: 'Other' }, toolsFor(home));
  const db = openReader(home.database);
  const events = storedEvents(db, 1);
  closeStore(db);
  return events;
}
