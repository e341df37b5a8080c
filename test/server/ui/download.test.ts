import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { eachEvent } from '../../../db/event-list.ts';
import type { EventDraft, StoredEvent } from '../../../db/model.ts';
import { closeStore, openReader } from '../../../db/open.ts';
import { catalogue } from '../../../server/actions/catalogue.ts';
import type { ActionTools } from '../../../server/actions/tools.ts';
import type { Home } from '../../../server/home.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import {
  addEvents,
  addMember,
  makeEvent,
  makeTestFolder,
  makeTestHome,
} from '../../support/home.ts';
import { serveForTest } from '../../support/service.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectAccessibleInAnyLight, expectNoSidewaysScrolling } from './axe.ts';

const browser = testBrowser();

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
const club: readonly EventDraft[] = Array.from({ length: 450 }, (_, id) =>
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

type Options = Parameters<typeof openPage>[2];

const shared = shareClub(browser, club);

async function openClub(options: Options = {}) {
  const { service, key } = shared.served;
  return openPage(browser.current, service, { key, ...options });
}

const menuName = /^(More|Mehr)$/;

async function download(page: Page, item: RegExp) {
  await page.getByRole('button', { name: menuName }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: item }).click();
  const file = await download;
  const path = join(makeTestFolder(), file.suggestedFilename());
  await file.saveAs(path);
  return { path, name: file.suggestedFilename(), text: readFileSync(path, 'utf8') };
}

