import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { openPage, pageToday, testBrowser } from '../../support/browser.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectAccessibleInAnyLight, expectNoSidewaysScrolling } from './axe.ts';
import { club, download, importInto } from './downloads.ts';

const browser = testBrowser();

const shared = shareClub(browser, club);

describe.each(choose(['csv', 'ics'], ['csv']))('the download as %s', (kind) => {
  it('contains all events, and another club can import the same ones', {
    tags: 'long',
  }, async () => {
    const page = await shared.show();
    const { path, name } = await download(page, new RegExp(kind, 'i'));
    expect(name).toBe(`club-events-${pageToday()}.${kind}`);
    expect(await importInto(path)).toEqual(club);
    await page.getByRole('status').getByText(`450 events saved as ${name}.`).waitFor();
  });

  it('contains the filtered events in the order of the view', { tags: 'long' }, async () => {
    const page = await shared.show('#time=past&status=draft,cancelled');
    const expected = club.filter(
      ({ date, status }) =>
        date < `${pageToday()}T00` && (status === 'draft' || status === 'cancelled'),
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

describe('a downloaded workbook', () => {
  it('contains the filtered events in the order of the view, with local dates', {
    tags: 'long',
  }, async () => {
    const { service, key } = shared.served;
    const fragment = '#time=past&status=draft';
    const page = await openPage(browser.current, service, { key, fragment, locale: 'de-DE' });
    const expected = club.filter(
      ({ date, status }) => date < `${pageToday()}T00` && status === 'draft',
    );
    await page.getByText(`${expected.length} Termine`).first().waitFor();
    const { path, name } = await download(page, /XLSX/);
    expect(name).toBe(`club-events-${pageToday()}.xlsx`);
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
});

describe('the dialog of the formats', () => {
  it('passes axe in both themes', { tags: 'long' }, async () => {
    const page = await shared.show();
    await download(page, /ICS/);
    await page.getByText('saved as').waitFor();
    await page.setViewportSize({ width: 360, height: 700 });
    await expectAccessibleInAnyLight(page, 'the formats, and what became of a file');
    await expectNoSidewaysScrolling(page, 'the formats');
  });
});
