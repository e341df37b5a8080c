import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { homeAt } from '../../../../server/base/home.ts';
import { createBackup } from '../../../../server/store/backup-files.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openScreen, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestFolder } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { daysAgo } from './backups-page.ts';

const future = makeEvent(1, { name: 'Summer party', date: '2099-05-01T18:00:00.000Z' });
const { show } = shareDesktop(testBrowser(), async (home) => {
  await addMember(home, 'Chess', [future]);
});

it('a folder on a second disk is chosen, says when the last backup arrived, and is removed', {
  tags: 'long',
}, async () => {
  const { page, home, desk } = await show();
  for (const age of [35, 1]) createBackup(home, 'daily', daysAgo(age));
  await openScreen(page, 'History and backups');
  const card = page.getByRole('region', { name: 'On a second disk' });
  await card.getByText('None yet. A copy elsewhere survives').waitFor();
  const folder = join(makeTestFolder(), 'stick');
  desk.chosen = [folder];
  await card.getByRole('button', { name: 'Choose a folder…' }).click();
  await card.getByRole('alert').getByText('is not there').waitFor();
  // Its parent is there.
  desk.chosen = [join(folder, '..')];
  await card.getByRole('button', { name: 'Choose a folder…' }).click();
  await card.getByRole('status').getByText('2 backups are in').waitFor();
  await expect.poll(() => card.getByRole('alert').count()).toBe(0);
  const item = card.getByRole('listitem');
  await item.getByText('Up to date').waitFor();
  await item.getByText(/^The last backup arrived today at \d\d:\d\d\. 2 are there\.$/).waitFor();
  await item.getByText('This folder is on the disk of the data.').waitFor();

  const chosen = join(folder, '..');
  const away = `${chosen} away`;
  onTestFinished(() => rmSync(away, { recursive: true, force: true }));
  renameSync(chosen, away);
  createBackup(home, 'hand', new Date());
  const tick = () =>
    performHere(
      'backup folder tick',
      {},
      { home: homeAt(home.directory), onProgress: () => undefined },
    );
  await tick();
  await item.getByText('Waits for this folder. New backups arrive as soon as').waitFor();
  renameSync(away, chosen);
  await performHere(
    'backup folder tick',
    { folder: chosen },
    { home, onProgress: () => undefined },
  );
  await item.getByText(/3 are there\.$/).waitFor();

  await item.getByRole('button', { name: `Stop copying to ${chosen}` }).press('Enter');
  await card.getByRole('status').getByText('gets no more backups. Those in it stay.').waitFor();
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  expect(focused).toBe('On a second disk');
});
