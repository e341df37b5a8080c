import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { writeCsv } from '../../../server/actions/export/csv.ts';
import { writeIcs } from '../../../server/actions/export/ics.ts';
import { makeFile } from '../../../server/ui/takeout/make-file.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';

const browser = testBrowser();

describe('a file of 100,000 events', { retry: 4 }, () => {
  const description = 'Round of the league; bring your own ball. '.repeat(6);
  const many = Array.from({ length: 100_000 }, (_, id) =>
    makeEvent(id, { description }),
  ) as StoredEvent[];

  it.each([
    ['csv', () => writeCsv(many)],
    ['ics', () => writeIcs(many, { calendarName: 'Club Events', now: new Date(), uidBase: '' })],
  ] as const)(
    'is written as %s in slices, none of which holds a frame for 50 ms',
    async (_, write) => {
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      });
      const file = await makeFile(write(), 'text/plain');
      clearInterval(timer);
      expect(file.size).toBeGreaterThan(25_000_000);
      expect(longest).toBeLessThan(50);
    },
  );
});

describe('a list of 5,000 events for paper', { retry: 4 }, () => {
  it('is prepared without holding a frame for 50 ms', async () => {
    const many = Array.from({ length: 5_000 }, (_, id) =>
      makeEvent(id, { date: daysFromNow(Math.floor(id / 10)) }),
    );
    const { service, key } = await serveClub(many);
    const page = await openPage(browser.current, service, { key, fragment: '#print=list' });
    const prepare = page.getByRole('button', { name: 'Prepare all the pages' });
    await prepare.waitFor();
    const longest = await prepare.evaluate(async (button) => {
      let longest = 0;
      let last = performance.now();
      (button as HTMLElement).click();
      while (document.querySelectorAll('.sheet-what').length < 5_000) {
        const now = await new Promise<number>(requestAnimationFrame);
        longest = Math.max(longest, now - last);
        last = now;
      }
      return longest;
    });
    // Frames come every 16.7 ms: three of them are a little more than 50.
    expect(longest).toBeLessThan(51);
  });
});
