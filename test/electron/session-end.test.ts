import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeTestFolder } from '../support/home.ts';
import { makeClubHome, readState, showsEvents, startLongImport } from './club-desktop.ts';
import { type Desktop, launchDesktop } from './driver/desktop.ts';

/** Emits an event of the end of a session on Windows; returns the title of the window if it is held. */
function emit(desktop: Desktop, name: 'query-session-end' | 'session-end') {
  return desktop.evaluate(({ BrowserWindow }, event) => {
    const [window] = BrowserWindow.getAllWindows();
    let isHeld = false;
    window?.emit(event, { preventDefault: () => (isHeld = true), reasons: ['logoff'] });
    return isHeld ? window?.getTitle() : undefined;
  }, name);
}

it('holds the end of a session for an import, and names it at the next start if it was ended', {
  tags: 'long',
}, async () => {
  const home = await makeClubHome(makeTestFolder());
  const desktop = await launchDesktop({ home });
  const { userData } = desktop;
  await showsEvents(desktop.page);
  expect(await emit(desktop, 'query-session-end')).toBeUndefined();
  await startLongImport(desktop);
  expect(await emit(desktop, 'query-session-end')).toBe('Club Events – A task is still running');
  // The process may end before it answers.
  void emit(desktop, 'session-end').catch(() => undefined);
  expect(await desktop.ended).toBe(0);
  // The service was stopped, which takes some turns.
  expect(existsSync(home.registration)).toBe(false);

  const next = await launchDesktop({ home, userData, settings: { language: 'de' } });
  await next.page.getByRole('button', { name: /Event 1/ }).waitFor();
  const { notices } = await readState(next);
  expect(notices).toEqual([
    'Der Import von long.csv wurde unterbrochen; es wurde nichts geändert. Starten Sie ihn erneut.',
  ]);
  await next.page.getByText(notices[0] ?? '').waitFor();
  expect(await next.quit()).toBe(0);
  expect(existsSync(home.unfinished)).toBe(false);
});

it('restores the title of the window once the import is over', { tags: 'long' }, async () => {
  const home = await makeClubHome(makeTestFolder());
  const desktop = await launchDesktop({ home });
  await showsEvents(desktop.page);
  await startLongImport(desktop);
  await emit(desktop, 'query-session-end');
  await desktop.page.evaluate(() => {
    const { clubEvents } = globalThis as unknown as {
      clubEvents: { cancel(of: { job: string }): Promise<unknown> };
    };
    return clubEvents.cancel({ job: 'long' });
  });
  const title = () =>
    desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle());
  await expect.poll(title).not.toContain('running');
  // A person cancelled it, so there is nothing to say later.
  await expect.poll(() => existsSync(home.unfinished)).toBe(false);
});
