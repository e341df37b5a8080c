import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { noticeOf, openClubWindow, openForm } from './event-window.ts';

const browser = testBrowser();

/** Time of a person to press a key, and to move the mouse to something and click, in ms. */
const keyMs = 120;
const clickMs = 700;

it('lets a person add, move and cancel a match in under 20 seconds each', async () => {
  const { page, stored } = await openClubWindow(browser.current);
  const notice = noticeOf(page);
  const type = (text: string) => page.keyboard.type(text, { delay: keyMs });
  const click = async (target: Locator, clickCount = 1) => {
    await page.waitForTimeout(clickMs);
    await target.click({ clickCount });
  };
  const open = async (form: Parameters<typeof openForm>[1]) => {
    await page.waitForTimeout(clickMs);
    await openForm(page, form);
  };
  const took: Record<string, number> = {};
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    took[name] = (performance.now() - start) / 1_000;
  };

  await measure('add', async () => {
    await open('New event');
    await type('Rovers v United Sat 12 December 14:00 Sports hall');
    await page.keyboard.press('Enter');
    await notice.getByText('Rovers v United: added, Sat 12 Dec, 14:00').waitFor();
  });
  await measure('move', async () => {
    await click(page.locator('#events [data-event]').filter({ hasText: 'Rovers v City' }));
    await open('Edit');
    await click(page.getByLabel('Time'), 3);
    await type('15:00');
    await page.keyboard.press('Enter');
    await notice.getByText('Rovers v City: Sat 28 Nov, 14:00 → 15:00').waitFor();
  });
  await measure('cancel', async () => {
    await click(page.locator('#events [data-event]').filter({ hasText: 'Rovers v United' }));
    await click(page.getByRole('button', { name: 'Cancel event' }));
    await click(page.getByRole('button', { name: 'Cancel event' }));
    await notice.getByText('Rovers v United: Planned → Cancelled').waitFor();
  });

  expect(await stored()).toEqual(
    expect.arrayContaining([
      'Rovers v City, 11-28T14:00, Sports hall, Mill Lane, active',
      'Rovers v United, 12-12T13:00, Sports hall, Mill Lane, cancelled',
    ]),
  );
  for (const [name, seconds] of Object.entries(took)) expect(seconds, name).toBeLessThan(20);
});
