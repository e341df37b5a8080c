import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { writeHtml } from '../../../server/export/html.ts';
import { catalogues } from '../../../server/messages/messages.ts';
import { launchBrowser } from '../../support/browser.ts';
import { testCopyFacts } from '../../support/events.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { median, repeat } from '../../support/measure.ts';
import { openOnce } from '../../support/once.ts';

const browser = openOnce(launchBrowser);

it('opens a page for members with 10,000 events, and finds one, within two seconds each', async () => {
  const now = new Date();
  const description = 'Round of the league; bring your own ball. '.repeat(3);
  const events = Array.from({ length: 10_000 }, (_, id) =>
    makeEvent(id, {
      name: `Training ${id}`,
      date: new Date(now.getTime() + (id - 3_000) * 10_000_000).toISOString(),
      description,
    }),
  ) as StoredEvent[];
  const path = join(makeTestFolder(), 'season.html');
  const options = { club: 'Chess', now, uidBase: '3f1c', timeZone: 'Europe/Berlin' };
  const local = { language: 'en-GB', words: catalogues.en, copy: testCopyFacts, usualLength: 120 };
  writeFileSync(path, [...writeHtml(events, { ...options, ...local })].join(''));
  const times = await repeat(3, async () => {
    const page = await browser.current.newPage();
    await page.goto(pathToFileURL(path).href);
    // Measured in the page: Playwright itself takes seconds to find a text among so many.
    const time = await page.evaluate(async () => {
      await new Promise(requestAnimationFrame);
      const opened = performance.now();
      const search = document.getElementById('search') as HTMLInputElement;
      search.value = '9999';
      search.dispatchEvent(new Event('input'));
      await new Promise(requestAnimationFrame);
      const found = document.getElementById('found')?.textContent;
      return { opened, found, search: performance.now() - opened };
    });
    await page.close();
    return time;
  });
  expect(times.map(({ found }) => found)).toEqual(['1 event', '1 event', '1 event']);
  expect(median(times.map(({ opened }) => opened))).toBeLessThan(2_000);
  expect(median(times.map(({ search }) => search))).toBeLessThan(2_000);
});
