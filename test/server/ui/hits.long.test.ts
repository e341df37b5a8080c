import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fragmentOf, testBrowser } from '../../support/browser.ts';
import { makeEvent } from '../../support/home.ts';
import { shareClub } from '../../support/shared-club.ts';

const club = [
  makeEvent(300, { name: 'Walk', date: '2031-05-21T10:00:00.000Z' }),
  makeEvent(301, { name: 'Night run', date: '2031-05-20T22:30:00.000Z' }),
  makeEvent(303, { name: 'First run', date: '0001-01-01T00:00:00.000Z' }),
  makeEvent(304, { name: 'Last run', date: '9999-12-31T12:00:00.000Z' }),
  makeEvent(305, { name: 'Old run', date: '2019-03-03T10:00:00.000Z' }),
];

const shared = shareClub(testBrowser(), club);

const title = (page: Page, text: string) =>
  page.getByRole('heading', { level: 2, name: text, exact: true });

describe('Enter in the search field', () => {
  it('steps through the hits and wraps around, showing their days in the calendar', async () => {
    const page = await shared.show();
    const search = page.getByRole('searchbox');
    await search.pressSequentially('run');
    await search.press('Enter');
    await title(page, 'May 2031').waitFor();
    await page.getByText('Result 3 of 4', { exact: true }).waitFor();
    await page.locator('[data-event="301"][aria-current="true"]').waitFor();
    await search.press('Enter');
    await title(page, 'December 9999').waitFor();
    await search.press('Enter');
    await page.getByText('Result 1 of 4', { exact: true }).waitFor();
    await page.locator('[data-event="303"][aria-current="true"]').waitFor();
    await search.press('Shift+Enter');
    await page.getByText('Result 4 of 4', { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('Result 1 of 4', { exact: true }).waitFor();
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
    await search.press('Escape');
    await expect.poll(() => search.inputValue()).toBe('');
    await page.waitForFunction(() => !location.hash.includes('q='));
    await expect.poll(() => page.getByText(/^Result \d/).count()).toBe(0);
  });

  it('shows the day instead of the panel on a narrow screen', async () => {
    const page = await shared.show();
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByRole('button', { name: 'Search events' }).click();
    await page.getByRole('searchbox').fill('night');
    await page.getByRole('searchbox').press('Enter');
    await title(page, 'May 2031').waitFor();
    await page.getByText('Result 1 of 1', { exact: true }).waitFor();
    await page.locator('[data-chosen][data-date="2031-05-21"]').waitFor();
    expect(await fragmentOf(page)).not.toContain('event=');
  });

  it('goes to the last hit if all are in the past', async () => {
    const page = await shared.show();
    // The coming hits arrive before the past ones.
    await page.route(/order=desc.*q=/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    });
    await page.getByRole('searchbox').fill('old');
    await page.getByRole('searchbox').press('Enter');
    await title(page, 'March 2019').waitFor();
    await page.getByText('Result 1 of 1', { exact: true }).waitFor();
  });
});
