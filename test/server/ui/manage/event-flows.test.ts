import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { addEvents, makeEvent } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { readOnce } from '../../../support/patience.ts';
import { performHere } from '../../../support/perform.ts';
import { expectAccessible } from '../axe.ts';
import { focused, noticeOf, openForm, shareClubWindow } from './event-window.ts';

const shared = shareClubWindow(testBrowser());

type FieldName = 'Name' | 'Date' | 'Time' | 'Place' | 'Note';

/** The hands of a person: a mouse and letters, or keys alone. */
type Hands = {
  openNew(): Promise<unknown>;
  openEvent(name: string): Promise<unknown>;
  edit(): Promise<unknown>;
  copy(): Promise<unknown>;
  type(field: FieldName, text: string): Promise<unknown>;
  press(button: string): Promise<unknown>;
  undo(): Promise<unknown>;
  redo(): Promise<unknown>;
};

function mouse(page: Page): Hands {
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  return {
    openNew: () => openForm(page, 'New event'),
    openEvent: (name) => page.locator('#events [data-event]').filter({ hasText: name }).click(),
    edit: () => openForm(page, 'Edit'),
    copy: () => press('Copy to…'),
    async type(field, text) {
      await page.locator('.event-form').getByLabel(field).click({ clickCount: 3 });
      await page.keyboard.type(text);
    },
    press,
    undo: () => noticeOf(page).getByRole('button', { name: 'Undo' }).click(),
    redo: () => noticeOf(page).getByRole('button', { name: 'Redo' }).click(),
  };
}

function keyboard(page: Page): Hands {
  const { keyboard: keys } = page;
  const tabTo = async (selector: string) => {
    const isThere = () =>
      page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
    for (let tabs = 0; !(await isThere()); tabs += 1) {
      if (tabs > 60) throw new Error(`No way by Tab to ${selector}.`);
      await keys.press('Tab');
    }
  };
  const ids = { Name: 'name', Date: 'date', Time: 'time', Place: 'location', Note: 'description' };
  return {
    openNew: () => keys.press('n'),
    async openEvent(name) {
      const heading = page.getByRole('heading', { level: 2, name, exact: true });
      const opened = () =>
        page.locator('.panel').getByRole('heading', { level: 2 }).allInnerTexts();
      // A key that is pressed before the panel has changed would go past the event.
      for (let steps = 0; steps < 8 && !(await readOnce(heading.isVisible())); steps += 1) {
        const before = await readOnce(opened());
        await keys.press('j');
        await expect.poll(opened).not.toEqual(before);
      }
      await heading.waitFor();
    },
    edit: () => keys.press('e'),
    copy: () => keys.press('d'),
    async type(field, text) {
      await tabTo(`#event-${ids[field]}`);
      await keys.press('Control+a');
      await keys.type(text);
    },
    async press(button) {
      const name = await page.getByRole('button', { name: button, exact: true }).elementHandle();
      await name?.evaluate((element) => element.setAttribute('data-wanted', ''));
      await tabTo('[data-wanted]');
      await keys.press('Enter');
    },
    undo: () => keys.press('Control+z'),
    redo: () => keys.press('Control+Shift+z'),
  };
}

const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const ways = [
  ['mouse', mouse],
  ['keyboard alone', keyboard],
] as const;

it('selects the events that were added together, and cancels one with a reason', {
  tags: 'long',
}, async () => {
  const { page } = await shared.show();
  await page.getByRole('button', { name: 'New event' }).press('Enter');
  await page.locator('#event-line').fill('Training every Tue 19:00 3 times');
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('3 events added').waitFor();
  await page.locator('[data-event="7"]').press('Enter');
  await page.getByText('One of 3 added together').waitFor();
  await page.getByRole('button', { name: 'Cancel event' }).press('Enter');
  await page.getByLabel('Reason').fill('Hall closed');
  await expectAccessible(page, 'an event to cancel');
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('Planned → Cancelled, Hall closed').waitFor();
  await page.locator('.panel-description').getByText('Hall closed').waitFor();
  // The bar names one that was changed alone, so that it can be left out.
  const all = page.getByRole('button', { name: 'Select all 3', exact: true });
  await all.press('Enter');
  await expect.poll(() => all.getAttribute('aria-pressed')).toBe('true');
  const bar = page.getByRole('toolbar', { name: 'Selected events' });
  await bar.getByText('1 of them was changed since it was added').waitFor();
  await bar.getByRole('button', { name: 'Deselect it' }).press('Enter');
  await bar.getByText('2 selected').waitFor();
  await page.locator('.agenda-month').getByText('1 of 5 selected').waitFor();
  await bar.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await noticeOf(page).getByText('2 events deleted').waitFor();
});

