import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../db/model.ts';
import { homeAt } from '../../server/base/home.ts';
import {
  expectNumbered,
  fitOf,
  type Printed,
  packed,
  readPdf,
  ready,
} from '../server/ui/sheets.ts';
import { daysFromNow } from '../support/club.ts';
import { addMember, makeEvent, makeTestFolder } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { type Desktop, shareDesktop } from './driver/desktop.ts';

/**
 * Events of forty weeks, every third day, with names and places that are no part of each other. None
 * of them is today, or on a day after a period, which a time zone could turn into its last day.
 */
const events = Array.from({ length: 93 }, (_, index) => {
  const number = String(index + 1).padStart(3, '0');
  const note = index % 4 === 0 ? `Competition: League ${number}\nReferee: R. Smith` : null;
  return {
    ...makeEvent(index + 1, {
      name: `Match ${number} of the season`,
      date: daysFromNow(1 + 3 * index),
      location: `Ground ${number}`,
      description: index === 1 ? 'A long report of the last season. '.repeat(300) : note,
      eventType: eventTypes[index % 5] ?? null,
      status: index % 10 === 9 ? 'cancelled' : 'active',
    }),
    inDays: 1 + 3 * index,
  };
});

type Sheet = 'list' | 'month' | 'event';
type Paper = 'A4' | 'A3' | 'Letter';

const sizes: Readonly<Record<Paper, readonly [width: number, height: number]>> = {
  A4: [210, 297],
  A3: [297, 420],
  Letter: [216, 279],
};

/** The sheets, with the number of weeks in their period or the id of their event. */
const combinations: readonly (readonly [sheet: Sheet, paper: Paper, period: number])[] = [
  ['list', 'A4', 2],
  ['month', 'A3', 10],
  ['event', 'Letter', 2],
  ['list', 'A4', 40],
  ['list', 'A3', 10],
  ['list', 'A3', 40],
  ['list', 'Letter', 10],
  ['month', 'A4', 2],
  ['month', 'A4', 40],
  ['month', 'Letter', 10],
  ['event', 'A4', 1],
  ['event', 'A3', 2],
];

/** Opens the print view with choices, and waits until it can print. */
async function preview(page: Desktop['page'], [sheet, paper, period]: (typeof combinations)[0]) {
  const fragment = sheet === 'event' ? `#print=event&event=${period}` : '#print=list';
  await page.locator('.agenda, .studio-view').first().waitFor();
  await page.evaluate((next) => location.assign(next), fragment);
  await ready(page);
  if (sheet !== 'event') {
    await page.getByRole('radio', { name: sheet === 'list' ? 'List' : 'Month sheet' }).check();
    await page.getByRole('textbox', { name: 'To' }).fill(`in ${period} weeks`);
    await page.getByRole('textbox', { name: 'To' }).press('Enter');
  }
  await page.getByRole('radio', { name: paper }).check();
  await ready(page);
}

async function savePdf(desktop: Desktop): Promise<Printed> {
  const filePath = join(makeTestFolder(), 'sheet.pdf');
  await desktop.answer('showSaveDialog', { filePath });
  await desktop.page.getByRole('button', { name: 'Save as PDF…' }).click();
  await desktop.page.getByText('Saved as sheet.pdf.').waitFor();
  return readPdf(readFileSync(filePath));
}

/** Compares the names and places on paper with those of the events that belong there. */
function expectEvents({ pages }: Printed, isShown: (event: (typeof events)[0]) => boolean): void {
  const paper = packed(pages.join(''));
  const wordsOf = ({ name, location = '', status }: (typeof events)[0]) =>
    status === 'cancelled' ? [name] : [name, location];
  const found = events.flatMap(wordsOf).filter((words) => paper.includes(packed(words)));
  expect(found).toEqual(events.filter(isShown).flatMap(wordsOf));
}

describe('the desktop window', () => {
  const shared = shareDesktop(async (folder) => {
    const home = homeAt(join(folder, 'home'));
    await addMember(home, 'Harbour Rovers', events);
    return { home };
  });

  it.each(choose(combinations, combinations.slice(0, 3)))(
    'prints the %s on %s for period %s',
    async (...combination) => {
      const [sheet, paper, period] = combination;
      const { page } = shared.current;
      await preview(page, combination);
      const printed = await savePdf(shared.current);
      const [, pages] = /(\d+) pages?$/.exec(await fitOf(page)) ?? [];
      expect(printed.pages).toHaveLength(Number(pages));
      expectNumbered(printed);
      if (sheet === 'list') {
        const details = 'Ground 001 · Competition: League 001 · Referee: R. Smith';
        expect(packed(printed.pages[0] ?? '')).toContain(packed(details));
        await expect.poll(() => page.locator('.sheet-code').count()).toBe(0);
      }
      const size = sheet === 'month' ? sizes[paper].toReversed() : sizes[paper];
      expect(printed.sizes).toEqual(printed.pages.map(() => size));
      expectEvents(printed, ({ id, inDays }) =>
        sheet === 'event' ? id === period : inDays <= 7 * period,
      );
    },
  );

  it('prints all events of the list, without the print view', async () => {
    const { page } = shared.current;
    await page.evaluate(() => location.assign('#'));
    await page.locator('.agenda').waitFor();
    await expect.poll(() => page.locator('.agenda-event').count()).toBeLessThan(40);
    const printed = await readPdf(await page.pdf());
    expectEvents(printed, () => true);
    expect(printed.pages.filter((text) => packed(text) === '')).toEqual([]);
    expect(printed.pages.length).toBeGreaterThan(1);
    expect(printed.pages[0]).toMatch(/^Harbour Rovers/);
    expect(printed.pages.join('')).not.toContain('New event');
  });

  it('opens the print view and the form for a new event from the menu, on any screen', async () => {
    const desktop = shared.current;
    const { page } = desktop;
    await page.evaluate(() => {
      window.print = () => Reflect.set(globalThis, 'printed', true);
    });
    await desktop.clickMenu('settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await desktop.clickMenu('print');
    await ready(page);
    await desktop.clickMenu('print');
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'printed'))).toBe(true);
    await desktop.clickMenu('newEvent');
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    const keys = await desktop.evaluate(({ Menu }) => {
      const file = Menu.getApplicationMenu()?.items.find(({ id }) => id === 'file-menu');
      return (file?.submenu?.items ?? [])
        .filter(({ id }) => id === 'newEvent' || id === 'print')
        .map(({ accelerator }) => accelerator);
    });
    expect(keys).toEqual(['CmdOrCtrl+N', 'CmdOrCtrl+P']);
  });
});
