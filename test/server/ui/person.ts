import type { Locator } from 'playwright-core';
import type { MenuScreen } from '../../../server/actions/bridge.ts';
import type { DesktopPage } from '../../support/desktop-page.ts';
import { dropFiles } from './manage/drop-files.ts';

export type Way = 'mouse' | 'keyboard' | 'touch';

/** Acts of a person, by kind. */
export type Acts = {
  /** Presses of a pointer, and keys that do something, but for those that only move the focus. */
  presses: number;
  /** Presses of Tab. */
  tabs: number;
  /** Ways to a control by Tab, however long. */
  travels: number;
  texts: number;
  letters: number;
};

/** Most presses of Tab to a control. */
const maxTabs = 150;

/** Most presses of another key to a row or an entry. */
const maxPresses = 40;

/** Keys of the menu bar, which the shell has and the page has not. */
const menuKeys: Readonly<Record<string, MenuScreen>> = { 'Control+1': null };

/** Checks that fewer presses of Tab lead backwards to an element than forwards. */
function isNearerBackwards(element: Element): boolean {
  const stops = Array.from(
    document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex]',
    ),
  ).filter(
    (one) =>
      one.tabIndex >= 0 &&
      !one.matches(':disabled') &&
      one.checkVisibility({ visibilityProperty: true }),
  );
  const { activeElement } = document;
  const focused = stops.indexOf(activeElement as HTMLElement);
  const isBefore = (one: Element) =>
    activeElement !== null &&
    (one.compareDocumentPosition(activeElement) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const before = focused === -1 ? stops.filter(isBefore).length - 0.5 : focused;
  const forwards = stops.indexOf(element as HTMLElement) - before;
  const round = (distance: number) => (distance + stops.length) % stops.length;
  return round(-forwards) < round(forwards);
}

/** A person at a window: each act is counted. Without a number, `acts` begin at 0. */
export function createPerson(
  way: Way,
  { page, desk, send }: DesktopPage,
  acts: Acts = { presses: 0, tabs: 0, travels: 0, texts: 0, letters: 0 },
) {
  const { keyboard } = page;
  const isFocused = (target: Locator) =>
    target.evaluate((element) => element === document.activeElement);
  /** Moves the focus as Tab or Shift+Tab does; fails if the control is no tab stop. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    if (await isFocused(target)) return;
    acts.travels += 1;
    const key = (await target.evaluate(isNearerBackwards)) ? 'Shift+Tab' : 'Tab';
    for (let stops = 0; stops < maxTabs; stops += 1) {
      acts.tabs += 1;
      await keyboard.press(key);
      if (await isFocused(target)) return;
    }
    throw new Error(`No tab stop leads to ${target}.`);
  }
  /** Presses a key until a control has the focus. */
  async function pressUntil(key: string, target: Locator): Promise<void> {
    for (let presses = 0; presses < maxPresses; presses += 1) {
      if (await isFocused(target)) return;
      await person.key(key);
    }
    throw new Error(`The key ${key} does not lead to ${target}.`);
  }
  const person = {
    acts,
    async key(name: string) {
      acts.presses += 1;
      const screen = menuKeys[name];
      if (screen === undefined) await keyboard.press(name);
      else await send({ kind: 'show', screen });
    },
    /** Presses a control; on the keyboard with Enter, or a key that does the same from where the focus is. */
    async use(target: Locator, key?: string) {
      if (way === 'keyboard') {
        if (key === undefined) await tabTo(target);
        return await person.key(key ?? 'Enter');
      }
      acts.presses += 1;
      await (way === 'touch' ? target.tap() : target.click());
    },
    /** Ticks a box or chooses one of several. */
    async tick(target: Locator) {
      if (way === 'keyboard') await tabTo(target);
      await person.use(target, 'Space');
    },
    /** Chooses an entry of the open menu; on the keyboard, by its first letter or a key that leads there. */
    async item(name: string | RegExp, key?: string) {
      const target = page.getByRole('menuitem', { name, exact: true });
      if (way !== 'keyboard') return await person.use(target);
      // A key that is pressed before would reach the page.
      await page.locator('[role=menu]:focus-within').waitFor();
      const [letter = ''] = await target.evaluate((entry) => entry.textContent ?? '');
      await pressUntil(key ?? letter.toLowerCase(), target);
      await person.key('Enter');
    },
    /** Goes to a row of a list with the arrow, and presses Enter; a pointer presses the row. */
    async row(target: Locator) {
      if (way === 'keyboard') await pressUntil('ArrowDown', target);
      await person.use(target, 'Enter');
    },
    async type(text: string) {
      acts.texts += 1;
      acts.letters += text.length;
      await keyboard.insertText(text);
    },
    /** Goes to a field and types a text in the place of the one that is there. */
    async fill(field: Locator, text: string) {
      if (way === 'keyboard') await tabTo(field);
      else await person.use(field);
      await keyboard.press('Control+a');
      await person.type(text);
    },
    /** Opens the dialog for files with a button, and chooses one there. */
    async choose(button: Locator, path: string) {
      desk.chosen = [path];
      await person.use(button);
      // A file and the button of the dialog; a phone takes a file that is tapped.
      if (way === 'keyboard') acts.texts += 1;
      acts.presses += way === 'mouse' ? 2 : 1;
    },
    /** Opens the dialog for a new file with a button, and takes the proposed name. */
    async save(button: Locator, path: string) {
      desk.output = path;
      await person.use(button);
      acts.presses += 1;
    },
    /** Brings a file of the desk's folder in from outside the window: drops it, or opens it with the program. */
    async bring(path: string) {
      acts.presses += 1;
      if (way === 'mouse') return await dropFiles(page, 'body', [path]);
      desk.opened.push(path);
      await send({ kind: 'opened' });
    },
  };
  return person;
}

export type Person = ReturnType<typeof createPerson>;