it('shows the moves of an event in one fold, the last one first', { tags: 'long' }, async () => {
  const { page, served } = await shared.show('#event=2');
  const move = (date: string) =>
    performHere(
      'event edit',
      { user: served.name, id: 2, changes: { date } },
      { home: served.home, onProgress: () => undefined },
    );
  const planned = { name: 'Photo evening', date: '2026-11-23T18:30:00.000Z', eventType: null };
  await addEvents(served.home, served.userId, [makeEvent(2, planned)]);
  await move('2026-11-25T19:30');
  await move('2026-11-25T20:00');
  const fold = page.locator('.panel details.changed');
  await fold.getByText(/^Moved 3 times, last on \d+ \w+/).waitFor();
  await fold.getByText('First planned for Tuesday 24 November.').waitFor();
  await fold.locator('summary').press('Enter');
  await expect
    .poll(async () => (await fold.getByRole('listitem').allInnerTexts()).map(squeezed))
    .toEqual([
      expect.stringMatching(/19:30 → 20:00 Nobody was told yet\.$/),
      expect.stringMatching(/Mon 23 Nov → Wed 25 Nov$/),
      expect.stringMatching(/Tue 24 Nov → Mon 23 Nov Import of test\.$/),
    ]);
  await expectAccessible(page, 'the moves of an event');
});

it('shows old and new before it sets the times, the days and the place of selected events', {
  tags: 'long',
}, async () => {
  const { page, stored } = await shared.show();
  const row = (id: number) => page.locator(`.agenda-event[data-event="${id}"]`);
  const bar = page.getByRole('toolbar', { name: 'Selected events' });
  const button = (name: string) => bar.getByRole('button', { name, exact: true });
  await row(2).focus();
  await page.keyboard.press('Space');
  await row(4).click({ modifiers: ['Shift'] });
  await bar.getByText('3 selected').waitFor();
  await page.getByRole('checkbox', { name: /^Select Team night, Friday,? 27 November/ }).click();
  await bar.getByText('2 selected').waitFor();
  await page.getByRole('checkbox', { name: /^Select Team night, Friday,? 27 November/ }).click();

  // One tab stop, and arrows between the buttons.
  await page.keyboard.press('F6');
  await expect.poll(() => focused(page)).toBe('Select all 5');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Set time' });
  await expect.poll(() => focused(page)).not.toBe('Set time');
  await form.getByText('They begin at').waitFor();
  await page.keyboard.insertText('30 minutes earlier');
  await form.getByText('1 event moves from 19:30 to 19:00.').waitFor();
  await form.getByText('2 others begin at 19:00, 14:00 and move too.').waitFor();
  await expect.poll(() => row(3).locator('.agenda-time').innerText()).toMatch(/19:00\s*18:30/);
  await expectAccessible(page, 'the times of selected events');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await noticeOf(page).getByText('3 events moved').waitFor();
  const times = async () => (await stored()).map((line) => line.split(', ')[1]);
  await expect
    .poll(times)
    .toEqual(['11-21T09:00', '11-24T18:00', '11-27T17:30', '11-28T12:30', '12-07T18:00']);

  await button('Move').click();
  await page
    .getByRole('dialog', { name: 'Move' })
    .getByRole('button', { name: 'Thursday' })
    .click();
  await page.getByText(/^3 events move, the first from Tue 24 Nov to Thu 26 Nov/).waitFor();
  await expect.poll(() => row(4).locator('.agenda-day').innerText()).toMatch(/Sat 28\s*Thu 26/);
  await page.getByRole('button', { name: 'Move 3 events' }).click();
  await expect.poll(times).toContain('11-26T12:30');
  await button('Place').click();
  await page.getByRole('dialog', { name: 'Place' }).getByLabel('Place').fill('Old harbour');
  await row(3).getByText('Old harbour').waitFor();
  await page.keyboard.press('Escape');
  await row(3).getByText('Old harbour').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await noticeOf(page).getByText('Undone').waitFor();
  await expect.poll(times).toContain('11-28T12:30');
});

