import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { beginEventImport } from '../../../../db/event-import.ts';
import { digestOfKey } from '../../../../db/keys.ts';
import { insertMirror } from '../../../../db/mirror.ts';
import type { EventDraft, StoredEvent } from '../../../../db/model.ts';
import type { ActionInput } from '../../../../server/actions/bridge.ts';
import { catalogue } from '../../../../server/actions/catalogue.ts';
import type { Home } from '../../../../server/base/home.ts';
import { thisMachine } from '../../../../server/club/tools.ts';
import { withWriter } from '../../../../server/store/store.ts';
import { readEntries } from '../../../../server/ui/manage/history/entry.tsx';
import { testBrowser } from '../../../support/browser.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, type Member, makeEvent } from '../../../support/home.ts';
import { fetchWithKey } from '../../../support/service.ts';
import { tallyOf } from '../../../support/tally.ts';

/** Imports events from files of these names. */
function importFrom(
  { home, userId }: { readonly home: Home; readonly userId: number },
  source: string,
  events: readonly EventDraft[],
  now: string,
) {
  return withWriter(home, (db) => {
    const batch = beginEventImport(db, { userId, now, source });
    for (const event of events) batch.apply(event);
    batch.commit();
  });
}

const march = '2026-03-01T12:00:00.000Z';
const april = '2026-04-01T12:00:00.000Z';

const desktop = shareDesktop(testBrowser(), (home) => addMember(home, 'No club of a test'));
let clubs = 0;

/** Adds a club for the running test. */
async function addClub() {
  clubs += 1;
  const { home } = desktop;
  return { home, ...(await addMember(home, `Chess-${clubs}`)) };
}

const show = ({ name }: Member) => desktop.show('#manage=history', { club: name });

async function showHistory() {
  const club = await addClub();
  await importFrom(club, 'season.csv', [makeEvent(1), makeEvent(2)], march);
  const corrected = [makeEvent(2, { name: 'Fête' }), makeEvent(3)];
  await importFrom(club, 'corrected.csv, more.ics', corrected, april);
  const shown = await show(club);
  await shown.page.locator('.history-item').nth(1).waitFor();
  const names = async () => {
    const answer = await fetchWithKey(shown.service, '/v1/events', club.key);
    const { events } = (await answer.json()) as { events: { name: string }[] };
    return events.map(({ name }) => name).toSorted();
  };
  return { ...shown, club, names, item: shown.page.locator('.history-item') };
}

/** Returns the visible lines of a part of the page. */
const linesOf = async (locator: Locator) => (await locator.innerText()).split(/\n+/);

