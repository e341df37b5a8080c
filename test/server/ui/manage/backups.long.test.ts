import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { shareBackups } from './backups-page.ts';

const { showStart, addLater, namesOf } = shareBackups(testBrowser());

it('a restore works with the keyboard alone, from the start page', async () => {
  const { page, service } = await showStart(1);
  await addLater(page, 'By keyboard', 3);
  await page.getByRole('button', { name: 'More' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Settings…' }).press('Enter');
  await page.getByRole('button', { name: 'History and backups' }).press('Enter');
  await page.getByRole('button', { name: 'Restore…' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 20 && (await focused()) !== name; presses += 1) {
      await page.keyboard.press('Tab');
    }
    expect(await focused()).toBe(name);
  };
  expect(await focused()).toBe('History and backups');
  await tabTo('Restore…');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Restore a backup');
  await tabTo('Restore');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('Cancel');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toMatch(/^Restored: one club, /);
  expect(await namesOf(service)).not.toContain('By keyboard');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Undo');
  await page.keyboard.press('Enter');
  await expect.poll(() => namesOf(service)).toContain('By keyboard');
});
