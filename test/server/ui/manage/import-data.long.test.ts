import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { choose as inLong } from '../../../support/long.ts';
import { writeTestFile } from '../../import/files.ts';
import { shareImport } from './import-page.ts';

const data = join(import.meta.dirname, '../../../../../shared/data');
const available = existsSync(data);
if (!available) {
  process.stderr.write('Skipped: real imports, whose files are not beside this checkout.\n');
}

describe.skipIf(!available)('real data', () => {
  const shared = shareImport(testBrowser());

  // The beginning is enough for the way.
  const some = inLong(6_831, 300);
  const shown = some.toLocaleString('en');

  function writeBeginning(): string {
    const { events } = JSON.parse(readFileSync(join(data, 'conferences.json'), 'utf8'));
    return writeTestFile('some.json', JSON.stringify({ events: events.slice(0, some) }));
  }

  it('of conferences can be imported with chosen columns, exported and imported again', async () => {
    const opened = await shared.show();
    const { choose, column, seeFirst, check, button, count, page, row } = opened;
    const [head, ...rows] = readFileSync(join(data, 'conferences.csv'), 'utf8').split('\n');
    const path = writeTestFile('some.csv', [head, ...rows.slice(0, some)].join('\n'));
    await choose(path);
    await seeFirst('Garden City RubyConf');
    await expect.poll(() => column('Name').inputValue()).toBe('name');
    await expect.poll(() => column('Date').inputValue()).toBe('startDate');
    await column('Place').selectOption('city');
    await column('Note').selectOption('url');
    await seeFirst('Cape Town');
    await seeFirst('http://rubyfuza.org');
    await page.getByText('Not imported: topic, country, online.').waitFor();
    await expect
      .poll(await check())
      .toEqual(['To correct 0', `New ${shown}`, 'Changed 0', 'Unchanged 0']);
    await row(2).waitFor();
    expect(await count()).toBe(0);
    await button(`Import ${shown} events`).click();
    await page.getByText(`${shown} events added`).waitFor();
    expect(await count()).toBe(some);
    await button('Undo').click();
    await page.getByText('Your events are as they were before this import.').waitFor();
    expect(await count()).toBe(0);
    await button('Back to this file').click();
    await expect.poll(() => column('Place').inputValue()).toBe('city');
    await check();
    await button(`Import ${shown} events`).click();
    await page.getByText(`${shown} events added`).waitFor();
    await button('Import another file').click();
    await choose(path);
    await page.getByText('matched as in your last file').waitFor();
    await expect
      .poll(await check())
      .toEqual(['To correct 0', 'New 0', 'Changed 0', `Unchanged ${shown}`]);
    expect(await count()).toBe(some);
  });

  it.each([
    ['conferences.json', shown, some],
    ['matches.ics', '151', 151],
  ])('of %s goes in as it is', async (name, shown, events) => {
    const { choose, seeFirst, check, button, count, page } = await shared.show();
    await choose(name === 'conferences.json' ? writeBeginning() : join(data, name));
    await seeFirst(/^\w+ \d{4}$/);
    await expect
      .poll(await check())
      .toEqual(['To correct 0', `New ${shown}`, 'Changed 0', 'Unchanged 0']);
    await button(`Import ${shown} events`).click();
    await page.getByText(`${shown} events added`).waitFor();
    expect(await count()).toBe(events);
  });
});
