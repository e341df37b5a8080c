import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { fetchWithKey } from '../../../support/service.ts';
import {
  addPicnic,
  focused,
  noticeOf,
  openClubWindow,
  openForm,
  shareClubWindow,
} from './event-window.ts';

const browser = testBrowser();
const shared = shareClubWindow(browser);

it('shows the event of the form in the calendar, dashed and in its place of the day', async () => {
  const { page } = await shared.show('#view=calendar');
  const day = page.locator('[data-date="2026-11-24"]');
  const draft = page.locator('.calendar-draft');
  // Soft hyphens stand where a word may be broken.
  const names = async () =>
    (await day.locator('.calendar-name').allTextContents()).map((name) =>
      name.replaceAll('\u00ad', ''),
    );
  for (const span of ['month', 'week']) {
    await page.evaluate(
      (fragment) => location.assign(fragment),
      `#view=calendar&span=${span}&day=2026-11-24&form=new`,
    );
    await page.locator('#event-line').fill('Training Tue 19:00');
    await day.locator('.calendar-draft').waitFor();
    expect(await draft.evaluate((item) => getComputedStyle(item).outlineStyle)).toBe('dashed');
    await expect.poll(() => draft.innerText()).toContain('Not added yet');
    // The photo evening is at 19:30.
    await expect.poll(names).toEqual(['Training', 'Photo evening']);
    await page.locator('#event-time').fill('20:00');
    await expect.poll(names).toEqual(['Photo evening', 'Training']);
    await page.locator('#event-date').fill('25 November');
    await page.locator('[data-date="2026-11-25"] .calendar-draft').waitFor();
    await expect.poll(() => draft.count()).toBe(1);
    await page.getByRole('button', { name: 'Close the form' }).click();
    await draft.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New event', exact: true }).click();
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('button', { name: 'Close the form' }).click();
  }
});

it('shows a notice that waits while it is used, and copies a text for the members', async () => {
  const { page } = await openClubWindow(browser.current, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const notice = noticeOf(page);
  await page.clock.install({ time: new Date('2026-11-19T08:00:00.000Z') });
  await page.locator('[data-event="4"]').click();
  await openForm(page, 'Edit');
  await page.locator('#event-time').fill('15:00');
  await page.keyboard.press('Enter');
  await notice.getByText('14:00 → 15:00').waitFor();
  expect(await notice.evaluate((element) => element.contains(document.activeElement))).toBe(false);
  const before = await focused(page);
  await page.keyboard.press('F6');
  expect(await focused(page)).toBe('Undo');
  await page.clock.runFor(30_000);
  await expect.poll(() => notice.isVisible()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await notice.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    [
      'Moved: Rovers v City',
      'Saturday 28 November 2026, 14:00 → Saturday 28 November 2026, 15:00',
      'Sports hall, Mill Lane',
    ].join('\n'),
  );
  await page.keyboard.press('F6');
  expect(await focused(page)).toBe(before);
  await notice.hover();
  await page.clock.runFor(30_000);
  await expect.poll(() => notice.isVisible()).toBe(true);
  await page.mouse.move(0, 0);
  await page.clock.runFor(9_000);
  await expect.poll(() => notice.isVisible()).toBe(true);
  await page.clock.runFor(2_000);
  await expect.poll(() => notice.isVisible()).toBe(false);
  await page.keyboard.press('Control+z');
  await notice.getByText('Undone: Rovers v City Sat 28 Nov, 14:00 → 15:00').waitFor();
  await notice.getByRole('button', { name: 'Close this notice' }).click();
  await expect.poll(() => notice.count()).toBe(0);
});

it('undoes typing in a text field and elsewhere the last change from the menu', async () => {
  const { page, stored, send } = await shared.show();
  const line = page.locator('#event-line');
  await addPicnic(page);
  const added = await stored();
  await openForm(page, 'New event');
  await page.keyboard.type('Gala');
  await send({ kind: 'step', step: 'undo' });
  await expect.poll(() => line.inputValue()).not.toBe('Gala');
  await send({ kind: 'step', step: 'redo' });
  await expect.poll(() => line.inputValue()).toBe('Gala');
  expect(await stored()).toEqual(added);
  await page.keyboard.press('Escape');
  await page.locator('.event-form').waitFor({ state: 'detached' });
  await send({ kind: 'step', step: 'undo' });
  await expect.poll(async () => (await stored()).length).toBe(added.length - 1);
  await send({ kind: 'step', step: 'redo' });
  await expect.poll(stored).toEqual(added);

  // The other screens undo only typing.
  await page.evaluate(() => location.assign('#manage=clubs'));
  const field = page.locator('.clubs-add input');
  await field.fill('Cycling');
  await send({ kind: 'step', step: 'undo' });
  await expect.poll(() => field.inputValue()).not.toBe('Cycling');
  expect(await stored()).toEqual(added);
});

it('names the old and the new value in the history', async () => {
  const { page } = await shared.show();
  await page.locator('[data-event="4"]').click();
  await openForm(page, 'Edit');
  await page.locator('#event-time').fill('15:00');
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('14:00 → 15:00').waitFor();
  await page.keyboard.press('Control+z');
  await noticeOf(page).getByText('Undone:').waitFor();
  await page.evaluate(() => location.assign('#manage=history'));
  const titles = page.locator('.history-title');
  await expect
    .poll(() => titles.allInnerTexts())
    .toEqual([
      'Undone: Rovers v City: 14:00 → 15:00',
      'Rovers v City: 14:00 → 15:00',
      'Import of test',
    ]);
});

it('sets the registration of an event back to not given', async () => {
  const { page, served } = await shared.show();
  const registration = page.getByRole('combobox', { name: 'Registration' });
  await page.locator('[data-event="3"]').click();
  await openForm(page, 'Edit');
  await expect.poll(() => registration.inputValue()).toBe('open');
  await registration.selectOption('Not given');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await noticeOf(page).getByText('Team night: Registration: Open → Not given').waitFor();
  const read = async () => {
    const answer = await fetchWithKey(served.service, '/v1/events/3', served.key);
    return ((await answer.json()) as { event: object }).event;
  };
  expect(await read()).not.toHaveProperty('registrationOpen');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(read).toHaveProperty('registrationOpen', true);
});

it('has nothing to edit for an event that no longer exists', async () => {
  const { page } = await shared.show();
  await page.evaluate(() => location.assign('#event=99&form=edit'));
  await page.getByText('It may have been deleted').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await page.evaluate('location.hash')).toBe('#event=99');
});
