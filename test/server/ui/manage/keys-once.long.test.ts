import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { createKey, shareKeys } from './keys-screen.ts';

const shared = shareKeys(testBrowser());

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

it('a key is removed from the memory of the page when it is closed', async () => {
  const { page } = await shared.show();
  const key = await createKey(page);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('It works').waitFor();
  expect(await takeHeapSnapshot(page)).toContain(key);
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.getByRole('button', { name: 'Create key' }).waitFor();
  await expect.poll(() => takeHeapSnapshot(page), { timeout: 20_000 }).not.toContain(key);
});