function toolsFor(home: Home): ActionTools {
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
async function importInto(path: string): Promise<StoredEvent[]> {
  const home = makeTestHome();
  await addMember(home, 'Other');
  await catalogue.import.perform({ files: [path], user: 'Other' }, toolsFor(home));
  const db = openReader(home.database);
  const events = [...eachEvent(db, 1)].map(({ sourceKey: _, ...event }) => event);
  closeStore(db);
  return events;
}

const today = () => new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' }).format(new Date());

describe.each(['csv', 'ics'])('the download as %s', (kind) => {
  it('contains all events, and another club can import the same ones', async () => {
    const page = await shared.show();
    const { path, name } = await download(page, new RegExp(kind, 'i'));
    expect(name).toBe(`club-events-${today()}.${kind}`);
    expect(await importInto(path)).toEqual(club);
    await page.getByRole('status').getByText(`450 events saved as ${name}.`).waitFor();
  });

  it('contains the filtered events in the order of the view', async () => {
    const page = await shared.show('#time=past&status=draft,cancelled');
    const expected = club.filter(
      ({ date, status }) =>
        date < `${today()}T00` && (status === 'draft' || status === 'cancelled'),
    );
    await page.getByText(`${expected.length} events`).waitFor();
    const { path, text } = await download(page, new RegExp(kind, 'i'));
    expect(await importInto(path)).toEqual(expected);
    const ids =
      kind === 'csv'
        ? (parse(text, { bom: true, columns: true }) as { ID: string }[]).map(({ ID }) => ID)
        : Array.from(text.matchAll(/^X-CLUB-EVENTS-ID:(\d+)/gm), ([, id]) => id);
    expect(ids).toEqual(expected.map(({ id }) => String(id)));
  });
});

describe('a downloaded calendar', () => {
  it('has the name of the club, also beyond ASCII', async () => {
    const home = makeTestHome();
    const name = 'Łódź, Schach';
    // Creates the database; its key could not be sent with such a name.
    await addMember(home, 'Other');
    await catalogue['user add'].perform({ name }, toolsFor(home));
    await addEvents(home, 2, [makeEvent(1)]);
    const { key } = await catalogue['key create'].perform({ user: name }, toolsFor(home));
    const service = await serveForTest(home);
    const page = await openPage(browser.current, service, { key });
    const { text } = await download(page, /ICS/);
    expect(text).toContain('\r\nNAME:Łódź\\, Schach\r\nX-WR-CALNAME:Łódź\\, Schach\r\n');
  });
});

describe('a downloaded CSV file', () => {
  it('opens in Excel by double click, in UTF-8 and as usual in the language', async () => {
    const english = await download(await shared.show(), /CSV/);
    expect(english.text.startsWith('\ufeffName,Date,Time,')).toBe(true);
    const page = await openClub({ locale: 'de-DE' });
    const german = await download(page, /CSV/);
    expect(german.text.startsWith('\ufeffName;Datum;Uhrzeit;')).toBe(true);
    expect(await importInto(german.path)).toEqual(club);
    await page.getByText('450 Termine als club-events-').waitFor();
  });
});

describe('a downloaded workbook', () => {
  it('contains the filtered events in the order of the view, with local dates', async () => {
    const page = await openClub({ fragment: '#time=past&status=draft', locale: 'de-DE' });
    const expected = club.filter(
      ({ date, status }) => date < `${today()}T00` && status === 'draft',
    );
    await page.getByText(`${expected.length} Termine`).first().waitFor();
    const { path, name } = await download(page, /XLSX/);
    expect(name).toBe(`club-events-${today()}.xlsx`);
    const [header, ...rows] = await readSheet(path);
    expect(header?.slice(0, 4)).toEqual(['Name', 'Datum', 'Uhrzeit', 'Ort']);
    expect(rows.map((row) => row[8])).toEqual(expected.map(({ id }) => id));
    expect(rows.map((row) => row[1])).toEqual(
      expected.map(({ date }) => {
        const day = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Berlin' });
        return new Date(day.format(new Date(date)));
      }),
    );
    expect(await importInto(path)).toEqual(expected);
    await page.getByRole('status').getByText(`Termine als ${name} gespeichert.`).waitFor();
  });

  it('is refused with the reason if a text does not fit in a cell', async () => {
    const long = makeEvent(1, { name: 'Fair', description: 'x'.repeat(32_768) });
    const { service, key } = await serveClub([long]);
    const page = await openPage(browser.current, service, { key, fragment: '#time=past' });
    await page.locator('[data-event]').first().waitFor();
    await page.getByRole('button', { name: menuName }).click();
    await page.getByRole('menuitem', { name: /XLSX/ }).click();
    const status = page.getByRole('status').getByText('“Fair” has a text of 32768 characters');
    await status.waitFor();
  });
});

describe('a downloaded calendar file', () => {
  it('has the same UIDs as an export on the command line', async () => {
    const { text } = await download(await shared.show(), /ics/i);
    const output = join(makeTestFolder(), 'club.ics');
    await catalogue.export.perform({ user: 'club', output }, toolsFor(shared.served.home));
    const uidsOf = (calendar: string) => calendar.match(/^UID:.*$/gm)?.toSorted();
    expect(uidsOf(text)).toHaveLength(450);
    expect(uidsOf(text)).toEqual(uidsOf(readFileSync(output, 'utf8')));
  });
});

describe('the download menu', () => {
  it('is disabled with the reason until all events have been read', async () => {
    const held = Promise.withResolvers<void>();
    const page = await openClub({
      beforeLoad: (opened) =>
        opened.route(/cursor|after|before/, async (route) => {
          await held.promise;
          await route.continue();
        }),
    });
    await page.locator('[data-event]').first().waitFor();
    await page.getByRole('button', { name: menuName }).click();
    await page.getByText(/of 450 events loaded so far/).waitFor();
    const item = page.getByRole('menuitem', { name: /CSV/ });
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    await item.click({ force: true });
    expect(await page.getByText('saved as').count()).toBe(0);
    held.resolve();
    await page.getByText(/of 450 events loaded so far/).waitFor({ state: 'detached' });
    const download = page.waitForEvent('download');
    await item.click();
    await download;
  });

  it('says if there is nothing to download', async () => {
    const page = await shared.show('#from=0001-01-01&to=0001-01-02');
    await tallyOf(page, '0 events').waitFor();
    await page.getByRole('button', { name: menuName }).click();
    await page.getByText(/No events match the filters/).waitFor();
  });

  it('passes axe in both themes', async () => {
    const page = await shared.show();
    await download(page, /ICS/);
    await page.getByText('saved as').waitFor();
    await page.setViewportSize({ width: 360, height: 700 });
    await page.getByRole('button', { name: menuName }).click();
    await page.getByRole('menu').waitFor();
    await expectAccessibleInAnyLight(page, 'the menu, and what became of a file');
    await expectNoSidewaysScrolling(page, 'the menu');
  });
});
