import { expect, it } from 'vitest';
import { openPage, readAgain, testBrowser } from '../../../support/browser.ts';
import { changeEvents } from '../../../support/club.ts';
import { makeEvent } from '../../../support/home.ts';
import { readOnce } from '../../../support/patience.ts';
import { performHere } from '../../../support/perform.ts';
import { expectForEverybody, expectFourTextSizes, expectPartForEverybody } from '../axe.ts';
import { addPicnic, focused, noticeOf, openForm, shareClubWindow } from './event-window.ts';

const browser = testBrowser();
const shared = shareClubWindow(browser);

/** Another import changes the match while its form is open. */
const match = (more: Parameters<typeof makeEvent>[1]) =>
  makeEvent(4, {
    name: 'Rovers v City',
    date: '2026-11-28T13:00:00.000Z',
    location: 'Sports hall, Mill Lane',
    eventType: 'regional',
    ...more,
  });

it('keeps the end as the first line of the note, and asks about one before the start', {
  tags: 'long',
}, async () => {
  const { page } = await shared.show();
  const field = (name: string) => page.locator(`#event-${name}`);
  await openForm(page, 'New event');
  await page.keyboard.insertText('Camp 27 to 31 December Lake Farm');
  await expect.poll(() => field('ends').inputValue()).toBe('Thu 31 Dec 2026');
  const parts = page.locator('.words-part');
  await expect
    .poll(() => parts.locator('i').allTextContents())
    .toEqual(['Name', 'Date', 'Ends', 'Place']);
  await page.locator('.agenda-draft').getByText('5 days, until Thursday').waitFor();
  // The end moves with the day, until a person changes it too.
  await field('date').fill('28 December');
  await page.keyboard.press('Tab');
  await expect.poll(() => field('ends').inputValue()).toBe('Fri 1 Jan 2027');
  await field('time').fill('23:00');
  await field('ends').fill('22:00');
  await page.keyboard.press('Tab');
  await page.getByText('Does it end on Tuesday?').waitFor();
  await page.getByRole('button', { name: 'On Tuesday' }).press('Enter');
  await expect.poll(() => field('ends').inputValue()).toBe('Tue 29 Dec 2026, 22:00');
  await field('ends').fill('27 December 2026');
  await page.keyboard.press('Enter');
  await page.getByText('The end is before the start.').waitFor();
  await field('ends').fill('2 days');
  await page.keyboard.press('Tab');
  await expect.poll(() => field('ends').inputValue()).toBe('Tue 29 Dec 2026');
  await field('description').fill('Bring a mug.');
  await page.getByRole('button', { name: 'Add event' }).click();
  await noticeOf(page).getByText('Camp').waitFor();
  await page.locator('.agenda-event', { hasText: 'Camp' }).click();
  await page.locator('.fact-when', { hasText: 'to Tuesday 29 December' }).waitFor();
  await expect.poll(() => page.locator('.panel-description').innerText()).toBe('Bring a mug.');
  await openForm(page, 'Edit');
  await expect.poll(() => field('ends').inputValue()).toBe('Tue 29 Dec 2026');
  await expect.poll(() => field('description').inputValue()).toBe('Bring a mug.');
  await field('ends').fill('');
  await page.keyboard.press('Enter');
  await page.locator('.event-form').waitFor({ state: 'detached' });
  await page.locator('.agenda-event', { hasText: '1 day' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('.panel-description').innerText()).toBe('Bring a mug.');
});

it('adds a repetition as seen, without the dates that were taken out, with one undo', {
  tags: 'long',
}, async () => {
  const { page, stored } = await shared.show();
  const before = await stored();
  const field = (name: string) => page.locator(`#event-${name}`);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await openForm(page, 'New event');
  await page.keyboard.insertText('Training every Tue 19:00-20:30 Sports hall until 29 December');
  const parts = page.locator('.words-part i');
  await expect
    .poll(() => parts.allTextContents())
    .toEqual(['Name', 'Repeats', 'Time', 'Ends', 'Place', 'Until']);
  await page
    .getByRole('status')
    .filter({ hasText: /^Every Tuesday, 19:00–20:30, until Tuesday,? 29 December 2026$/ })
    .waitFor();
  await page.locator('.agenda-draft').getByText('1 of 6').waitFor();
  await button(/^Leave out Tuesday,? 1 December/).press('Enter');
  await page.locator('.agenda-draft').getByText('Left out').waitFor();
  await button('Add 5 events').waitFor();
  await page.getByText('1 date is left out.').click();
  await page
    .locator('.event-dates')
    .getByRole('button', { name: 'Tue 15 Dec 2026' })
    .press('Space');
  await button('Add 4 events').waitFor();
  await button(/^Put back: Tuesday,? 1 December/).click();
  // The foot of the form lies over what is below it.
  const dates = page.locator('.event-dates');
  await expectForEverybody(page, 'a repetition in the form', () =>
    dates.evaluate((list) => list.scrollIntoView({ block: 'center' })),
  );
  await expectFourTextSizes(page, 'a repetition in the form', '.event-form');
  // The controls follow the line until one is changed by hand.
  await field('until').fill('3 times');
  await page.keyboard.press('Tab');
  await button('Add 3 events').click();
  await noticeOf(page).getByText('3 events added').waitFor();
  const added = (await stored()).filter((event) => !before.includes(event));
  expect(added).toEqual(
    ['11-24', '12-01', '12-08'].map(
      (day) => `Training, ${day}T18:00, Sports hall, Mill Lane, active`,
    ),
  );
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Training');
  await noticeOf(page).getByRole('button', { name: 'Undo' }).click();
  await noticeOf(page).getByText('Undone').waitFor();
  expect(await stored()).toEqual(before);
});

it('leaves out the days off of the club by name, or says that there are none', {
  tags: 'long',
}, async () => {
  const { page, served } = await shared.show();
  await openForm(page, 'New event');
  await page.keyboard.insertText(
    'Training every Tue 19:00 Sports hall until 31 December except holidays',
  );
  await page.getByText('There are no days off yet, so every date is taken.').waitFor();
  await page.getByRole('button', { name: 'Add 6 events' }).waitFor();
  // The line grows with its text, which never scrolls.
  const line = await page.locator('#event-line').evaluate(({ scrollHeight, clientHeight }) => ({
    scrollHeight,
    clientHeight,
  }));
  expect(line.clientHeight).toBeGreaterThan(90);
  expect(line.scrollHeight).toBe(line.clientHeight);

  const days = [{ first: '2026-12-21', last: '2027-01-03', name: 'Christmas holidays' }];
  const readAt = '2026-11-01T00:00:00.000Z';
  const calendar = { kind: 'file', name: 'School', source: 'school.ics', readAt, days } as const;
  const tools = { home: served.home, onProgress: () => undefined };
  await performHere('days-off put', { user: served.name, calendar }, tools);
  await page.reload();
  const drafts = page.locator('.agenda-draft');
  await drafts.getByText('Day off: Christmas holidays').first().waitFor();
  await expect.poll(() => page.getByText('There are no days off yet').count()).toBe(0);
  await page
    .locator('.agenda-month', { hasText: 'December' })
    .getByText('3 not added yet')
    .waitFor();
  const off = page.getByRole('region', { name: 'Not on days off' });
  await off.getByText('Christmas holidays').waitFor();
  await off.getByRole('button', { name: 'Tue 22 Dec 2026' }).press('Enter');
  await page.getByText('1 date falls on a day off and is left out.').waitFor();
  await expectPartForEverybody(page, 'a repetition around days off', '.event-form');
});

it('repeats an event by the fields alone, and asks for an end', { tags: 'long' }, async () => {
  const { page, stored } = await shared.show();
  const field = (name: string) => page.locator(`#event-${name}`);
  await openForm(page, 'New event');
  await field('name').fill('Committee');
  await expect.poll(() => page.getByRole('button', { name: 'Repeat…' }).count()).toBe(0);
  await field('date').fill('8 December');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Repeat…' }).press('Enter');
  await page.getByRole('button', { name: 'Thu', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Add event' }).click();
  await page.getByText('Until when?').waitFor();
  expect(await field('until').evaluate((element) => element === document.activeElement)).toBe(true);
  await field('until').fill('never');
  await page.getByText('Enter a last day').waitFor();
  await field('until').fill('17 December');
  await page.getByRole('button', { name: 'Add 4 events' }).waitFor();
  await field('repeats').selectOption({ label: 'Every month on the 2nd Tuesday' });
  await field('until').fill('30 June 2040');
  await page.getByText('A repetition lasts at most two years.').waitFor();
  await field('until').fill('2');
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('2 events added').waitFor();
  expect((await stored()).filter((event) => event.startsWith('Committee'))).toEqual([
    'Committee, 12-07T23:00, , active',
    'Committee, 01-11T23:00, , active',
  ]);
});

it('fills the fields from the line until they are edited by hand', async () => {
  const { page, stored } = await shared.show();
  const field = (name: string) => page.locator(`#event-${name}`);
  const values = () =>
    Promise.all(['name', 'date', 'time', 'location'].map((name) => field(name).inputValue()));
  await openForm(page, 'New event');
  await page.keyboard.insertText('Training Tue 19:00 Sports hall');
  await expect
    .poll(values)
    .toEqual(['Training', 'Tue 24 Nov 2026', '19:00', 'Sports hall, Mill Lane']);
  await page.locator('#events').getByText('Not added yet', { exact: true }).waitFor();
  const parts = page.locator('.words-part');
  await expect
    .poll(() => parts.locator('mark').allTextContents())
    .toEqual(['Training', 'Tue', '19:00', 'Sports hall']);
  await expect
    .poll(() => parts.locator('i').allTextContents())
    .toEqual(['Name', 'Date', 'Time', 'Place']);
  // The marks lie exactly behind their letters.
  const ends = await page.evaluate(() => {
    const input = document.querySelector<HTMLTextAreaElement>('#event-line');
    const last = document.querySelector('.words-part:last-child mark');
    if (!input || !last) return [];
    const style = getComputedStyle(input);
    const context = document.createElement('canvas').getContext('2d');
    if (!context) return [];
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    context.fontKerning = 'none';
    context.wordSpacing = style.wordSpacing;
    const start = input.getBoundingClientRect().left + Number.parseFloat(style.paddingLeft) + 2;
    return [start + context.measureText(input.value).width, last.getBoundingClientRect().right];
  });
  expect(Math.abs((ends[0] ?? 0) - (ends[1] ?? 99))).toBeLessThan(2);
  const spoken = page.getByRole('status').filter({ hasText: 'Tuesday 24 November 2026, 19:00' });
  await expect
    .poll(() => page.locator('#event-line').getAttribute('aria-describedby'))
    .toBe(await readOnce(spoken.getAttribute('id')));

  await field('time').fill('half');
  await field('date').fill('1 dec');
  await field('location').click();
  await expect
    .poll(values)
    .toEqual(['Training', 'Tue 1 Dec 2026', 'half', 'Sports hall, Mill Lane']);
  await field('date').fill('Wed 18:30');
  await field('location').click();
  await expect
    .poll(values)
    .toEqual(['Training', 'Wed 25 Nov 2026', '18:30', 'Sports hall, Mill Lane']);
  await field('date').fill('1.12.');
  await field('time').fill('8 pm');
  await page.locator('#event-line').fill('Practice Wed 18:00 Clubhouse');
  await expect.poll(values).toEqual(['Practice', 'Tue 1 Dec 2026', '20:00', 'Clubhouse']);
  await page.getByRole('radio', { name: 'National', exact: true }).check({ force: true });
  await page.getByRole('button', { name: 'Add and write another' }).click();
  await noticeOf(page).getByText('Practice: added, Tue 1 Dec, 20:00').waitFor();
  expect(await focused(page)).toBe('event-line');
  await expect.poll(values).toEqual(['', '', '', 'Clubhouse']);
  await expect
    .poll(() => page.getByRole('radio', { name: 'National', exact: true }).isChecked())
    .toBe(true);
  await page.keyboard.insertText('Cup 2 January 15:00');
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('Cup: added, Sat 2 Jan 2027, 15:00').waitFor();
  expect((await stored()).slice(-2)).toEqual([
    'Annual meeting, 12-07T18:00, Clubhouse, active',
    'Cup, 01-02T14:00, Clubhouse, active',
  ]);
});

it('names what is wrong in its field, in the words of the reader', { tags: 'long' }, async () => {
  const { page, stored } = await shared.show();
  const before = await stored();
  const errorOf = (name: string) => page.locator(`#event-${name}-error`).innerText();
  await openForm(page, 'New event');
  await page.keyboard.press('Enter');
  await expect.poll(() => errorOf('name')).toBe('Enter a name.');
  await expect.poll(() => errorOf('date')).toBe('Enter a date.');
  await expect.poll(() => focused(page)).toBe('event-name');
  await expect
    .poll(() => page.locator('#event-name').getAttribute('aria-describedby'))
    .toBe('event-name-error');
  await page.locator('#event-name').fill('x'.repeat(100_001));
  await page.locator('#event-date').fill('31 November');
  await page.locator('#event-time').fill('soon');
  await page.locator('#event-location').click();
  await expect.poll(() => errorOf('date')).toBe('November has only 30 days.');
  await expect.poll(() => errorOf('time')).toBe('Enter a time of day, such as 19:00.');
  await page.locator('#event-date').fill('29 February 2027');
  await expect.poll(() => errorOf('date')).toBe('February 2027 has only 28 days.');
  for (const [date, error] of [
    ['2026-02-30', 'February 2026 has only 28 days.'],
    ['2026-13-45', 'Enter a day, such as 24 November or next Tuesday.'],
    ['0000-01-01', 'This day is too far away. Enter another year.'],
    ['0001-01-01', 'This day is too far away. Enter another year.'],
  ] as const) {
    await page.locator('#event-date').fill(date);
    await expect.poll(() => errorOf('date'), { message: date }).toBe(error);
  }
  await page.locator('#event-date').fill('the day after never');
  await expect
    .poll(() => errorOf('date'))
    .toBe('Enter a day, such as 24 November or next Tuesday.');
  await page.locator('#event-date').fill('30 November');
  await page.locator('#event-time').fill('tba');
  await page.getByRole('button', { name: 'Add event', exact: true }).click();
  await expect
    .poll(() => errorOf('name'))
    .toMatch(/^The name is longer than \d+ characters; shorten it\.$/);
  expect(await stored()).toEqual(before);
  await page.locator('#event-name').fill('Fair');
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('Fair: added, Mon 30 Nov').waitFor();
});

it('says at the field what the clocks make of a time', { tags: 'long' }, async () => {
  const { page, stored } = await shared.show();
  await openForm(page, 'New event');
  const [name, date, time] = ['name', 'date', 'time'].map((field) =>
    page.locator(`#event-${field}`),
  );
  await name?.fill('Fireworks');
  await date?.fill('1 January 2027');
  await time?.fill('00:00');
  // The focus then moves to the time.
  await name?.press('Enter');
  await expect
    .poll(() => page.locator('#event-time-error').innerText())
    .toBe('Midnight counts as “no time”. Enter 00:01, or 23:59 on the day before.');
  await expect.poll(() => focused(page)).toBe('event-time');
  await date?.fill('28 March 2027');
  await time?.fill('02:30');
  await time?.blur();
  await page.locator('#event-time-note').getByText('02:30 becomes 03:30.').waitFor();
  await expect.poll(() => time?.getAttribute('aria-describedby')).toBe('event-time-note');
  await time?.fill('03:30');
  await page.locator('#event-time-note').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('Fireworks: added').waitFor();
  expect(await stored()).toContain('Fireworks, 03-28T01:30, , active');
});

it('offers the status Completed only for an event that has it', { tags: 'long' }, async () => {
  const { page, served } = await shared.show('#event=4&form=edit');
  const status = page.locator('#event-status');
  const options = () => status.locator('option').allTextContents();
  await status.waitFor();
  await expect.poll(options).toEqual(['Draft', 'Planned', 'Cancelled']);
  await changeEvents(served, [match({ status: 'completed' })]);
  await readAgain(page);
  await expect.poll(options).toEqual(['Draft', 'Planned', 'Completed', 'Cancelled']);
  await expect.poll(() => status.inputValue()).toBe('completed');
  await status.selectOption('cancelled');
  await expect.poll(options).toContain('Completed');
});

it('overwrites nothing that somebody else changed while the form was open', async () => {
  const { page, stored, served } = await shared.show();
  await page.locator('[data-event="4"]').click();
  await openForm(page, 'Edit');
  await page.locator('#event-time').fill('16:00');
  await page.locator('#event-description').fill('Bring both shirts.');
  await changeEvents(served, [match({ date: '2026-11-28T14:00:00.000Z', location: 'Arena' })]);
  // The page has not read this change yet, or just so.
  await page.locator('#event-time').press('Enter');
  const time = page.getByRole('group', { name: 'This was changed elsewhere to 15:00.' });
  await time.getByText('Yours is 16:00.').waitFor();
  await expect.poll(() => page.locator('#event-location').inputValue()).toBe('Arena');
  await page.getByText('This was changed elsewhere to Arena.').waitFor();
  expect(await stored()).toContain('Rovers v City, 11-28T14:00, Arena, active');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => focused(page)).toBe('Use the new value');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('#event-time').inputValue()).toBe('15:00');

  await page.locator('#event-time').fill('17:00');
  await changeEvents(served, [match({ date: '2026-11-28T14:30:00.000Z', location: 'Arena' })]);
  await readAgain(page);
  await page.getByText('This was changed elsewhere to 15:30.').waitFor();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await page.locator('#event-time').press('Enter');
  await noticeOf(page).getByText('Rovers v City: Sat 28 Nov, 15:30 → 17:00, new note').waitFor();
  expect(await stored()).toContain('Rovers v City, 11-28T16:00, Arena, active');
});

it('brings unsaved text back, after Escape and after other screens', { tags: 'long' }, async () => {
  const { page } = await shared.show();
  const line = page.locator('#event-line');
  const show = (fragment: string) => page.evaluate((hash) => location.assign(hash), fragment);
  await page.locator('#events [data-event="2"]').focus();
  await page.keyboard.press('n');
  await page.locator('.event-form :focus').waitFor();
  await page.keyboard.insertText('Quiz night Fri');
  await page.keyboard.press('Escape');
  await page.locator('.event-form').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('2');
  await openForm(page, 'New event');
  await page.getByText('Your unsaved text is back.').waitFor();
  await expect.poll(() => line.inputValue()).toBe('Quiz night Fri');
  await show('#manage=history');
  await page.getByRole('button', { name: 'Back to events' }).click();
  await show('#view=table&form=new');
  await expect.poll(() => line.inputValue()).toBe('Quiz night Fri');
  await show('#view=table&form=new&on=2026-12-24');
  await expect.poll(() => page.locator('#event-date').inputValue()).toBe('Thu 24 Dec 2026');
  await expect.poll(() => line.inputValue()).toBe('Quiz night Fri');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect.poll(() => line.inputValue()).toBe('');

  await show('#event=4&form=edit');
  await page.locator('#event-name').fill('Rovers v United');
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 2, name: 'Rovers v City' }).waitFor();
  await openForm(page, 'Edit');
  await expect.poll(() => page.locator('#event-name').inputValue()).toBe('Rovers v United');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.locator('.event-form').waitFor({ state: 'detached' });
  await openForm(page, 'Edit');
  await expect.poll(() => page.locator('#event-name').inputValue()).toBe('Rovers v City');
});

