import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { choose } from '../../../support/long.ts';
import { expectForEverybody } from '../axe.ts';
import { dropFiles } from './drop-files.ts';
import { type ImportPage, openImport } from './import-page.ts';

const browser = testBrowser();

const steps = ['File', 'Columns', 'Check'] as const;
type Step = (typeof steps)[number];

/** Opens a window whose club has an import of `plan.csv` at a step. */
async function openStarted(step: Step): Promise<ImportPage & { readonly plan: string }> {
  const opened = await openImport(browser.current, { events: 1 });
  const { page, desk, choose, button, check } = opened;
  const plan = join(desk.folder, 'plan.csv');
  writeFileSync(plan, 'Titel;Datum;Ort\nConcert;1.5.2099 18:00;Hall\nTalk;31.4.2099;Pool\n');
  writeFileSync(join(desk.folder, 'later.csv'), 'Titel;Datum;Ort\nRace;8.5.2099;Lake\n');
  await choose(plan);
  await seeStep(page, 'Columns');
  if (step === 'File') await button('Back').click();
  if (step === 'Check') await check();
  await seeStep(page, step);
  return { ...opened, plan };
}

const seeStep = (page: Page, step: Step) =>
  page.locator('.import-steps [aria-current="step"]').getByText(step).waitFor();

const goBack = (page: Page) => page.getByRole('button', { name: 'Back to events' }).click();

const noteOf = (page: Page, name = 'plan.csv') =>
  page.locator('.notice').filter({ hasText: `The import of ${name} is not finished.` });

const dropLater = ({ page, desk }: ImportPage) =>
  dropFiles(page, 'body', [join(desk.folder, 'later.csv')]);

describe('an import that is not finished', () => {
  it.each(choose<readonly Step[]>(steps, ['Columns']))(
    'at the step %s keeps it over a reload, Back, and the list',
    async (step) => {
      const { page, count } = await openStarted(step);
      await page.reload();
      await seeStep(page, step);
      await goBack(page);
      await noteOf(page).waitFor();
      await page.reload();
      await noteOf(page).waitFor();
      await page.goBack();
      await seeStep(page, step);
      await goBack(page);
      await noteOf(page).getByRole('button', { name: 'Continue' }).click();
      await seeStep(page, step);
      await page.getByRole('navigation').getByRole('button', { name: 'Sources' }).click();
      await noteOf(page).getByRole('button', { name: 'Continue' }).click();
      await seeStep(page, step);
      expect(await count()).toBe(1);
    },
  );

  it.each(choose<readonly Step[]>(steps, ['Check']))(
    'at the step %s asks about a later file',
    async (step) => {
      const opened = await openStarted(step);
      const { page, count } = opened;
      const question = page.getByRole('heading', {
        name: 'The import of plan.csv is not finished',
      });
      await goBack(page);
      await noteOf(page).waitFor();
      await dropLater(opened);
      await question.waitFor();
      await page.getByText('What about later.csv?').waitFor();
      if (step === 'File') await expectForEverybody(page, 'question');
      await page.getByRole('button', { name: 'Go on without later.csv' }).click();
      await seeStep(page, step);
      await noteOf(page, 'later.csv').waitFor({ state: 'detached' });

      await dropLater(opened);
      await question.waitFor();
      await page.getByRole('button', { name: /^Add to the started import/ }).click();
      await page.getByRole('heading', { name: 'Season plan', level: 1 }).waitFor();
      await goBack(page);
      await noteOf(page, 'plan.csv, later.csv').waitFor();
      await dropLater(opened);
      await page.getByRole('button', { name: /^Start again/ }).click();
      await page.getByRole('heading', { name: 'Import', level: 1 }).waitFor();
      await goBack(page);
      await noteOf(page, 'later.csv').waitFor();
      expect(await count()).toBe(1);
    },
  );

  it.each(steps)(
    'at the step %s says that its file was deleted, and is thrown away',
    {
      tags: 'long',
    },
    async (step) => {
      const { page, plan, count } = await openStarted(step);
      rmSync(plan);
      await page.reload();
      await seeStep(page, 'File');
      await page.getByRole('alert').getByText('plan.csv does not exist').waitFor();
      await goBack(page);
      await noteOf(page).getByRole('button', { name: 'Throw away' }).click();
      await page.getByText('The import of plan.csv was thrown away.').waitFor();
      await page.reload();
      await page.getByRole('button', { name: /^Event 1/ }).waitFor();
      await noteOf(page).waitFor({ state: 'detached' });
      expect(await count()).toBe(1);
    },
  );

  it('comes back after it was thrown away, as it was', { tags: 'long' }, async () => {
    const { page, column, button } = await openStarted('Check');
    await button('Back').click();
    await column('Place').selectOption('');
    await seeStep(page, 'Columns');
    await goBack(page);
    await expectForEverybody(page, 'note');
    await noteOf(page).getByRole('button', { name: 'Throw away' }).click();
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await noteOf(page).getByRole('button', { name: 'Continue' }).click();
    await seeStep(page, 'Columns');
    await expect.poll(() => column('Place').inputValue()).toBe('');
    await page.reload();
    await expect.poll(() => column('Place').inputValue()).toBe('');
  });

  it('is over once its events are here', { tags: 'long' }, async () => {
    const { page, button, count } = await openStarted('Check');
    await button('Import 1 event').click();
    await page.getByRole('heading', { name: 'Imported' }).waitFor();
    expect(await count()).toBe(2);
    await goBack(page);
    await page.getByRole('button', { name: /^Concert/ }).waitFor();
    await expect.poll(() => noteOf(page).count()).toBe(0);
    await page.goBack();
    await page.reload();
    await page.getByRole('heading', { name: 'Sources' }).waitFor();
    await expect.poll(() => noteOf(page).count()).toBe(0);
  });
});
