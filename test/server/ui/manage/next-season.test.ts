import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../db/model.ts';
import { zoneNamed } from '../../../../server/dates/zone.ts';
import { intervalOf, lastDayOf, overlap, placeOf } from '../../../../server/event/values.ts';
import { withReader } from '../../../../server/store/store.ts';
import { fragmentOf, testBrowser } from '../../../support/browser.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { storedEvents } from '../../../support/events.ts';
import { addMember, makeEvent } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { readOnce } from '../../../support/patience.ts';
import { performHere } from '../../../support/perform.ts';
import {
  holidays,
  season,
  seasonZone,
  writeSeason,
  writtenSeasons,
} from '../../../support/seasons.ts';
import { expectAccessible, expectNoSidewaysScrolling } from '../axe.ts';
import { noticeOf } from './event-window.ts';

const browser = testBrowser();
const clock = zoneNamed(seasonZone);
const setClock = (page: Page) => page.clock.setFixedTime(new Date(`${season.today}T06:41:00Z`));
const members = new Map<string, number>();

/** Opens the window of the written clubs in a language; each test has a club of its own. */
const shareSeasons = (language: 'de' | 'en') =>
  shareDesktop(
    browser,
    async (home) => {
      for (const written of writtenSeasons) {
        const user = `${written.name}`;
        const { userId } = await addMember(home, user, writeSeason(written), { zone: seasonZone });
        members.set(user, userId);
        const readAt = '2026-11-01T00:00:00.000Z';
        const calendar = {
          source: 'test',
          kind: 'file',
          name: 'Schulferien',
          readAt,
          days: [...holidays],
        };
        const tools = { home, onProgress: () => undefined };
        await performHere('days-off put', { user, calendar }, tools);
      }
      await addMember(home, 'Ohne Termine');
      const [old] = writtenSeasons.map((written) => writeSeason({ ...written, coming: [] }));
      await addMember(home, 'Ohne Neues', old, { zone: seasonZone });
    },
    { beforeLoad: setClock, desk: { settings: { language } } },
  );

const german = shareSeasons('de');
const english = shareSeasons('en');

const storedOf = (desktop: typeof german, name: string) =>
  withReader(desktop.home, (db) => storedEvents(db, members.get(name) ?? 0));

/** The folder with a picture of each step, if a person wants to look at them. */
const pictures = process.env['SEASON_PICTURES'];

