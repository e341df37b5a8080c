import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { digestOfKey, insertKey } from '../../../../db/keys.ts';
import { withWriter } from '../../../../server/store/store.ts';
import { testBrowser } from '../../../support/browser.ts';
import { addMember, makeTestFolder } from '../../../support/home.ts';
import { fetchWithKey } from '../../../support/service.ts';
import { expectForEverybody } from '../axe.ts';
import { createKey, shareKeys } from './keys-screen.ts';

const browser = testBrowser();
const shared = shareKeys(browser);

describe('a new key', () => {
  it('gives a script access to the events until it is revoked', async () => {
    const { page, service } = await shared.show();
    const key = await createKey(page, 'Website');
    expect(key).toMatch(/^ce_[0-9A-Za-z]{36}$/);
    const answer = await fetchWithKey(service, '/v1/events', key);
    expect(await answer.json()).toMatchObject({ events: [{ name: 'Fête d’hiver' }] });
    await page.getByRole('button', { name: 'I’ve saved it' }).click();

    await page.getByRole('button', { name: 'Revoke Website' }).click();
    await page.getByRole('dialog', { name: 'Revoke “Website”?' }).waitFor();
    expect((await fetchWithKey(service, '/v1/events', key)).status).toBe(200);
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
    await page.getByRole('status').getByText('“Website” was revoked.').waitFor();
    expect((await fetchWithKey(service, '/v1/events', key)).status).toBe(401);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('access-keys');
  });

  it('is created with a curl line by one click, without a name', { tags: 'long' }, async () => {
    const { page, home } = await shared.show();
    await page.getByRole('button', { name: 'Create key' }).click();
    const heading = page.getByRole('heading', { name: 'Your new key' });
    await heading.waitFor();
    await expectForEverybody(page, 'a new key');
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
    const line = page.getByRole('group', { name: 'curl' });
    await expect
      .poll(() => line.innerText())
      .toMatch(
        new RegExp(
          `^curl --noproxy "\\*" -H "Authorization: Bearer ce_\\w{36}" "\\$\\(club-events --home ${home.directory} url\\)/v1/events"$`,
        ),
      );
  });

  it('is valid to the end of its last day', { tags: 'long' }, async () => {
    const { page } = await shared.show();
    await page.getByLabel('Expires on').fill('2199-12-31');
    await createKey(page, 'Season');
    await page.getByText('Valid until 31 Dec 2199').waitFor();
  });
});

describe('the ways to read the events', () => {
  it('add the program to an assistant by a file that is saved and opened', {
    tags: 'long',
  }, async () => {
    const { page, club, desk } = await shared.show();
    const output = join(makeTestFolder(), 'club.mcpb');
    desk.output = output;
    await page.getByRole('button', { name: 'Add to your assistant…' }).click();
    await page.getByRole('status').getByText('Saved as club.mcpb.').waitFor();
    expect(desk.asked).toEqual([`save ${club.name}.mcpb`, `open ${output}`]);
    const parts = unzipSync(readFileSync(output));
    expect(strFromU8(parts['server/start.mjs'] as Uint8Array)).toContain(
      JSON.stringify(['mcp', '--user', club.name, '--propose']).slice(1),
    );
    await expectForEverybody(page, 'an assistant');
  });

  it('are files and lines without a key', { tags: 'long' }, async () => {
    const { page, club, service } = await shared.show();
    await expectForEverybody(page, 'the ways');
    const save = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')] as const;
    };
    const [excel, connection] = await save('Save… Excel table');
    expect(excel).toBe(`${club.name}.odc`);
    expect(connection).toContain('<odc:PowerQueryMashupData>');
    await page.getByRole('status').getByText('Open the file in Excel.').waitFor();
    const [python, client] = await save('Save… Python');
    expect(python).toBe('club_events.py');
    expect(client).toContain('class ClubEvents');
    for (const text of [connection, client]) {
      expect(text).toContain(`http://127.0.0.1:${service.port}`);
      expect(text).not.toContain(club.key);
    }
    const show = async (name: string) => {
      await page.getByRole('button', { name: `Show ${name}` }).click();
      return () => page.getByRole('group', { name }).innerText();
    };
    await expect.poll(await show('curl')).toContain('Bearer KEY');
    await expect.poll(await show('PowerShell')).toContain('Bearer KEY');
    await expect
      .poll(await show('When something changes'))
      .toContain(`watch --user ${club.name} --exec`);
    await page.getByRole('button', { name: 'Hide curl' }).click();
    await expect.poll(() => page.getByRole('group', { name: 'curl' }).count()).toBe(0);
  });
});

describe('the list of keys', () => {
  it('shows only keys of the club, newest first, with old ones collapsed', {
    tags: 'long',
  }, async () => {
    const { page, home, club } = await shared.show();
    await addMember(home, 'Rowing');
    await withWriter(home, (db) => {
      const add = (label: string, expiresAt: string | null, createdAt: string) =>
        insertKey(db, {
          userId: club.userId,
          digest: digestOfKey(label),
          label,
          createdAt,
          expiresAt,
        });
      add('<b>Board</b>', null, '2026-02-01T12:00:00.000Z');
      add('Old season', '2025-06-30T18:00:00.000Z', '2025-01-01T12:00:00.000Z');
    });
    await page.reload();
    const shown = page.locator('.access-keys > .item-list .access-name');
    await page.getByText('<b>Board</b>').waitFor();
    await expect
      .poll(() => shown.allInnerTexts())
      .toEqual(['<b>Board</b>', expect.stringMatching(/^Key \d+ \(no label\)$/)]);
    await expect.poll(() => page.getByText('Old season').isVisible()).toBe(false);
    await page.getByText('One expired or revoked key').click();
    await page.getByText('Old season').waitFor();
    await page.getByText(/Created 1 Jan 2025 · Expired 30 Jun 2025, \d\d:00/).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Revoke Old season' }).count())
      .toBe(0);
  });

  it('asks before it revokes a key', { tags: 'long' }, async () => {
    const { page, service, club } = await shared.show();
    const revoke = page.getByRole('button', { name: /^Revoke Key \d+ \(no label\)$/ });
    await revoke.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() => revoke.evaluate((element) => element === document.activeElement))
      .toBe(true);
    expect((await fetchWithKey(service, '/v1/events', club.key)).status).toBe(200);
  });
});
