import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { makeTestFolder } from '../../../support/home.ts';
import { day, minute, openLaptop } from '../../../support/second-laptop.ts';
import { expectForEverybody, expectVariantForEverybody } from '../axe.ts';
import { card, races } from './mirrored-club.ts';

const browser = testBrowser();

/** Creates a club, and a second computer that has followed its file since `age` ms ago. */
async function followFile(age: number) {
  const now = Date.now();
  const first = await openLaptop(races(7), now - age);
  const second = await openLaptop([], now - age + minute);
  const file = join(makeTestFolder(), 'rovers.json');
  await first.perform('publish add', { output: file });
  await second.perform('mirror set', { file });
  return {
    ...{ first, second, file },
    /** Looks at the file some minutes before now, and shows the window. */
    async open(fragment = '#manage=sync') {
      second.clock.now = now - 3 * minute;
      await second.perform('mirror tick', { isWake: false, minutes: 15, missed: [] });
      const { page } = await openDesktopPage(browser.current, second.home, { fragment });
      return { page, here: card(page, 'What is here'), lookNow: page.getByText('Look now') };
    },
  };
}

describe('the screen of a file of another computer', () => {
  it('says what is wrong with it, what is shown, what to do and when it looks again', {
    tags: 'long',
  }, async () => {
    const { file, open } = await followFile(80 * minute);
    const whole = readFileSync(file);
    writeFileSync(file, whole.subarray(0, -20));
    const { page, here, lookNow } = await open();
    await here.getByText('is damaged, cut off or no copy of a club').waitFor();
    await here.getByText('write it again on the other computer').waitFor();
    await here.getByText(/^The 7 events here are as of .*; nothing was lost\./).waitFor();
    await here.getByText(/Next look: (?:today|tomorrow), /).waitFor();
    await page.locator('.data-state').getByText(', file not usable').waitFor();
    await expectForEverybody(page, 'damaged file');
    writeFileSync(file, whole);
    await lookNow.click();
    await page.getByText('Nothing new').waitFor();
    await here.getByText('Up to date').waitFor();
    await here.getByText(/^All 7 events of the file are here, as of /).waitFor();
    await card(page, 'Source').getByText('every 2 minutes').waitFor();
    await page.getByText('What you change here is a proposal').waitFor();
    // Words for an online service, which a file is not.
    const words = async () =>
      (await page.locator('.sync').innerText()).replaceAll(dirname(file), '');
    await expect.poll(words).not.toMatch(/service|\bkey\b|online|sync|ready|confirmed/i);
    await page.evaluate(() => location.assign('#manage=club-settings'));
    await page.getByText('These settings come from rovers.json. Change them there').waitFor();
    const settings = page.locator('.club-settings-own').locator('input, button');
    const areDisabled = () =>
      settings.evaluateAll((all) => all.length > 0 && all.every((one) => one.matches(':disabled')));
    await expect.poll(areDisabled).toBe(true);
    await page.getByRole('button', { name: 'Give this club to somebody…' }).click({ trial: true });
  });

  it('calls a file old that no program has written for a day', { tags: 'long' }, async () => {
    const { file, open } = await followFile(2 * day);
    copyFileSync(file, join(dirname(file), 'rovers (conflicted copy).json'));
    const { page, here } = await open();
    await here.getByText('check that it runs there, and that the file arrives here').waitFor();
    await here.getByText('rovers (conflicted copy).json').waitFor();
    await page.locator('.data-state[data-old-file]').getByText(', nothing newer').waitFor();
    await expectVariantForEverybody(page, 'old file');
  });

  it('tells that the folder, or the file in it, is not there', { tags: 'long' }, async () => {
    const { second, file, open } = await followFile(90 * minute);
    rmSync(file);
    const { page, here, lookNow } = await open();
    await here.getByText('or that the link is still valid').waitFor();
    await page.locator('.data-state').getByText(', file not there').waitFor();
    rmSync(dirname(file), { recursive: true });
    await lookNow.click();
    await page.getByRole('status').getByText('The file was not taken').waitFor();
    await here.getByText('The folder of rovers.json is not there.').waitFor();
    await page.locator('.data-state').getByText(', folder not there').waitFor();
    expect((await second.stored()).size).toBe(7);
    await expectVariantForEverybody(page, 'no folder');
  });

  it('keeps the newer events when an old version comes back, and asks after a day', {
    tags: 'long',
  }, async () => {
    const { first, second, file, open } = await followFile(3 * day);
    const old = readFileSync(file);
    await first.perform('event edit', { id: 1, changes: { name: 'Final' } });
    first.clock.now += minute;
    await first.perform('publish tick');
    second.clock.now += 5 * minute;
    await second.perform('mirror sync');
    writeFileSync(file, old);
    second.clock.now += 5 * minute;
    await second.perform('mirror sync');
    const { page } = await open();
    const question = card(page, 'Take the older version of the file?');
    await question.getByText('An old version of').waitFor();
    await expectVariantForEverybody(page, 'older file');
    await question.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('The file waits for your decision.').waitFor();
    expect((await second.stored()).get(1)?.name).toBe('Final');
  });
});