async function look(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Counts the clicks of a person. */
function createHand(page: Page) {
  let clicks = 0;
  return {
    clicks: () => clicks,
    async press(name: string | RegExp, role: 'button' | 'menuitem' = 'button') {
      clicks += 1;
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click();
    },
    async choose(text: string) {
      clicks += 1;
      await page.getByText(text, { exact: true }).click();
    },
    /** Answers the first clash that has no answer; returns false without one. */
    async answer(answer: string): Promise<boolean> {
      const open = page.locator('.season-clash:not(:has(:checked))');
      if ((await readOnce(open.count())) === 0) return false;
      clicks += 1;
      await open.first().getByRole('radio', { name: answer, exact: true }).click();
      return true;
    },
  };
}

const isOff = (event: StoredEvent) => {
  const [first, last] = [clock.dayOf(event.date), lastDayOf(event, clock)];
  return holidays.some((holiday) => holiday.first <= last && first <= holiday.last);
};

describe('the next season', () => {
  it.each(choose(writtenSeasons, writtenSeasons.slice(0, 1)))(
    'of $name is added with few clicks by mouse, without days off and double halls, and undone',
    async ({ name }) => {
      const { page } = await german.show('', { club: name });
      const hand = createHand(page);
      const before = await storedOf(german, name);
      await page.getByText('Nächste Saison planen?').waitFor();
      await look(page, `${name}-offer`);
      await hand.press('Mehr');
      await hand.press('Nächste Saison …', 'menuitem');
      await page.getByText('Was übernommen wird').waitFor();
      await page.locator('.season-row').first().waitFor();
      await look(page, `${name}-agenda`);
      await expectAccessible(page, 'the next season');

      // One on a day off is put back, and one is left out by hand.
      await page.locator('.event-out').first().waitFor();
      const off = await readOnce(page.locator('.event-out').first().getAttribute('aria-label'));
      await hand.press(off ?? '');
      await hand.press(/^Weglassen: /);
      const left = page.locator('.season-row[data-left-out]:not([data-off])').first();
      await left.waitFor();
      const leftOut = await readOnce(left.locator('.agenda-name strong').innerText());
      let clashes = 0;
      while (await hand.answer(clashes % 2 === 0 ? 'Weglassen' : 'Beide behalten')) clashes += 1;
      await look(page, `${name}-answered`);
      await hand.choose('Nebeneinander');
      await page.locator('.season-table').waitFor();
      await look(page, `${name}-table`);
      await expectAccessible(page, 'the next season side by side');
      const add = page.getByRole('button', { name: /^\d+ Termine hinzufügen$/ });
      const number = Number.parseInt(await readOnce(add.innerText()), 10);
      await hand.press(/^\d+ Termine hinzufügen$/);
      await noticeOf(page).getByText(`${number} Termine hinzugefügt`).waitFor();
      await look(page, `${name}-added`);

      const after = await storedOf(german, name);
      const ids = new Set(before.map(({ id }) => id));
      const added = after.filter(({ id }) => !ids.has(id));
      expect(added).toHaveLength(number);
      expect(after.filter(({ id }) => ids.has(id))).toEqual(before);
      expect(added.filter(isOff)).toHaveLength(1);
      expect(added.some((event) => event.name === leftOut)).toBe(true);
      // At a place twice are only those of which a person wanted both.
      const timed = after.map((event) => ({ event, time: intervalOf(event, 120, clock) }));
      const double = timed.filter(
        (one) =>
          !ids.has(one.event.id) &&
          timed.some(
            (other) =>
              other.event.id !== one.event.id &&
              placeOf(other.event) === placeOf(one.event) &&
              overlap(one.time, other.time),
          ),
      );
      expect(double.length).toBeGreaterThanOrEqual(Math.floor(clashes / 2));
      expect(double.length).toBeLessThanOrEqual(Math.floor(clashes / 2) * 2);

      await hand.press('Rückgängig');
      await expect.poll(() => storedOf(german, name)).toEqual(before);
      expect(hand.clicks()).toBeLessThanOrEqual(40);
      if (pictures !== undefined) process.stderr.write(`${name}: ${hand.clicks()} clicks\n`);
    },
  );

  it('keeps the choices until the club is closed, and those of groups for the next year', {
    tags: 'long',
  }, async () => {
    const { page } = await german.show('#form=season', { club: 'Chorgemeinschaft' });
    const box = page.getByRole('checkbox', { name: 'Kinderchor' });
    await box.uncheck();
    const add = page.getByRole('button', { name: /Termine hinzufügen$/ });
    const text = await readOnce(add.innerText());
    await page.keyboard.press('Escape');
    await expect.poll(() => fragmentOf(page)).not.toContain('form');
    await page.evaluate(() => location.assign('#form=season'));
    await expect.poll(() => box.isChecked()).toBe(false);
    await expect.poll(() => add.innerText()).toBe(text);
    await add.click();
    await noticeOf(page).getByText('Termine hinzugefügt').waitFor();
    await noticeOf(page).getByRole('button', { name: 'Rückgängig' }).click();
    await noticeOf(page).getByText('Rückgängig gemacht').waitFor();
    await page.evaluate(() => location.assign('#form=season'));
    await expect.poll(() => box.isChecked()).toBe(false);
    await box.check();
    await page.keyboard.press('Escape');
  });

  it('says what a club without events can do', async () => {
    const { page } = await german.show('#form=season', { club: 'Ohne Termine' });
    await page.getByText('Es gibt noch keine Saison').waitFor();
    await expectAccessible(page, 'the next season of an empty club');
  });

  it('is offered until a person declines it for this year', { tags: 'long' }, async () => {
    const { page } = await german.show('', { club: 'Ohne Neues' });
    await page.getByText('Der letzte Termin ist am').waitFor();
    await page.getByText(/^Nach dem .* ist nichts geplant/).waitFor();
    await page.getByRole('button', { name: 'Dieses Jahr nicht' }).click();
    const offer = page.getByText('Nächste Saison planen?');
    await offer.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.next-up').waitFor();
    await page.getByText(/^Nach dem .* ist nichts geplant/).waitFor();
    await expect.poll(() => offer.count()).toBe(0);
  });

  it('is chosen by keyboard alone, in English', { tags: 'long' }, async () => {
    const name = 'Schachclub';
    const { page } = await english.show('', { club: name });
    const { keyboard } = page;
    const before = await storedOf(english, name);
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        return element.ariaLabel ?? element.parentElement?.querySelector('label')?.innerText ?? '';
      });
    await page.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Next season…' }).press('Enter');
    await expect.poll(focused).toContain('Jugendtraining');
    await keyboard.press('ArrowDown');
    await expect.poll(focused).toContain('Spielabend');
    await keyboard.press('Space');
    const add = page.getByRole('button', { name: /^Add \d+ events$/ });
    await expect.poll(() => add.innerText()).toBe('Add 74 events');
    await keyboard.press('Space');
    await page.getByText('clashes have no answer').waitFor();

    await keyboard.press('F6');
    await expect.poll(focused).toMatch(/^Leave out: /);
    const first = await focused();
    await keyboard.press('x');
    await expect.poll(focused).toBe(first.replace('Leave out', 'Put back'));
    await keyboard.press('x');
    await expect.poll(focused).toBe(first);
    await keyboard.press('End');
    await expect.poll(focused).not.toBe(first);
    await keyboard.press('Home');
    await expect.poll(focused).toBe(first);
    await keyboard.press('F6');
    await expect.poll(focused).toContain('Spielabend');

    await keyboard.press('Enter');
    await noticeOf(page).getByText('events added').waitFor();
    await keyboard.press('Control+z');
    await expect.poll(() => storedOf(english, name)).toEqual(before);
  });

  it.each(choose([1280, 1000, 390, 320], [390]))(
    'fits into a window of %i pixels',
    { tags: 'long' },
    async (width) => {
      const { page } = await german.show('#form=season', { club: 'FC Hafen' });
      await page.setViewportSize({ width, height: width < 400 ? 844 : 800 });
      await page.getByText('Was übernommen wird').waitFor();
      const fold = page.locator('.season-fold summary');
      if (width < 960) {
        await look(page, `width-${width}`);
        await fold.click();
      }
      await page.locator('.season-row').first().waitFor();
      await expectNoSidewaysScrolling(page, `${width} pixels`);
      await look(page, `width-${width}-list`);
      await expectAccessible(page, `the next season at ${width} pixels`);
    },
  );
});