it('keeps the focus in the events after all of them were deleted in the table', {
  tags: 'long',
}, async () => {
  const { page, stored } = await shared.show('#view=table');
  await page.getByRole('checkbox', { name: 'Select all 5' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(stored).toEqual([]);
  await expect.poll(() => focused(page)).toBe('events');
});

it('keeps a change whose undo fails, and drops one that cannot be undone', {
  tags: 'long',
}, async () => {
  const { page, stored, served } = await shared.show();
  const notice = noticeOf(page);
  const { openEvent, press, undo } = { ...mouse(page), undo: keyboard(page).undo };
  for (const name of ['Photo evening', 'Team night', 'Annual meeting']) {
    await openEvent(name);
    await press('Cancel event');
    await press('Cancel event');
    await notice.getByText(`${name}: Planned → Cancelled`).waitFor();
  }
  const cancelled = async () =>
    (await stored()).filter((line) => line.endsWith('cancelled')).map((line) => line.split(',')[0]);
  const all = await cancelled();
  expect(all).toEqual(['Photo evening', 'Team night', 'Annual meeting']);

  const sqlite = new Database(served.home.database);
  onTestFinished(() => void sqlite.close());
  sqlite.exec(
    "CREATE TRIGGER test BEFORE INSERT ON batches BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  await undo();
  await notice.getByText(/^Annual meeting: .*full/).waitFor();
  sqlite.exec('DROP TRIGGER test');
  expect(await cancelled()).toEqual(all);
  await undo();
  await notice.getByText(/Undone.*Annual meeting/).waitFor();
  expect(await cancelled()).toEqual(['Photo evening', 'Team night']);

  const changes = { status: 'completed' };
  const edit = { user: served.name, id: 3, changes };
  await performHere('event edit', edit, { home: served.home, onProgress: () => undefined });
  await undo();
  await notice.getByText(/^Team night: .*cannot be undone/).waitFor();
  await undo();
  await notice.getByText(/Undone.*Photo evening/).waitFor();
  expect(await cancelled()).toEqual([]);
});

it.each(choose<readonly (typeof ways)[number][]>(ways, ways.slice(0, 1)))(
  'adds, edits, copies, cancels and deletes by %s, and undoes it all',
  async (_, handsOf) => {
    const { page, stored } = await shared.show();
    const hands = handsOf(page);
    const notice = noticeOf(page);
    // The first action of a process takes some seconds on a busy machine.
    const says = (text: string) => notice.getByText(text).waitFor();
    const states = [await stored()];
    const remember = async () => states.push(await stored());

    await hands.openNew();
    await expect.poll(() => focused(page)).toBe('event-line');
    await page.keyboard.insertText('Training Tue 19:00 Sports hall');
    await page.keyboard.press('Enter');
    await says('Training: added, Tue 24 Nov, 19:00');
    await expect.poll(() => focused(page)).toBe('6');
    await remember();
    expect(states[1]).toContain('Training, 11-24T18:00, Sports hall, Mill Lane, active');

    await hands.openEvent('Rovers v City');
    await hands.edit();
    await expect.poll(() => focused(page)).toBe('event-name');
    await hands.type('Time', '3 pm');
    await page.keyboard.press('Enter');
    await says('Rovers v City: Sat 28 Nov, 14:00 → 15:00');
    await expect.poll(() => focused(page)).toMatch(/panel-name|Rovers/);
    await remember();
    expect(states[2]).toContain('Rovers v City, 11-28T14:00, Sports hall, Mill Lane, active');

    await page.locator('.panel').getByText('15:00').first().waitFor();
    await hands.copy();
    await page.locator('.event-copy input:focus').waitFor();
    await page.keyboard.type('5 December');
    await page.keyboard.press('Enter');
    await says('Rovers v City: added, Sat 5 Dec, 15:00');
    await expect.poll(() => focused(page)).toMatch(/panel-name|Rovers/);
    await remember();
    expect(states[3]).toContain('Rovers v City, 12-05T14:00, Sports hall, Mill Lane, active');
    // The copy is open: the keys would go on from its day.
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({ state: 'detached' });

    await hands.openEvent('Team night');
    await hands.press('Cancel event');
    await hands.press('Cancel event');
    await says('Team night: Planned → Cancelled');
    await remember();
    expect(states[4]).toContain('Team night, 11-27T18:00, Clubhouse, cancelled');

    await hands.edit();
    await page.locator('.event-form').waitFor();
    await hands.press('Delete');
    await says('Team night: deleted, Fri 27 Nov, 19:00');
    await expect.poll(() => focused(page)).toBe('4');
    await remember();
    expect(states[5]).toHaveLength(6);

    // The notice undoes the last change; the keys undo one after the other.
    const steps = handsOf === mouse ? 1 : states.length - 1;
    for (const state of states.slice(-1 - steps, -1).toReversed()) {
      await hands.undo();
      await expect.poll(stored).toEqual(state);
      await notice.getByRole('button', { name: 'Redo' }).waitFor();
    }
    for (const state of states.slice(-steps)) {
      await hands.redo();
      await expect.poll(stored).toEqual(state);
    }
  },
);
