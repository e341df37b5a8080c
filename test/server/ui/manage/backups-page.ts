import { rmSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { createBackup } from '../../../../server/store/backup-files.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { addEvents, addMember, makeEvent } from '../../../support/home.ts';
import { fetchWithKey } from '../../../support/service.ts';

const future = (name: string, id: number) =>
  makeEvent(id, { name, date: '2099-05-01T18:00:00.000Z' });

const dayMs = 24 * 60 * 60 * 1_000;
/** Returns the moment some days ago. */
export const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

/** Opens one window of a club with an event, for tests of its backups. */
export function shareBackups(browser: { readonly current: Browser }) {
  let chess: { readonly userId: number; readonly key: string };
  const desktop = shareDesktop(browser, async (home) => {
    chess = await addMember(home, 'Chess', [future('Summer party', 1)]);
  });
  return {
    /** Opens the start page of a home with backups from some days ago, and nothing else. */
    async showStart(...ages: readonly number[]) {
      const { home } = desktop;
      rmSync(home.backups, { recursive: true, force: true });
      const oldestFirst = ages.toSorted((left, right) => right - left);
      for (const age of oldestFirst) createBackup(home, 'daily', daysAgo(age));
      const shown = await desktop.show();
      await shown.page.getByRole('button', { name: /^Summer party/ }).waitFor();
      return shown;
    },
    /** Adds an event that no earlier backup has, and waits until the page shows it. */
    async addLater(page: Page, name: string, id: number): Promise<void> {
      await addEvents(desktop.home, chess.userId, [future(name, id)]);
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor();
    },
    /** Returns the names of the events that a service has. */
    async namesOf(service: { readonly port: number }): Promise<string[]> {
      const answer = await fetchWithKey(service, '/v1/events', chess.key);
      const { events } = (await answer.json()) as { events: { name: string }[] };
      return events.map(({ name }) => name).toSorted();
    },
  };
}