it('leaves Ctrl+Z to a text field, and the keys of the form to the desktop window', {
  tags: 'long',
}, async () => {
  const { page, stored, served } = await shared.show();
  await addPicnic(page);
  const added = await stored();
  await openForm(page, 'New event');
  await page.keyboard.type('Regatta');
  await page.keyboard.press('Control+z');
  await expect.poll(() => page.locator('#event-line').inputValue()).not.toBe('Regatta');
  expect(await stored()).toEqual(added);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog');
  await help.getByText('Copy the open event to another day').waitFor();
  await help.getByText('Undo the last change').waitFor();
  await page.keyboard.press('Control+z');
  expect(await stored()).toEqual(added);
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await stored()).length).toBe(added.length - 1);
  await page.keyboard.press('Control+y');
  await expect.poll(stored).toEqual(added);

  // The history may have undone the change before.
  await page.evaluate(() => location.assign('#manage=history'));
  await page.getByText('Redone: Picnic').waitFor();
  await page.getByRole('button', { name: /^Undo Picnic/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Change of Picnic undone').waitFor();
  await page.getByRole('button', { name: 'Back to events' }).click();
  await page.keyboard.press('Control+z');
  await noticeOf(page).getByText('This was undone before.').waitFor();

  const inBrowser = await openPage(browser.current, served.service, { key: served.key });
  await inBrowser.locator('[data-event]').first().click();
  for (const key of ['n', 'e', 'd', '?']) await inBrowser.keyboard.press(key);
  expect(await inBrowser.evaluate('location.hash')).not.toContain('form');
  await inBrowser.getByRole('dialog').getByText('Print…').waitFor();
  await expect
    .poll(() => inBrowser.getByText('Copy the open event to another day').count())
    .toBe(0);
});

