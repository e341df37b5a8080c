import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testBrowser } from '../../support/browser.ts';
import { callCommand, startServe } from '../../support/command.ts';
import { openDesktopPage } from '../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { printFigure } from '../../support/print.ts';
import { serveWebSpace } from '../../support/web-space.ts';

const browser = testBrowser();

/** The longest time that a cancellation may take to reach members, in milliseconds. */
const longest = 60_000;

it('a cancellation in the window is in the file, the web space and the page within a minute', async () => {
  const home = makeTestHome();
  const match = { name: 'Rovers v City', date: '2031-11-28T13:00:00.000Z' };
  await addMember(home, 'Rovers', [makeEvent(1, match)]);
  const call = (args: readonly string[], input?: string) =>
    callCommand(['--home', home.directory, ...args], input);
  const output = join(makeTestFolder(), 'dates.ics');
  const space = await serveWebSpace();
  space.isPublic = true;
  space.headers = { 'content-type': 'text/html; charset=utf-8' };
  const user = ['--user', 'Rovers'];
  const page = space.url.replace('dates.ics', 'dates.html');
  const web = [...user, '--account', space.account];
  const added = [
    await call(['publish', 'add', ...user, '--to', output]),
    await call(['publish', 'add', ...web, '--dav', space.url], space.password),
    await call(['publish', 'add', ...web, '--dav', page], space.password),
  ];
  expect(added.map(({ status }) => status)).toEqual([0, 0, 0]);
  await startServe(['--home', home.directory, '--port', '0']);
  const member = await browser.current.newPage();
  await member.goto(page);
  await member.getByText('Rovers v City').first().waitFor();

  const { page: window } = await openDesktopPage(browser.current, home, { fragment: '#event=1' });
  await window.getByRole('button', { name: 'Cancel event' }).click();
  await window.getByRole('button', { name: 'Cancel event' }).click();
  await window.locator('.panel').getByText('Cancelled').first().waitFor();
  const cancelled = performance.now();
  const calendar = /^SUMMARY:Cancelled: Rovers v City/m;
  const ways: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
    file: () => calendar.test(readFileSync(output, 'utf8')),
    'web space': () => calendar.test(String(space.files.get('/club/dates.ics'))),
    page: () => member.reload().then(() => member.getByText('Cancelled').first().isVisible()),
  };
  for (const [way, hasArrived] of Object.entries(ways)) {
    const left = longest - (performance.now() - cancelled);
    await expect.poll(hasArrived, { message: way, timeout: left, interval: 250 }).toBe(true);
    printFigure(`${way}: ${((performance.now() - cancelled) / 1_000).toFixed(1)} s`);
  }
  await member.close();
});
