import { expect, it } from 'vitest';
import { beginEventImport } from '../../../../db/event-import.ts';
import { performInBackground } from '../../../../server/actions/background.ts';
import { withWriter } from '../../../../server/store/store.ts';
import { testBrowser } from '../../../support/browser.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../../support/home.ts';

const desktop = shareDesktop(testBrowser(), (home) => addMember(home, 'Chess'));

it('calls a change by hand no import, in French', async () => {
  const event = { name: 'Cross', date: '2026-10-04T10:00:00Z' };
  const tools = { home: desktop.home, onProgress: () => undefined };
  const user = 'Chess';
  const added = await performInBackground('event add', { user, event }, tools);
  const { id } = added.event;
  await performInBackground('event edit', { user, id, changes: { location: 'Gymnase' } }, tools);
  const { page } = await desktop.show('#manage=history', {
    desk: { settings: { language: 'fr' } },
  });
  // With a space before the colon.
  await page.getByRole('heading', { name: 'Cross : rien → Gymnase' }).waitFor();
  const undo = page.getByRole('button', { name: /^Défaire la modification de Cross/ });
  await undo.first().click();
  const question = page.getByRole('dialog', { name: /^Défaire la modification de Cross/ });
  await question.waitFor();
  await expect
    .poll(() => question.getByRole('button').allInnerTexts())
    .toEqual(['Annuler', 'Défaire la modification']);
  await page.keyboard.press('Escape');
});

it('reads more than 1,000 changes when they are wanted', async () => {
  const { home } = desktop;
  const club = 'Many changes';
  const { userId } = await addMember(home, club);
  await withWriter(home, (db) => {
    for (let id = 1; id <= 1_060; id += 1) {
      const now = '2026-03-01T12:00:00.000Z';
      const batch = beginEventImport(db, { userId, now, source: `${id}.csv` });
      batch.apply(makeEvent(id));
      batch.commit();
    }
  });
  const { page } = await desktop.show('#manage=history', { club });
  for (let left = 1_010; left > 0; left -= 50) {
    const shown = left.toLocaleString('en-GB');
    await page.getByRole('button', { name: `Show older (${shown})`, exact: true }).click();
  }
  await page.getByText('Import of 1.csv', { exact: true }).waitFor();
  await expect.poll(() => page.locator('.history-item').count()).toBe(1_060);
});
