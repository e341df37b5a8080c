import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTestFolder, makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { readOnce } from '../support/patience.ts';
import { type Desktop, launchDesktop } from './driver/desktop.ts';

const conferences = join(import.meta.dirname, '../../../shared/data/conferences.csv');
const available = existsSync(conferences);
if (!available) {
  process.stderr.write('Skipped: the first use, whose conferences are not beside this checkout.\n');
}

/** Returns the file of conferences, or of the first ones, which takes half the time. */
function chooseFile(): { readonly file: string; readonly total: number } {
  const [whole, some] = [6_831, 400];
  if (choose(true, false)) return { file: conferences, total: whole };
  const lines = readFileSync(conferences, 'utf8').split('\n', some + 1);
  const file = join(makeTestFolder(), 'conferences.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return { file, total: some };
}

/** Opens a screen by the navigation. */
async function goToScreen({ page }: Desktop, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

function select({ page }: Desktop, field: string) {
  return page.getByRole('combobox', { name: `Column for ${field}`, exact: true });
}

/** Checks and imports the file that has been chosen. */
async function importChosen({ page }: Desktop, all: string): Promise<void> {
  // The beginning of a large file does not show how many events it has.
  await page.getByRole('button', { name: /^Check( [\d,]+ events)?$/ }).click();
  await page.getByRole('button', { name: `New ${all}` }).waitFor();
  await page.getByRole('button', { name: `Import ${all} events` }).click();
  await page.getByText(`${all} events added`).waitFor();
}

/** Reads the events like a script; returns the status and counts. */
async function readAsScript(url: string, key: string) {
  const answer = await fetch(`${url}/v1/events`, { headers: { Authorization: `Bearer ${key}` } });
  const { events = [] } = (await answer.json()) as { events?: readonly unknown[] };
  return {
    status: answer.status,
    listed: events.length,
    total: answer.headers.get('total-count'),
  };
}

it.skipIf(!available)(
  'imports, undoes, creates and revokes a key, and keeps the data until the next start',
  async () => {
    const home = makeTestHome();
    const { file, total } = chooseFile();
    const all = total.toLocaleString('en');
    const desktop = await launchDesktop({ home });
    const { page, userData } = desktop;

    await desktop.answer('showOpenDialog', { filePaths: [file] });
    await page.getByRole('button', { name: 'Choose a file…' }).click();
    await page.getByLabel('Name of your club').fill('Chess');
    await page.getByRole('button', { name: 'Continue' }).click();

    await select(desktop, 'Place').selectOption('city');
    await select(desktop, 'Note').selectOption('url');
    const preview = page.getByRole('region', { name: /^Preview/ });
    await preview.getByText('Cape Town').first().waitFor();
    await importChosen(desktop, all);
    const { baseUrl } = JSON.parse(readFileSync(home.registration, 'utf8')) as { baseUrl: string };
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Your events are as they were before this import.').waitFor();
    await page.getByRole('button', { name: 'Back to this file' }).click();
    await importChosen(desktop, all);

    await goToScreen(desktop, 'Scripts and assistants');
    await page.getByLabel('Label', { exact: true }).fill('Website');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Your new key “Website”' }).waitFor();
    const key = await readOnce(page.locator('.access-new .access-value').innerText());
    expect(await readAsScript(baseUrl, key)).toEqual({
      status: 200,
      listed: 200,
      total: String(total),
    });
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.getByRole('button', { name: 'Revoke Website' }).click();
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
    await page.getByText('“Website” was revoked.').waitFor();
    expect(await readAsScript(baseUrl, key)).toEqual({ status: 401, listed: 0, total: null });

    await goToScreen(desktop, 'Share');
    await desktop.page.getByRole('button', { name: /^Save a file/ }).click();
    const saved = join(makeTestFolder(), 'all.json');
    await desktop.answer('showSaveDialog', { filePath: saved });
    await page.getByRole('button', { name: 'Save as JSON…' }).click();
    await page.getByText(`${all} events saved as all.json.`).waitFor();
    expect(JSON.parse(readFileSync(saved, 'utf8'))).toMatchObject({ events: { length: total } });
    expect(await desktop.quit()).toBe(0);
    expect(existsSync(home.registration)).toBe(false);

    const again = await launchDesktop({ home, userData });
    await again.page.getByText(`${all} events`).first().waitFor();
    await again.clickMenu('history');
    await again.page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await again.page.getByText('conferences.csv').first().waitFor();
    await expect.poll(() => again.page.getByText('conferences.csv').count()).toBeGreaterThan(1);
    await goToScreen(again, 'Scripts and assistants');
    await again.page
      .getByText(/Revoked|no longer/i)
      .first()
      .waitFor();
    expect(await again.quit()).toBe(0);
  },
);
