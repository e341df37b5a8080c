import type { Page } from 'playwright-core';
import { homeAt } from '../../../server/base/home.ts';
import { launchBrowser } from '../../support/browser.ts';
import { openSharedDesktopPage } from '../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../support/home.ts';
import { median, percentile, repeat } from '../../support/measure.ts';
import { tallyOf } from '../../support/tally.ts';
import type { Figure } from '../figure.ts';
import { withFolder } from '../fill.ts';

/** A processor as slow as that of an old laptop. */
const slowdown = 4;

/** Time for the browser to report an interaction, in milliseconds. */
const pause = 600;

const names = ['Training', 'Match', 'Tournament', 'Committee meeting', 'Summer party', 'Fête'];
const places = ['Clubhouse', 'Hall north', 'Town hall', 'Old harbour', ''];

/** Events in equal steps around today. */
const clubOf = (count: number, days: number) =>
  Array.from({ length: count }, (_, index) =>
    makeEvent(index + 1, {
      name: `${names[(index * 7919) % names.length]} ${(index * 104_729) % count}`,
      location: places[index % places.length] ?? '',
      date: new Date(Date.now() + (index / count - 0.5) * days * 86_400_000).toISOString(),
      description: index % 3 === 0 ? `Until 23:00\nRound ${index % 40}` : null,
    }),
  );

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
}

/** Opens the window of a club, and closes it after the work. */
async function withWindow<Value>(
  events: ReturnType<typeof clubOf>,
  work: (page: Page) => Promise<Value>,
): Promise<Value> {
  return withFolder(async (folder) => {
    const home = homeAt(folder);
    await addMember(home, 'Rovers', events);
    const browser = await launchBrowser();
    try {
      const { page, close } = await openSharedDesktopPage(browser, home, {
        // Without a form that an earlier interaction left open.
        fragment: '#',
      });
      try {
        return await work(page);
      } finally {
        await close();
      }
    } finally {
      await browser.close();
    }
  });
}

/** Watches the interactions of a page: each lasts from its event to the next frame. */
async function watchInteractions(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const found = new Map<number, number>();
    Object.assign(globalThis, { __interactions: found });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { interactionId, duration } = entry as PerformanceEventTiming & {
          readonly interactionId: number;
        };
        if (interactionId > 0)
          found.set(interactionId, Math.max(found.get(interactionId) ?? 0, duration));
      }
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  return () =>
    page.evaluate(() => {
      const { __interactions: found } = globalThis as unknown as {
        __interactions: Map<number, number>;
      };
      const durations = [...found.values()];
      found.clear();
      return durations;
    });
}

/** Performs interactions one by one; those below the threshold of the browser take 16 ms at most. */
async function measure(
  page: Page,
  read: () => Promise<number[]>,
  acts: readonly (() => Promise<unknown>)[],
): Promise<number[]> {
  const durations: number[] = [];
  for (const act of acts) {
    await read();
    await act();
    await page.waitForTimeout(pause);
    durations.push(Math.max(16, ...(await read())));
  }
  return durations;
}

const rounds = 5;

async function measureInteractions(page: Page): Promise<readonly (readonly [string, number[]])[]> {
  await tallyOf(page, '20,000 events').waitFor();
  await slowDown(page);
  const read = await watchInteractions(page);
  const press = (key: string) => () => page.keyboard.press(key);
  const found = new Map<string, number[]>();
  const take = async (what: string, acts: readonly (() => Promise<unknown>)[]) =>
    found.set(what, [...(found.get(what) ?? []), ...(await measure(page, read, acts))]);
  for (let round = 0; round < rounds; round += 1) {
    await page.keyboard.press('/');
    const word = [...(names[round % names.length] ?? '').toLowerCase().slice(0, 6)];
    await take('a key of the search', [...word, ...word.map(() => 'Backspace')].map(press));
    await page.keyboard.press('Escape');
    await page.locator('#events').focus();
    await take('a change of view', ['2', '3', '1'].map(press));
    await page.keyboard.press('2');
    const next = page.getByRole('button', { name: 'Next month' });
    await next.waitFor();
    await take(
      'a change of month',
      [1, 2, 3].map(() => () => next.click()),
    );
    await page.keyboard.press('1');
    const rows = page.locator('.agenda-event[aria-current="false"]');
    await rows.first().waitFor();
    await take('opening an event', [() => rows.nth(2 + round).click()]);
    await page.keyboard.press('e');
    await page.locator('#event-name').fill(`Changed ${round}`);
    await take('saving an event', [press('Enter')]);
    await page.locator('.event-form').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  }
  return [...found];
}

/** Returns the milliseconds from navigation to the first frame with the list of today. */
async function timeToList(page: Page): Promise<number> {
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('.agenda [data-event]') === null) requestAnimationFrame(look);
      else Object.assign(globalThis, { __listed: performance.now() });
    };
    requestAnimationFrame(look);
  });
  // The first start also reads what later ones find: the compiled code, and the last visit.
  await page.locator('.agenda [data-event]').first().waitFor();
  await slowDown(page);
  const times = await repeat(rounds, async () => {
    await page.reload();
    await page.waitForFunction(() => '__listed' in globalThis);
    return page.evaluate(() => (globalThis as unknown as { __listed: number }).__listed);
  });
  return median(times);
}

/** Measures what a person feels on a slow computer: each key and click, and the start. */
export async function measureFelt(): Promise<Figure[]> {
  const interactions = await withWindow(clubOf(20_000, 7_000), measureInteractions);
  const start = await withWindow(clubOf(500, 365), timeToList);
  return [
    ...interactions.map(([what, durations]) => ({
      what: `p95 of ${what}, 20000 events, ${slowdown} times slower`,
      value: percentile(durations, 0.95),
      unit: 'ms' as const,
      atMost: 50,
    })),
    {
      what: `from navigation to today’s list, 500 events, ${slowdown} times slower`,
      value: start,
      unit: 'ms',
      atMost: 1_000,
    },
  ];
}