describe('the history', () => {
  it('lists the changes of each import, newest first', async () => {
    const { item } = await showHistory();
    await expect
      .poll(() => linesOf(item.first()))
      .toEqual([
        'Import of corrected.csv, more.ics',
        '1 Apr 2026, 14:00',
        '+1 new',
        '~1 changed',
        'Undo',
      ]);
    await expect.poll(async () => (await linesOf(item.nth(1)))[0]).toBe('Import of season.csv');
    await expect.poll(() => item.count()).toBe(2);
  });

  it('undoes and redoes an import', { tags: 'long' }, async () => {
    const { page, item, names } = await showHistory();
    await page.getByRole('button', { name: /^Undo corrected/ }).click();
    const question = page.getByRole('dialog', {
      name: 'Undo the import of corrected.csv, more.ics?',
    });
    await question.getByText('The added event will be deleted.').waitFor();
    await question.getByText('The changed event will get its previous values.').waitFor();
    await question.getByText('You can undo this, too.').waitFor();
    expect(await names()).toEqual(['Event 1', 'Event 3', 'Fête']);
    await question.getByRole('button', { name: 'Undo' }).click();
    const outcome = page.getByRole('status').filter({ hasText: 'undone' });
    await outcome.waitFor();
    await expect
      .poll(() => outcome.innerText())
      .toBe('Import of corrected.csv, more.ics undone: one event deleted, one event as before.');
    await expect
      .poll(() => outcome.evaluate((element) => element === document.activeElement))
      .toBe(true);
    expect(await names()).toEqual(['Event 1', 'Event 2']);

    await item.nth(2).waitFor();
    await expect.poll(async () => (await linesOf(item.nth(1))).at(-1)).toMatch(/^Undone on /);
    await expect
      .poll(() => linesOf(item.first()))
      .toEqual([
        'Undone: corrected.csv, more.ics',
        expect.stringMatching(/ · imported 1 Apr 2026, 14:00$/),
        '~1 changed',
        '−1 deleted',
        'Redo',
      ]);
    await page.getByRole('button', { name: /^Redo corrected/ }).click();
    await page.getByRole('dialog').getByText('The deleted event will come back.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Redo' }).click();
    await page.getByText('redone: 2 events as before.').waitFor();
    expect(await names()).toEqual(['Event 1', 'Event 3', 'Fête']);
    await item.nth(3).waitFor();
    await expect
      .poll(async () => (await linesOf(item.first()))[0])
      .toBe('Redone: corrected.csv, more.ics');
    await expect.poll(async () => (await linesOf(item.first())).at(-1)).toBe('Undo');
    await expect.poll(async () => (await linesOf(item.nth(1))).at(-1)).toMatch(/^Redone on /);
  });

  it('updates the events after an undo', { tags: 'long' }, async () => {
    const date = '2099-05-01T18:00:00.000Z';
    const { page, club } = await showHistory();
    await importFrom(club, 'future.csv', [makeEvent(9, { name: 'Moon landing', date })], april);
    await page.reload();
    await page.getByRole('button', { name: /^Undo future/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Import of future.csv undone').waitFor();
    await page.getByRole('button', { name: 'Back to events' }).click();
    await tallyOf(page, '3 events').waitFor();
    await expect.poll(() => page.getByText('Moon landing').count()).toBe(0);
  });

  it('explains why an import cannot be undone and changes nothing', { tags: 'long' }, async () => {
    const { page, names, item } = await showHistory();
    const button = page.getByRole('button', { name: /^Undo season/ });
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await page
      .getByRole('alert')
      .getByText(/one event .*changed/)
      .waitFor();
    expect(await names()).toEqual(['Event 1', 'Event 3', 'Fête']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() => button.evaluate((element) => element === document.activeElement))
      .toBe(true);
    await expect.poll(() => item.count()).toBe(2);
  });

  it('links to the import if it is empty', { tags: 'long' }, async () => {
    const { page } = await show(await addClub());
    await page.getByText('Nothing has been imported yet.').waitFor();
    await page.getByRole('button', { name: 'Import events' }).click();
    expect(await page.evaluate(() => location.hash)).toBe('#manage=import');
  });

  it('shows long lists in parts and moves the focus to the next one', {
    tags: 'long',
  }, async () => {
    const club = await addClub();
    await withWriter(club.home, (db) => {
      for (let id = 1; id <= 120; id += 1) {
        const batch = beginEventImport(db, {
          userId: club.userId,
          now: march,
          source: `${id}.csv`,
        });
        batch.apply(makeEvent(id));
        batch.commit();
      }
    });
    const { page } = await show(club);
    const item = page.locator('.history-item');
    await page.getByText('Import of 120.csv').waitFor();
    await expect.poll(() => item.count()).toBe(50);
    await page.getByRole('button', { name: 'Show older (70)' }).click();
    await expect.poll(() => item.count()).toBe(100);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Import of 70.csv');
    await page.getByRole('button', { name: 'Show older (20)' }).click();
    await page.getByText('Import of 1.csv', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Show older/ }).count()).toBe(0);
  });
});

describe('readEntries', () => {
  it('alternates undo and redo over any number of undos', () => {
    const at = (id: number) => `2026-01-0${id}T00:00:00.000Z`;
    const batch = (id: number, undoes: number | null, undoneBy: number | null) => ({
      ...{ id, undoes, undoneBy, createdAt: at(id), source: 'a.csv', added: 1, changed: 0 },
      kind: undoes === null ? ('import' as const) : ('undo' as const),
      removed: 0,
      change: null,
      common: null,
      names: [],
      proposedBy: [],
      leftOut: null,
      setting: null,
    });
    const history = [batch(4, 3, null), batch(3, 2, 4), batch(2, 1, 3), batch(1, null, 2)];
    const entries = readEntries(history);
    expect(entries.map(({ kind }) => kind)).toEqual(['undo', 'redo', 'undo', 'import']);
    expect(entries.map(({ undoneAt }) => undoneAt)).toEqual([undefined, at(4), at(3), at(2)]);
    expect(new Set(entries.map(({ importedAt }) => importedAt))).toEqual(new Set([at(1)]));
  });
});

