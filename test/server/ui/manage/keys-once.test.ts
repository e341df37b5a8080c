import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { createKey, shareKeys } from './keys-screen.ts';

const shared = shareKeys(testBrowser());

const goTo = (page: Page, name: string) =>
  page.locator('.managing-link', { hasText: name }).click();

const stays = async (page: Page) => {
  await page.getByRole('dialog', { name: 'Leave without the key?' }).waitFor();
  expect(await page.evaluate(() => location.hash)).toBe('#manage=keys');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('.access-new').count()).toBe(1);
};

describe('leaving a new key that is not stored', () => {
  it('asks for confirmation on every way out', { tags: 'long' }, async () => {
    const { page, send } = await shared.show();
    await goTo(page, 'Share');
    await goTo(page, 'Scripts and assistants');
    await createKey(page);
    await goTo(page, 'History');
    await stays(page);
    await page.evaluate(() => history.back());
    await stays(page);
    await send({ kind: 'show', screen: 'settings' });
    await stays(page);
    await goTo(page, 'History');
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
  });

  it('asks nothing once the key is stored', { tags: 'long' }, async () => {
    const { page } = await shared.show();
    await createKey(page);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await goTo(page, 'History');
    await page.getByRole('heading', { name: 'History' }).waitFor();
  });
});

/** Returns everything that the page stores. */
const readStorages = (page: Page) =>
  page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      await indexedDB.databases(),
      await caches.keys(),
      document.cookie,
      location.href,
      history.state,
    ]),
  );

/** Returns a heap snapshot of the page in Chromium's text format. */
async function takeHeapSnapshot(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const pieces: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return pieces.join('');
}

describe('a key', () => {
  it('is not stored by the page', { tags: 'long' }, async () => {
    const { page } = await shared.show();
    const key = await createKey(page);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It works').waitFor();
    expect(await readStorages(page)).not.toContain(key);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(await readStorages(page)).not.toContain(key);
  });

  it('is removed from the memory of the page when it is closed', { tags: 'long' }, async () => {
    const { page } = await shared.show();
    const key = await createKey(page);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('It works').waitFor();
    expect(await takeHeapSnapshot(page)).toContain(key);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    await expect.poll(() => takeHeapSnapshot(page)).not.toContain(key);
  });
});
