import { expect, it } from 'vitest';
import { performInBackground } from '../../../../server/actions/background.ts';
import { testBrowser } from '../../../support/browser.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { addMember } from '../../../support/home.ts';

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
  const undo = page.getByRole('button', { name: /^Annuler la modification de Cross/ });
  await undo.first().click();
  const question = page.getByRole('dialog', { name: /^Annuler la modification de Cross/ });
  await question.waitFor();
  expect(await question.getByRole('button').allInnerTexts()).toEqual([
    'Annuler',
    'Annuler la modification',
  ]);
  await page.keyboard.press('Escape');
});
