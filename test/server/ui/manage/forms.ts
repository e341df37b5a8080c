import type { DesktopPage } from '../../../support/desktop-page.ts';
import { choose } from '../../../support/long.ts';
import { writeTestFile } from '../../import/files.ts';

/**
 * Kinds of fields: `text` holds what was typed; `date`, `time`, `end` and `day` may write it in the words
 * of the language.
 */
export type FieldKind = 'text' | 'date' | 'time' | 'end' | 'day';

/** A form with fields for typed text. */
export type Form = {
  readonly fragment: string;
  /** Opens the form where the fragment alone does not. */
  readonly open?: (desktop: DesktopPage) => Promise<unknown>;
  /** Opens it again after a fault, which closes a dialog. */
  readonly reopen?: (desktop: DesktopPage) => Promise<unknown>;
  /** Kinds of the fields by their selectors. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** A text key that only this form renders. */
  readonly textKey: string;
};

const eventFields = {
  '#event-name': 'text',
  '#event-date': 'date',
  '#event-time': 'time',
  '#event-ends': 'end',
  '#event-location': 'text',
  '#event-description': 'text',
} as const;

/** Selects the events of the table and opens a form for them. */
const bulk =
  (name: string) =>
  async ({ page }: DesktopPage) => {
    await page.locator('.table-select input').first().check();
    await page.locator('.bulk').getByRole('button', { name, exact: true }).click();
  };

/** Every form of a club with events that are its own. */
const all = {
  'new event': {
    fragment: '#form=new',
    fields: { '#event-line': 'text', ...eventFields },
    textKey: 'addAnother',
  },
  'edited event': { fragment: '#event=4&form=edit', fields: eventFields, textKey: 'discard' },
  'copied event': {
    fragment: '#event=4&form=copy',
    fields: { '.event-copy input': 'text' },
    textKey: 'copyDay',
  },
  'repetition in the form': {
    fragment: '#form=new&on=2026-12-08',
    open: ({ page }) => page.getByRole('button', { name: 'Repeat…' }).click(),
    fields: { '#event-until': 'day' },
    textKey: 'untilExample',
  },
  'place of many': {
    fragment: '#view=table',
    open: bulk('Place'),
    reopen: bulk('Place'),
    fields: { '.bulk-form input[list]': 'text' },
    textKey: 'setNumber',
  },
  'reason of many': {
    fragment: '#view=table',
    open: bulk('Cancel'),
    reopen: bulk('Cancel'),
    fields: { '.bulk-form input': 'text' },
    textKey: 'reasonHelp',
  },
  'time of many': {
    fragment: '#view=table',
    open: bulk('Set time'),
    reopen: bulk('Set time'),
    fields: {
      '.bulk-fields > :first-child input': 'text',
      '.bulk-fields > :last-child input': 'text',
    },
    textKey: 'timeNumber',
  },
  'move of many': {
    fragment: '#view=table',
    open: bulk('Move'),
    reopen: bulk('Move'),
    fields: {
      '.bulk-form input': 'text',
    },
    textKey: 'moveNumber',
  },
  'copies of many': {
    fragment: '#view=table',
    open: bulk('Copy to…'),
    reopen: bulk('Copy to…'),
    fields: { '.bulk-form input': 'text' },
    textKey: 'copyTitle',
  },
  search: { fragment: '#view=table', fields: { '#search': 'text' }, textKey: '' },
  filter: {
    fragment: '#view=table',
    open: ({ page }) => page.getByRole('button', { name: 'Filter', exact: true }).click(),
    fields: {
      '.filter-range input >> nth=0': 'day',
      '.filter-range input >> nth=1': 'day',
    },
    textKey: '',
  },
  'day to go to': { fragment: '', fields: { '#go-to-date': 'text' }, textKey: 'goToExample' },
  print: {
    fragment: '#print=list',
    fields: {
      '.studio [maxlength]': 'text',
      '.studio-period > :first-child input': 'day',
      '.studio-period > :last-child input': 'day',
    },
    textKey: 'dayUnclear',
  },
  'new club': {
    fragment: '#manage=clubs',
    fields: { '.clubs-add input': 'text' },
    textKey: 'newClub',
  },
  key: {
    fragment: '#manage=keys',
    fields: {
      '.access-form input >> nth=1': 'day',
      '.access-form input >> nth=0': 'text',
    },
    textKey: 'labelHelp',
  },
  connection: {
    fragment: '#manage=sync',
    fields: { '#connect-url': 'text', '#connect-key': 'text' },
    textKey: 'keyHelp',
  },
  port: {
    fragment: '#manage=settings',
    fields: { '.setting-port input': 'text' },
    textKey: 'usePort',
  },
  'rows to import': {
    fragment: '#manage=import',
    open: async ({ page, desk }) => {
      desk.chosen = [writeTestFile('season.csv', wrongDates)];
      await page.locator('.import-drop button').click();
      await page.locator('.import-agenda .field-error').first().waitFor();
      await page.locator('.work-foot button').last().click();
      await page.locator('.import-check').waitFor();
    },
    fields: {
      '.import-cell input >> nth=0': 'text',
      '.import-cell input >> nth=1': 'text',
    },
    textKey: 'cellInRow',
  },
} satisfies Record<string, Form>;

/** The forms under test, by name: in the short form, that of a new event. */
export const forms = Object.entries<Form>(
  choose<Readonly<Record<string, Form>>>(all, { 'new event': all['new event'] }),
);

const wrongDates =
  'Title,Date,Place\nFair,31.11.2026,Hall\nBall,whenever,Hall\nRun,1.5.2027,Hall\n';
