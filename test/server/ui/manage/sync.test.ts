import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { fragmentOf, testBrowser } from '../../../support/browser.ts';
import { makeTestFolder } from '../../../support/home.ts';
import { serveUpstream } from '../../../support/upstream.ts';
import { expectForEverybody, expectVariantForEverybody } from '../axe.ts';
import { card, onlineEvent, openMirrored, performIn, races, syncNow } from './mirrored-club.ts';

const browser = testBrowser();

describe('the screen of the source', () => {
  it('syncs, lists each change with its old value, and leads to the event', {
    tags: 'long',
  }, async () => {
    const { page, upstream, host, openScreen } = await openMirrored(browser.current, {
      events: races(7),
    });
    await openScreen();
    await page.getByText('All 7 events of the service are here.').waitFor();
    await page.getByText('Up to date').waitFor();
    await expect.poll(() => page.locator('.managing-intro strong').textContent()).toBe(host);
    const receipts = card(page, 'What each sync changed');
    await receipts.getByText('7 events received').waitFor();
    const before = upstream.events.get(1);
    if (before === undefined) throw new Error('The service has no event 1.');
    upstream.events.set(1, { ...before, location: 'Beech Wood' });
    upstream.events.set(8, onlineEvent(8, { name: 'Indoor meeting' }));
    upstream.events.delete(2);
    await syncNow(page).press('Enter');
    await page.getByRole('status').getByText('Done: 3 changes').waitFor();
    await receipts.getByText('Clubhouse → Beech Wood').waitFor();
    await receipts.getByText(/^Race 2: deleted/).waitFor();
    await receipts.getByText('The service confirmed twice that this is gone.').waitFor();
    await receipts.getByRole('button', { name: 'Copy message' }).waitFor();
    await expect.poll(() => receipts.getByRole('button', { name: 'Race 2' }).count()).toBe(0);
    await expectForEverybody(page, 'receipts');
    await syncNow(page).click();
    await page.locator('.sync-now-state').getByText('Nothing new').waitFor();
    await receipts.getByRole('button', { name: 'Indoor meeting' }).click();
    await page.getByRole('heading', { name: 'Indoor meeting' }).waitFor();
    expect(await fragmentOf(page)).toBe('#event=8');
    // News of the service is news to the person.
    await page.locator('.panel .mark-change').getByText('New', { exact: true }).waitFor();
  });

  it('says in plain words why a sync failed, and tries again later', { tags: 'long' }, async () => {
    const { page, upstream, host, openScreen } = await openMirrored(browser.current, {
      events: races(2),
    });
    await openScreen();
    upstream.fault = () => 'reset';
    await syncNow(page).click();
    await page.getByRole('alert').getByText(`${host}/ cannot be reached`).waitFor();
    const receipts = card(page, 'What each sync changed');
    await receipts.getByText('cannot be reached').waitFor();
    await receipts.getByText(/^Last synced: today, \d\d:\d\d \(.+\)$/).waitFor();
    await receipts.getByText(/^Nothing was lost\. Next attempt: (?:today|tomorrow), /).waitFor();
    await expect.poll(() => page.getByText('Up to date').count()).toBe(0);
    await expectVariantForEverybody(page, 'failed sync');
    upstream.fault = () => 'silence';
    await syncNow(page).click();
    await page.getByText('Syncing…').waitFor();
    await expectVariantForEverybody(page, 'running sync');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Syncing…').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    upstream.fault = () => undefined;
    await syncNow(page).click();
    await page.locator('.sync-now-state').getByText('Nothing new').waitFor();
    await page.getByText('Up to date').waitFor();
  });

  it('asks before many events are removed', { tags: 'long' }, async () => {
    const { page, upstream, home, openScreen } = await openMirrored(browser.current, {
      events: races(40),
    });
    await openScreen();
    for (let id = 1; id <= 15; id += 1) upstream.events.delete(id);
    await syncNow(page).click();
    const question = card(page, '15 events are gone at the service. Delete them here, too?');
    await question.waitFor();
    await question.getByRole('button', { name: 'and 7 more' }).click();
    await question.getByText('Race 15').waitFor();
    await page.locator('.managing-club').getByText('waiting for your decision').waitFor();
    await expectVariantForEverybody(page, 'removals');
    await question.getByRole('button', { name: 'Keep them for now' }).press('Enter');
    await page.getByText('15 deletions wait for your decision.').waitFor();
    await expectVariantForEverybody(page, 'put off');
    await page.getByRole('button', { name: 'Decide…' }).press('Enter');
    await question.getByRole('button', { name: 'Delete them' }).click();
    await page.getByText('All 25 events of the service are here.').waitFor();
    expect((await performIn(home, 'user list', {})).users).toMatchObject([{ events: 25 }]);
  });

  it('is ready although older events may be missing, and looks for upcoming ones', {
    tags: 'long',
  }, async () => {
    // The list of the service has 200 of them.
    const { page, openScreen } = await openMirrored(browser.current, { events: races(205) });
    await openScreen();
    await page.getByRole('button', { name: 'Get ready' }).click();
    const ready = card(page, 'Ready for the field');
    await ready
      .getByText(/^200 events until .*\. Events added before .* may be missing\.$/)
      .waitFor();
    await expect.poll(() => ready.getAttribute('data-tone')).toBe('good');
    await ready.getByText(/newest IDs takes about 7 requests, 1 minute\.$/).waitFor();
    await expectVariantForEverybody(page, 'ready apart from older events');
    await ready.getByRole('button', { name: 'Look for upcoming events' }).press('Enter');
    await ready.getByText(/^205 events until /).waitFor();
    await expect.poll(() => ready.getByText('newest IDs').count()).toBe(0);
  });

  it('asks whether the address in a restored backup is right before it sends the key', {
    tags: 'long',
  }, async () => {
    const { page, home, upstream, openScreen } = await openMirrored(browser.current, {
      events: races(2),
    });
    const other = await serveUpstream({ events: races(2), keys: ['other-key'] });
    const { name } = await performIn(home, 'backup', {});
    if (name === null) throw new Error('The backup has no name.');
    const changed = join(makeTestFolder(), 'changed.sqlite');
    copyFileSync(join(home.backups, name), changed);
    const database = new Database(changed);
    database.prepare('UPDATE sources SET base_url = ?').run(other.baseUrl);
    database.close();
    await performIn(home, 'restore', { file: changed });
    await openScreen();
    const question = card(page, 'Is this still your club’s service?');
    await question.getByText(`The data name ${other.baseUrl}, but the key here`).waitFor();
    await page.getByText('not for this address', { exact: true }).waitFor();
    await expectVariantForEverybody(page, 'foreign key');
    await syncNow(page).click();
    await page.getByRole('alert').getByText('so nothing was sent').waitFor();
    expect(other.requests).toEqual([]);
    await question.getByRole('button', { name: 'Enter the key…' }).click();
    await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill('other-key');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await page.locator('.sync-now-state').getByText('Nothing new').waitFor();
    const sent = new Set(other.requests.map(({ headers }) => headers.authorization));
    expect([...sent]).toEqual(['Bearer other-key']);
    expect(upstream.requests.some(({ headers }) => headers.authorization?.includes('other'))).toBe(
      false,
    );
  });

  it('asks whether a service after a reset is still the right one', { tags: 'long' }, async () => {
    const { page, upstream, openScreen } = await openMirrored(browser.current, {
      events: races(3),
    });
    await openScreen();
    const replaced = onlineEvent(2, { name: 'Other', createdAt: '2026-03-01T00:00:00.000Z' });
    upstream.events.set(2, replaced);
    await syncNow(page).click();
    const question = card(page, 'Is this still your club’s service?');
    await question.getByText('shows another event under the number 2').waitFor();
    await expectForEverybody(page, 'reset');
    await question.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('The sync waits for your decision about the service.').waitFor();
    await page.getByRole('button', { name: 'Decide…' }).click();
    await question.getByRole('button', { name: 'Yes, go on' }).click();
    await question.waitFor({ state: 'detached' });
    await card(page, 'What each sync changed').getByText('Other').first().waitFor();
  });
});