it('names the service of a sync and has no button to undo it', { tags: 'long' }, async () => {
  const club = await addClub();
  const now = new Date(april);
  const event = makeEvent(1) as StoredEvent;
  const at = now.getTime();
  const known = { confirmedAt: at, registrationAt: at, registration: {}, suspect: null };
  const mirror = {
    userId: club.userId,
    baseUrl: 'https://club.example/v1/',
    keyStore: 'run',
    now,
    digest: digestOfKey('upstream-key'),
    writes: [{ kind: 'store', entry: { event, ...known } }],
  } as const;
  await withWriter(club.home, (db) => insertMirror(db, mirror));
  const { page } = await show(club);
  const item = page.locator('.history-item');
  await expect.poll(() => linesOf(item.first())).toContain('Sync with club.example');
  await expect.poll(() => item.first().getByRole('button').count()).toBe(0);
});

/** Performs actions in a club of its own. */
async function makeTools() {
  const club = await addClub();
  const tools = {
    ...thisMachine,
    home: club.home,
    write: async () => undefined,
    onProgress: () => undefined,
  };
  return { club, tools };
}

it('names the event that was changed by hand, and undoes the change', {
  tags: 'long',
}, async () => {
  const { club, tools } = await makeTools();
  const event = { name: 'Autumn cross', date: '2026-10-04T10:00:00Z' };
  await catalogue['event add'].perform({ user: club.name, event }, tools);
  const { page } = await show(club);
  const item = page.locator('.history-item');
  await expect.poll(() => linesOf(item.first())).toContain('Added by hand: Autumn cross');
  await item
    .first()
    .getByRole('button', { name: /^Undo Autumn cross/ })
    .click();
  await page.getByRole('dialog', { name: 'Undo the change of Autumn cross?' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Change of Autumn cross undone: one event deleted.').waitFor();
});

it('says what a change of several events did, also when it is undone', {
  tags: 'long',
}, async () => {
  const { club, tools } = await makeTools();
  const user = club.name;
  const add = async (name: string, date: string) =>
    (await catalogue['event add'].perform({ user, event: { name, date } }, tools)).event.id;
  const ids = [
    await add('Autumn cross', '2026-10-04T10:00:00Z'),
    await add('Regatta', '2026-10-05T12:00:00Z'),
  ];
  const change = (change: ActionInput<'events change'>['change']) =>
    catalogue['events change'].perform({ user, ids, change }, tools);
  await change({ kind: 'move', days: 7 });
  await change({ kind: 'set', values: { location: 'Sports hall' } });
  await change({ kind: 'cancel' });
  const { page } = await show(club);
  const item = page.locator('.history-item');
  const titles = () => item.locator('.history-title').allInnerTexts();
  await item.nth(4).waitFor();
  await expect
    .poll(async () => (await titles()).slice(0, 3))
    .toEqual([
      'Autumn cross, Regatta: 2 events cancelled',
      'Autumn cross, Regatta: 2 events changed to “Sports hall”',
      'Autumn cross, Regatta: 2 events moved 7 days later',
    ]);
  // No number of changed events below a title that says it.
  await expect.poll(() => page.locator('.history-counts').count()).toBe(0);
  await page
    .getByRole('button', { name: 'Undo “Autumn cross, Regatta: 2 events cancelled”' })
    .click();
  const question = page.getByRole('dialog', {
    name: 'Undo “Autumn cross, Regatta: 2 events cancelled”',
  });
  await question.getByRole('button', { name: 'Undo' }).click();
  await page
    .getByText('Undone: Autumn cross, Regatta: 2 events cancelled.', { exact: true })
    .waitFor();
  await item.nth(5).waitFor();
  await expect
    .poll(async () => (await titles())[0])
    .toBe('Undone: Autumn cross, Regatta: 2 events cancelled');
});
