import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { readOnce } from '../../../support/patience.ts';
import { performHere } from '../../../support/perform.ts';
import { noticeOf, openForm, shareClubWindow } from './event-window.ts';

const browser = testBrowser();

/** A repetition of more than nine events in each language. */
const lines = {
  en: 'Training every Tuesday 19:00 12 times',
  de: 'Training jeden Dienstag 19:00 12 mal',
  fr: 'Entraînement chaque mardi 19h 12 fois',
  nl: 'Training elke dinsdag 19:00 12 keer',
} as const;

const shared = shareClubWindow(browser);
const untyped = shareDesktop(browser, async (home) => {
  const event = (id: number, more: object = {}) =>
    makeEvent(id, { eventType: null, date: `2099-05-0${id}T18:00:00.000Z`, ...more });
  const user = 'Chess';
  await addMember(home, user, [event(1), event(2, { status: 'cancelled' })]);
  const tools = { home, onProgress: () => undefined };
  await performHere('event edit', { user, id: 1, changes: { name: 'Round 1' } }, tools);
});

it('writes text that comes back on at its end', async () => {
  const { page } = await shared.show();
  await openForm(page, 'New event');
  await page.keyboard.type('Picnic Sunday');
  await page.keyboard.press('Escape');
  await page.locator('.event-form').waitFor({ state: 'detached' });
  await openForm(page, 'New event');
  await page.keyboard.type(' 15:00');
  await expect.poll(() => page.locator('#event-line').inputValue()).toBe('Picnic Sunday 15:00');
  await page.getByRole('button', { name: 'Start over' }).click();
});

it('says that Enter adds it only where it does, and names both parts of a short range', async () => {
  const { page } = await shared.show();
  await openForm(page, 'New event');
  const line = page.locator('#event-line');
  const hint = page.getByText('Enter adds it');
  await line.fill('Training every Tuesday 19:00 Hall');
  await page.locator('.words-part', { hasText: 'every Tuesday' }).waitFor();
  await expect.poll(() => hint.count()).toBe(0);
  await line.fill('Camp 9-11 July');
  await hint.waitFor();
  const labels = () => page.locator('.words-part i').allTextContents();
  await expect.poll(labels).toEqual(['Name', 'Date – Ends']);
  // Figures of one width would set the hyphen of a name apart.
  const figures = (id: string) =>
    page.locator(id).evaluate((field) => getComputedStyle(field).fontVariantNumeric);
  expect(await figures('#event-name')).toBe('normal');
  await line.fill('');
});

it('chooses the first public holidays that are found with Enter', async () => {
  const { page } = await untyped.show('#manage=club-settings');
  const region = page.locator('.days-off-region input').first();
  await region.click();
  await region.fill('Bay');
  // Enter takes the option that is marked.
  const marked = page.locator('[role="option"][data-combobox-selected]', { hasText: 'Bay' });
  await marked.first().waitFor();
  await region.press('Enter');
  await page.getByText('Known until').first().waitFor();
});

it('keeps badges at the edge of a list in which no event has a type', async () => {
  const { page } = await untyped.show('#day=2099-05-01');
  const row = page.locator('.agenda-event[data-event="2"]');
  const badge = row.locator('.agenda-badges');
  await badge.getByText('Cancelled').waitFor();
  const [whole, part] = await readOnce(Promise.all([row.boundingBox(), badge.boundingBox()]));
  const free = (whole?.x ?? 0) + (whole?.width ?? 0) - (part?.x ?? 0) - (part?.width ?? 0);
  expect(free).toBeLessThan(40);
});

it('has the buttons of History and Scripts below their texts on a phone', {
  tags: 'long',
}, async () => {
  for (const width of [390, 320]) {
    const { page } = await untyped.show('#manage=history');
    await page.setViewportSize({ width, height: 844 });
    const item = page.locator('.history-item').first();
    const [title, undo] = await readOnce(
      Promise.all([
        item.locator('.history-title').boundingBox(),
        item.getByRole('button').boundingBox(),
      ]),
    );
    expect(Math.abs((undo?.x ?? 0) - (title?.x ?? 0)), `${width}`).toBeLessThan(2);
    await untyped.show('#manage=keys');
    await page.setViewportSize({ width, height: 844 });
    await page.locator('.way').first().waitFor();
    const texts = await readOnce(
      page
        .locator('.way > div:nth-child(2)')
        .evaluateAll((all) => all.map((text) => text.clientWidth)),
    );
    expect(Math.min(...texts), `${width}`).toBeGreaterThan(150);
  }
});

it('shows the last change beside the choices of a sheet', { tags: 'long' }, async () => {
  const { page } = await shared.show();
  await openForm(page, 'New event');
  await page.keyboard.insertText('Picnic Sunday');
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('Picnic').waitFor();
  await page.evaluate(() => location.assign('#print=list'));
  await page.locator('.studio-fit[data-ready]').waitFor();
  const [notice, choices] = await readOnce(
    Promise.all([noticeOf(page).boundingBox(), page.locator('.studio-choices').boundingBox()]),
  );
  expect(notice?.x ?? 0).toBeGreaterThanOrEqual((choices?.x ?? 0) + (choices?.width ?? 0));
});

it.each(choose(['en', 'de', 'fr', 'nl'] as const, ['de'] as const))(
  'needs one row for the bar of a selection and for the buttons of a form at 1152 pixels in %s',
  async (language) => {
    const { page } = await shared.show('', { desk: { settings: { language } } });
    await page.locator(`html[lang="${language}"]`).waitFor({ state: 'attached' });
    await page.setViewportSize({ width: 1152, height: 800 });
    const tops = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    for (const id of [2, 3]) {
      await page.locator(`[data-event="${id}"]`).click({ modifiers: ['Control'] });
    }
    await page.locator('.bulk').waitFor();
    const ofBar = await tops('.bulk > .mantine-Button-root');
    expect(ofBar.length).toBeGreaterThan(5);
    expect(new Set(ofBar).size).toBe(1);
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.locator('#event-line').fill(lines[language]);
    await page.locator('.agenda-draft').nth(2).waitFor();
    const ofForm = await tops('.event-form-foot .mantine-Button-root');
    expect(ofForm.length).toBe(2);
    expect(new Set(ofForm).size).toBe(1);
  },
);
