import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { noticeOf, openForm, shareClubWindow } from './event-window.ts';

const shared = shareClubWindow(testBrowser());

it('says after a second that it saves, and after five why it waits, until there is an answer', {
  tags: 'long',
}, async () => {
  const { page, stored } = await shared.show();
  const before = await stored();
  // The service does not answer until it is let go.
  await page.evaluate(() => {
    const own = globalThis as unknown as {
      clubEvents: { perform: (args: unknown) => Promise<unknown> };
      letGo: () => void;
    };
    const { perform } = own.clubEvents;
    own.clubEvents.perform = async (args) => {
      await new Promise<void>((resolve) => {
        own.letGo = resolve;
      });
      return perform(args);
    };
  });
  const letGo = () => page.evaluate(() => (globalThis as unknown as { letGo(): void }).letGo());
  await openForm(page, 'New event');
  await page.keyboard.insertText('Picnic Sunday');
  const pressed = Date.now();
  await page.keyboard.press('Enter');
  await page.locator('.event-form-foot [aria-busy="true"]').waitFor();
  await noticeOf(page).getByText('Saving…').waitFor();
  expect(Date.now() - pressed).toBeGreaterThanOrEqual(1_000);
  await expect.poll(() => noticeOf(page).getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await noticeOf(page).getByText('Club Events isn’t answering yet.').waitFor();
  expect(Date.now() - pressed).toBeGreaterThanOrEqual(5_000);
  // Pressing again adds nothing twice.
  await page.keyboard.press('Enter');
  expect(await stored()).toEqual(before);
  await letGo();
  await noticeOf(page).getByText('Picnic').waitFor();
  await page.locator('.event-form').waitFor({ state: 'detached' });
  expect((await stored()).filter((event) => event.startsWith('Picnic'))).toHaveLength(1);
  // A panel and its undo wait in the same way, and a quick answer says nothing of it.
  await noticeOf(page).getByRole('button', { name: 'Undo' }).click();
  await noticeOf(page).getByText('Saving…').waitFor();
  await letGo();
  await noticeOf(page).getByText('Undone:').waitFor();
  expect(await stored()).toEqual(before);
});
