import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../server/actions/catalogue.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { serveClub } from '../../support/club.ts';
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
import { club, download, importInto, openExport, saveButton, toolsFor } from './downloads.ts';

const browser = testBrowser();

type Options = Parameters<typeof openPage>[2];

const shared = shareClub(browser, club);

async function openClub(options: Options = {}) {
  const { service, key } = shared.served;
  return openPage(browser.current, service, { key, ...options });
}

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
  it('is refused with the reason if a text does not fit in a cell', async () => {
    const long = makeEvent(1, { name: 'Fair', description: 'x'.repeat(32_768) });
    const { service, key } = await serveClub([long]);
    const page = await openPage(browser.current, service, { key, fragment: '#time=past' });
    await page.locator('[data-event]').first().waitFor();
    await openExport(page);
    await saveButton(page, /XLSX/).click();
    await page.getByRole('alert').getByText('“Fair” has a text of 32768 characters').waitFor();
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

describe('the dialog of the formats', () => {
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
    await openExport(page);
    await page.getByText(/of 450 events loaded so far/).waitFor();
    const item = saveButton(page, /CSV/);
    await expect.poll(() => item.getAttribute('aria-disabled')).toBe('true');
    await item.click({ force: true });
    await expect.poll(() => page.getByText('saved as').count()).toBe(0);
    held.resolve();
    await page.getByText(/of 450 events loaded so far/).waitFor({ state: 'detached' });
    const download = page.waitForEvent('download');
    await item.click();
    await download;
  });

  it('says if there is nothing to download', async () => {
    const page = await shared.show('#from=0001-01-01&to=0001-01-02');
    await tallyOf(page, '0 events').waitFor();
    await openExport(page);
    await page.getByText(/No events match the filters/).waitFor();
  });
});