describe('copies', () => {
  const copying = shareDesktop(
    browser,
    (home) =>
      addMember(home, 'Harbour', [
        makeEvent(1, { name: 'Set up the hall', date: '2026-12-18T16:00:00.000Z' }),
        makeEvent(2, { name: 'Indoor cup', date: '2026-12-19T09:00:00.000Z' }),
        makeEvent(3, { name: 'Clear the hall', date: '2026-12-20T08:00:00.000Z' }),
      ]).then(({ name, userId }) => void members.set(name, userId)),
    { beforeLoad: (page) => page.clock.setFixedTime(new Date('2026-11-19T08:00:00Z')) },
  );

  it('of a selection keep their distance, and stand in the list before', {
    tags: 'long',
  }, async () => {
    const { page } = await copying.show('', { club: 'Harbour' });
    await page.locator('[data-event="1"]').focus();
    await page.keyboard.press('Control+a');
    const bar = page.getByRole('toolbar', { name: 'Selected events' });
    await bar.getByRole('button', { name: 'Copy to…' }).click();
    const form = page.getByRole('dialog', { name: 'Copy to' });
    const field = form.getByLabel('First copy');
    for (const text of ['whenever', 'Fri 15 January 2030']) {
      await field.fill(text);
      await form.getByText('Write a day, such as Fri 15 January.').waitFor();
      await expect.poll(() => form.getByRole('button', { name: 'Copy 3' }).isDisabled()).toBe(true);
    }
    for (const [text, range] of [
      ['next year', 'Fri 17 to Sun 19 Dec 2027'],
      ['4 weeks later', 'Fri 15 to Sun 17 Jan 2027'],
      ['Fri 15 January', 'Fri 15 to Sun 17 Jan 2027'],
    ] as const) {
      await field.fill(text);
      await form.getByText(new RegExp(`3 copies, ${range.replaceAll(' ', '.*')}`)).waitFor();
    }
    const drafts = page.locator('.agenda-draft');
    await expect.poll(() => drafts.count()).toBe(3);
    await drafts.first().getByText('copy of 18 Dec').waitFor();
    await look(page, 'copy-to');
    await expectAccessible(page, 'copies of a selection');
    await field.press('Enter');
    await noticeOf(page).getByText('3 events added').waitFor();
    const stored = await storedOf(copying, 'Harbour');
    expect(stored.slice(3).map(({ name, date }) => `${date.slice(0, 16)} ${name}`)).toEqual([
      '2027-01-15T16:00 Set up the hall',
      '2027-01-16T09:00 Indoor cup',
      '2027-01-17T08:00 Clear the hall',
    ]);
    await noticeOf(page).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => storedOf(copying, 'Harbour')).toHaveLength(3);
    await page.keyboard.press('Escape');
  });

  it('of the open event begin with a key, and open the copy', async () => {
    const { page } = await copying.show('#event=2', { club: 'Harbour' });
    await page.getByRole('heading', { name: 'Indoor cup' }).waitFor();
    await page.keyboard.press('d');
    const field = page.getByLabel('Day of the copy');
    await field.waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('d');
    await field.fill('1 week later');
    await page.getByText('1 copy, Sat 26 Dec').waitFor();
    await expectAccessible(page, 'a copy of an event');
    await field.press('Enter');
    await noticeOf(page).getByText('Indoor cup: added').waitFor();
    await page
      .locator('.panel')
      .getByText(/26 December/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(() => storedOf(copying, 'Harbour')).toHaveLength(3);
  });
});
