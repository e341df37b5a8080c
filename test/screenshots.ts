import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { createDemo } from '../server/actions/demo.ts';
import { loadWriters } from '../server/actions/export/list-writers.ts';
import { thisMachine } from '../server/actions/tools.ts';
import { createService } from '../server/main.ts';
import { launchBrowser } from './support/browser.ts';
import { makeFolder, removeFolder } from './support/home.ts';

/** The pictures in the README: each view of the demo club, light and dark. */
const pictures: readonly (readonly [name: string, fragment: string])[] = [
  ['agenda', ''],
  ['event', '#event=142'],
  ['table', '#view=table'],
  ['calendar', '#view=calendar'],
  ['year', '#view=calendar&span=year'],
];

const target = join(import.meta.dirname, '../server/ui/screenshots');

async function takePictures(browser: Browser, baseUrl: string, key: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 1200, height: 750 },
      reducedMotion: 'reduce',
    });
    for (const [name, fragment] of pictures) {
      const page = await context.newPage();
      await page.goto(`${baseUrl}/#key=${key}`);
      await page.getByText('60 events').waitFor();
      await page.goto(`${baseUrl}/${fragment}`);
      await page.waitForTimeout(800);
      await page.screenshot({ path: join(target, `${name}-${colorScheme}.png`) });
      await page.close();
    }
    await context.close();
  }
}

const home = makeFolder();
const demo = await createDemo({
  ...thisMachine,
  write: async () => undefined,
  onProgress: () => undefined,
});
const service = createService(
  { home: demo.directory, host: '127.0.0.1', port: 0, allowedOrigins: [], demoOf: home },
  { now: () => new Date(), warn: () => undefined, loadWriters },
);
const browser = await launchBrowser();
try {
  mkdirSync(target, { recursive: true });
  await takePictures(browser, await service.run(), demo.key);
} finally {
  await browser.close();
  await service.stop();
  demo.remove();
  removeFolder(home);
}
