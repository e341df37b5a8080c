import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { zoneNamed } from '../../../../server/dates/zone.ts';
import { emptyValues, readForm, type Values } from '../../../../server/ui/manage/event/values.ts';
import { testBrowser } from '../../../support/browser.ts';
import { choose } from '../../../support/long.ts';
import { readOnce } from '../../../support/patience.ts';
import { createRandom, type Random } from '../../../support/random.ts';
import { shareClubWindow } from './event-window.ts';
import { type FieldKind, type Form, forms } from './forms.ts';
import { openNew } from './welcome-page.ts';

const seed = Number(process.env['ODD_VALUES_SEED'] ?? 20_261_119);
const count = choose(500, 25, 5_000);

const browser = testBrowser();
const shared = shareClubWindow(browser);

const zone = zoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone);
const context = { today: '2026-11-19', now: '09:00', language: 'en', zone } as const;

const times = [
  '19:60',
  '25:00',
  '24:00',
  '00:00',
  '7',
  '99',
  '2500',
  '1900',
  '7pm',
  '-1',
  '19.30',
  '02:30',
];
const days = [
  '2026-02-30',
  '2026-13-45',
  '2026-00-10',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '2027-03-28',
  '30 Feb',
  '31.11.',
  '29 February 2027',
  'next Saturday',
  'Tue 19:60',
  'Tue 00:00',
  '-2026-11-24',
  '1e9',
];
const texts = [
  'abc',
  '',
  ' ',
  '\t',
  '🎉👨‍👩‍👧‍👦',
  'مباراة ودية',
  '\u202egnp.exe',
  'e\u0301\u0300\u0327',
  '\0',
  'a\0b',
  '\ud800',
  '\ufeffname',
  '"quoted" \'too\'',
  '<img src=x onerror=alert(1)>',
  '{{name}} $t(shell:more) %s',
  '__proto__',
  'null',
  'NaN',
  '-0',
  '1e400',
  "'; DROP TABLE events; --",
  '../../etc/passwd',
  'https://[',
  'javascript:alert(1)',
];

/** Returns an odd value: one of the lists, a very long one, or a mixture. */
function oddValue(random: Random): string {
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  const any = () =>
    pick(pick(['times', 'days', 'texts']) === 'times' ? times : random(2) ? days : texts);
  const kind = random(10);
  // Chromium cannot select, nor replace, a field that is full of NUL alone.
  if (kind === 0) return any().replaceAll('\0', 'x\0').repeat(10_000).slice(0, 10_000);
  if (kind === 1) return `${any()} ${any()}`;
  if (kind === 2)
    return Array.from({ length: random(12) }, () => String.fromCharCode(32 + random(900))).join('');
  if (kind === 3) return `${random(30)}:${random(70)}`;
  if (kind === 4)
    return `${random(12_000)}-${String(random(15)).padStart(2, '0')}-${String(random(35)).padStart(2, '0')}`;
  return any();
}

/** Types a value and leaves the field with the Tab key. */
async function typeOdd(field: Locator, value: string): Promise<void> {
  await field.fill(value);
  await field.press('Tab');
}

/** Returns the stored form of a value, for the comparison of two ways to write it. */
function meaningOf(kind: FieldKind, text: string): string {
  if (kind === 'text') return text;
  const field = kind === 'time' ? 'time' : kind === 'end' ? 'ends' : 'date';
  const date = '2026-11-28';
  const values: Values = { ...emptyValues, name: 'x', date, [field]: text };
  return readForm(values, context).values[field];
}

/** Checks that a field shows what was typed, or another way to write the same. */
function isKept(kind: FieldKind, shown: string, typed: string): boolean {
  // Blanks alone mean that there is no day.
  if (kind === 'day' && typed.trim() === '') return shown.trim() === '';
  // In words, a year below 1000 cannot be read again.
  if ((kind === 'day' || kind === 'end') && /^\s*0\d{3}-/.test(typed)) return /\d$/.test(shown);
  return shown === typed || meaningOf(kind, shown) === meaningOf(kind, typed);
}

const failure = (page: Page) => page.locator('.page-state[role="alert"], main.page-state');

type Shaped = Readonly<Partial<Record<FieldKind, readonly string[]>>>;

/** Values that have the shape of a day or a time. */
const shaped: Shaped = { date: days, time: times, end: times };

/**
 * Types odd values into each field, as many in all as a share of the whole; a field for a day or a
 * time gets those of its shape first.
 */
async function typeAll(
  page: Page,
  fields: Form['fields'],
  share: number,
  first: Shaped = shaped,
): Promise<void> {
  const selectors = Object.entries(fields);
  await page.locator(selectors[0]?.[0] ?? '').waitFor();
  for (const [selector, kind] of selectors) {
    const field = page.locator(selector);
    const limit = await readOnce(field.getAttribute('maxlength'));
    const random = createRandom(seed + selector.length);
    const own = Array.from({ length: Math.ceil((count * share) / selectors.length) }, () =>
      oddValue(random)
        .toWellFormed()
        .replaceAll(/[\r\n]/g, ' '),
    );
    for (const typed of [...(first[kind] ?? []), ...own]) {
      const where = `${JSON.stringify(typed.slice(0, 80))} in ${selector}, ODD_VALUES_SEED=${seed}`;
      await typeOdd(field, typed);
      await expect.poll(() => failure(page).count(), { message: where }).toBe(0);
      const shown = await readOnce(field.inputValue());
      // The browser cuts what is longer than the field takes.
      const isCut = limit !== null && shown.length >= Number(limit) - 20 && typed.startsWith(shown);
      expect(isCut || isKept(kind, shown, typed), `${where} became ${shown.slice(0, 80)}`).toBe(
        true,
      );
    }
  }
}

it.each(forms)(
  'a form keeps odd values in its fields: %s',
  { tags: 'long' },
  async (name, form) => {
    const desktop = await shared.show();
    await desktop.page.evaluate((hash) => location.assign(hash || '#'), form.fragment);
    await form.open?.(desktop);
    const share = name.endsWith('event') ? 0.5 / 3 : 0.4 / 11;
    // Three forms have the fields of an event.
    const first = choose(shaped, name === 'new event' ? shaped : {});
    await typeAll(desktop.page, form.fields, share, first);
  },
);

it('the first screens keep odd values in their fields', { tags: 'long' }, async () => {
  const { page } = await openNew(browser.current);
  await page.locator('.welcome-way-button').last().click();
  const name = '.welcome-name input';
  await typeAll(page, { [name]: 'text' }, 0.05);
  await page.locator(name).fill('Harbour');
  await page.keyboard.press('Enter');
  await typeAll(page, { '.first-run textarea': 'text' }, 0.05);
});
