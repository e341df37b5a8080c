import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { shareImport } from './import-page.ts';

const data = join(import.meta.dirname, '../../../../../shared/data');
const available = existsSync(data);
if (!available) {
  process.stderr.write('Skipped: real imports, whose files are not beside this checkout.\n');
}

describe.skipIf(!available)('real data', () => {
  const shared = shareImport(testBrowser());

  it('of conferences goes in by columns that are chosen, out again, and in again', async () => {
    const opened = await shared.show();
    const { choose, column, seeFirst, check, button, count, page } = opened;
    await choose(join(data, 'conferences.csv'));
    await seeFirst('Garden City RubyConf');
    expect(await column('Name').inputValue()).toBe('name');
    expect(await column('Date').inputValue()).toBe('startDate');
    await column('Place').selectOption('city');
    await column('Description').selectOption('url');
    await seeFirst('Cape Town');
    await seeFirst('http://rubyfuza.org');
    await page.getByText('Not imported: topic, endDate, country, online.').waitFor();
    expect(await check()).toEqual(['New 6,831', 'Changed 0', 'Unchanged 0', 'Left out 0']);
    await page.getByText('row 2', { exact: true }).waitFor();
    expect(await count()).toBe(0);
    await button('Import 6,831 events').click();
    await page.getByText('6,831 events added').waitFor();
    expect(await count()).toBe(6_831);
    await button('Take it back').click();
    await page.getByText('Your events are as they were before this import.').waitFor();
    expect(await count()).toBe(0);
    await button('Back to this file').click();
    expect(await column('Place').inputValue()).toBe('city');
    await check();
    await button('Import 6,831 events').click();
    await page.getByText('6,831 events added').waitFor();
    await button('Import another file').click();
    await choose(join(data, 'conferences.csv'));
    await page.getByText('chosen as they were for your last file').waitFor();
    expect(await check()).toEqual(['New 0', 'Changed 0', 'Unchanged 6,831', 'Left out 0']);
    expect(await count()).toBe(6_831);
  });

  it.each([
    ['conferences.json', '6,831', 6_831],
    ['matches.ics', '151', 151],
  ])('of %s goes in as it is', async (name, shown, events) => {
    const { choose, seeFirst, check, button, count, page } = await shared.show();
    await choose(join(data, name));
    await seeFirst(/\d{4}, \d\d:\d\d/);
    expect(await check()).toEqual([`New ${shown}`, 'Changed 0', 'Unchanged 0', 'Left out 0']);
    await button(`Import ${shown} events`).click();
    await page.getByText(`${shown} events added`).waitFor();
    expect(await count()).toBe(events);
  });
});