describe('a mirrored club', () => {
  it('says at each way to change events why it is closed', { tags: 'long' }, async () => {
    const { page, host, openScreen } = await openMirrored(browser.current, { events: races(3) });
    const reason = `The events of this club come from ${host}.`;
    await expect.poll(() => page.getByRole('button', { name: 'New event' }).count()).toBe(0);
    await page.getByRole('button', { name: /^Race 1/ }).press('Enter');
    await page.getByText(`This event comes from ${host}.`).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Edit', exact: true }).count())
      .toBe(0);
    await expectVariantForEverybody(page, 'mirrored event');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'No events are changed here' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'No events are added here' }).waitFor();
    await page.locator('.event-form').getByText(reason).waitFor();
    await expectForEverybody(page, 'closed form');
    await page.keyboard.press('Escape');
    await page.locator('.event-form').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.locator('.undo-notice').getByText(reason).waitFor();
    await page.keyboard.press('2');
    // Today has no event.
    await page.locator('[data-date][aria-current="date"]').dblclick({ position: { x: 60, y: 60 } });
    await page.getByRole('heading', { name: 'No events are added here' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('3');
    await page.getByRole('region', { name: 'Table' }).waitFor();
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
    await openScreen();
    await page.evaluate(() => location.assign('#manage=import'));
    await page.getByText('Nothing can be imported into this club').waitFor();
    await expectVariantForEverybody(page, 'closed import');
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByText('A sync can’t be undone here.').waitFor();
    await expect.poll(() => page.locator('.history-item').getByRole('button').count()).toBe(0);
  });
});
