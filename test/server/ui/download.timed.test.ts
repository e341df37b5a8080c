import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { writeCsv } from '../../../server/export/csv.ts';
import { writeIcs } from '../../../server/export/ics.ts';
import { joinPieces } from '../../../server/ui/download/download.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import {
  gapAtRandomMoment,
  median,
  repeat,
  shareHeldUp,
  watchEventLoop,
} from '../../support/measure.ts';
import { watchFrames, watchIdleFrames } from './frames.ts';

const browser = testBrowser();

describe('a large file', () => {
  const description = 'Round of the league; bring your own ball. '.repeat(6);
  const many = Array.from({ length: 100_000 }, (_, id) =>
    makeEvent(id, { description }),
  ) as StoredEvent[];
  // A calendar takes several times as long.
  const some = many.slice(0, 20_000);

  it.each([
    ['csv', many, 0.15, () => writeCsv(many)],
    [
      'ics',
      some,
      0.1,
      () => writeIcs(some, { calendarName: 'Club', now: new Date(), uidBase: '', timeZone: 'UTC' }),
    ],
  ] as const)('is written as %s without blocking the page', async (_, events, limit, write) => {
    const shares = await repeat(3, async () => {
      const gaps = await watchEventLoop(async () => {
        const file = await joinPieces(write(), 'text/plain');
        expect(file.size).toBeGreaterThan(events.length * 250);
      });
      return shareHeldUp(gaps);
    });
    expect(median(shares)).toBeLessThan(limit);
  });
});

describe('a printed list of 2,500 events', () => {
  it('is laid out in frames not much longer than those of an idle page', async () => {
    const many = Array.from({ length: 2_500 }, (_, id) =>
      makeEvent(id, { date: daysFromNow(Math.floor(id / 100)) }),
    );
    const { service, key } = await serveClub(many);
    const ratios = await repeat(3, async () => {
      const page = await openPage(browser.current, service, { key, fragment: '#print=list' });
      const ready = page.locator('.studio-fit[data-ready]');
      await ready.waitFor();
      const idle = await watchIdleFrames(page);
      const busy = await watchFrames(page, async () => {
        await page.getByRole('checkbox', { name: 'Notes' }).uncheck();
        await ready.waitFor();
      });
      await page.context().close();
      return gapAtRandomMoment(busy) / gapAtRandomMoment(idle);
    });
    expect(median(ratios)).toBeLessThan(4);
  });
});
