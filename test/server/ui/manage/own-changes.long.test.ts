import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readAgain, testBrowser } from '../../../support/browser.ts';
import { changeEvents } from '../../../support/club.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { writeTestFile } from '../../import/files.ts';

const browser = testBrowser();

it('announces changes by others, but not those of an import in the window or of its undo', async () => {
  const home = makeTestHome();
  const member = await addMember(home, 'Chess', [makeEvent(1, { name: 'Concert' })]);
  const desktop = await openDesktopPage(browser.current, home);
  const { page, desk, service } = desktop;
  await page.locator('[data-event="1"]').waitFor();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const notice = page.locator('#changes-since');
  desk.chosen = [
    writeTestFile('plan.csv', 'id,name,date\n1,Concert,2026-05-02\n,Picnic,2026-06-01'),
  ];
  await page.evaluate(() => {
    location.hash = '#manage=import';
  });
  await button('Choose a file…').click();
  await button('Check 2 events').click();
  await button('Import 2 events').click();
  await button('Show events').click();
  await page.getByRole('button', { name: /Picnic/ }).waitFor();

  const served = { home, service, ...member };
  await changeEvents(served, [makeEvent(7, { name: 'Night hike' })]);
  await readAgain(page);
  await page.locator('[data-event="7"]').getByText('New', { exact: true }).waitFor();
  await expect.poll(() => notice.textContent()).toMatch(/^1 change since /);
  await page.getByRole('button', { name: /^Filter/ }).click();
  await button('Mark as seen').click();
  await page.keyboard.press('Escape');

  await page.evaluate(() => {
    location.hash = '#manage=history';
  });
  await page.getByRole('button', { name: /^Undo plan\.csv/ }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Undo' });
  const colour = () => confirm.evaluate((element) => getComputedStyle(element).backgroundColor);
  const accent = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--mantine-primary-color-filled)';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  expect(await colour()).toBe(accent);
  await confirm.click();
  await page.getByText('Import of plan.csv undone:').waitFor();
  await button('Back to events').click();
  await page.getByRole('button', { name: /Picnic/ }).waitFor({ state: 'detached' });
  // Until the window has read its own change; one by others at the same moment counts as its own.
  await delay(2_000);
  await changeEvents(served, [makeEvent(8, { name: 'Regatta' })]);
  await readAgain(page);
  await page.locator('[data-event="8"]').getByText('New', { exact: true }).waitFor();
  await expect.poll(() => notice.textContent()).toMatch(/^1 change since /);
});
