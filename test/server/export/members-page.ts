import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { type HtmlOptions, writeHtml } from '../../../server/export/html.ts';
import { catalogues } from '../../../server/messages/messages.ts';
import { faultsOf } from '../../support/browser.ts';
import { testCopyFacts } from '../../support/events.ts';
import { makeTestFolder } from '../../support/home.ts';
import { now } from '../../support/ics.ts';
import { patience } from '../../support/patience.ts';

/** Writes a page for members of a club in Berlin, in English unless a test says otherwise. */
export function writePage(
  events: Iterable<StoredEvent>,
  { teams, ...more }: Partial<HtmlOptions> & Partial<Pick<HtmlOptions['copy'], 'teams'>> = {},
): string {
  const options = { club: 'TSV <Köln>', now, uidBase: '3f1c', timeZone: 'Europe/Berlin' };
  const asOf = (more.now ?? now).toISOString();
  const copy = { ...testCopyFacts, asOf, ...(teams && { teams }) };
  const local = { language: 'en-GB', words: catalogues.en, copy, usualLength: 120 };
  return [...writeHtml(events, { ...options, ...local, ...more })].join('');
}

export type FileOptions = BrowserContextOptions & {
  /** The time at which the page is opened. */
  readonly at?: Date;
  /** The query and the fragment of its address, such as `?board`. */
  readonly search?: string;
  /** True for a page whose clock the test moves. */
  readonly runs?: boolean;
  /** The fault that is expected. */
  readonly mayFail?: RegExp;
};

/** Opens a page from a file, for the running test, which fails if the page requests anything. */
export async function openFile(
  browser: Browser,
  html: string,
  { at = now, search = '', runs = false, mayFail, ...options }: FileOptions = {},
): Promise<Page> {
  const path = join(makeTestFolder(), 'season.html');
  writeFileSync(path, html);
  const context = await browser.newContext({
    locale: 'en-GB',
    // Differs from the club's, which counts.
    timezoneId: 'America/New_York',
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults = faultsOf(page, (origin) => origin === 'null');
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  onTestFinished(async () => {
    await context.close();
    expect(faults.filter((fault) => !mayFail?.test(fault))).toEqual([]);
  });
  if (runs) await page.clock.install({ time: at });
  else await page.clock.setFixedTime(at);
  await page.goto(`${pathToFileURL(path).href}${search}`);
  return page;
}