it('reads the end of an event in the line, and asks for a day that is unclear', {
  tags: 'long',
}, async () => {
  const { page } = await shared.show();
  const field = (name: string) => page.locator(`#event-${name}`);
  await openForm(page, 'New event');
  await page.keyboard.insertText('Camp 3 July 15:00 to 5 July 11:00 Lake');
  await expect.poll(() => field('name').inputValue()).toBe('Camp');
  await expect.poll(() => field('date').inputValue()).toBe('Sat 3 Jul 2027');
  await expect.poll(() => field('time').inputValue()).toBe('15:00');
  await expect.poll(() => field('ends').inputValue()).toBe('Mon 5 Jul 2027, 11:00');
  await page.getByText('first line of the note: “Until Mon 5 July, 11:00”').waitFor();
  const parts = page.locator('.words-part');
  await expect
    .poll(() => parts.locator('mark').allTextContents())
    .toEqual(['Camp', '3 July', '15:00', 'to 5 July 11:00', 'Lake']);
  await expect
    .poll(() => parts.locator('i').allTextContents())
    .toEqual(['Name', 'Date', 'Time', 'Ends', 'Place']);

  await page.locator('#event-line').fill('Training Tue and Thu 19:00-21:00');
  await page.getByRole('status').filter({ hasText: 'Which day?' }).waitFor();
  await expect.poll(() => field('name').inputValue()).toBe('Training Tue and Thu');
  await expect.poll(() => field('ends').inputValue()).toBe('21:00');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a date.').waitFor();
  await page.locator('#event-date:focus').waitFor();
});
