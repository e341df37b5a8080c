import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Answer, Bridge, BridgeMessage, DesktopState } from '../../server/actions/bridge.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { addMember, makeEvent, makeTestFolder } from '../support/home.ts';
import { type Desktop, type DesktopOptions, launchDesktop } from './driver/desktop.ts';

/** Makes a data directory in a folder, with the club Chess and an event that the page shows. */
export async function makeClubHome(folder: string): Promise<Home> {
  const home = homeAt(join(folder, 'home'));
  await addMember(home, 'Chess', [makeEvent(1, { date: '2099-05-01T18:00:00.000Z' })]);
  return home;
}

/** Reads the base URL of the service of a data directory. */
export function baseUrlOf(home: Home): string {
  return JSON.parse(readFileSync(home.registration, 'utf8')).baseUrl;
}

export async function showsEvents(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Event 1/ }).waitFor();
}

/** Navigates the page to the events. */
export async function goToEvents({ page }: Desktop): Promise<void> {
  await page.evaluate(() => {
    location.hash = '';
  });
  await showsEvents(page);
}

/** Makes a call over the bridge in the page. */
export async function call<Name extends Exclude<keyof Bridge, 'listen' | 'takeDropped'>>(
  page: Page,
  name: Name,
  args: Parameters<Bridge[Name]>[0],
): Promise<Awaited<ReturnType<Bridge[Name]>>> {
  const answer = await page.evaluate(
    ({ of, given }) => {
      const { clubEvents } = globalThis as unknown as {
        clubEvents: Record<string, (args: unknown) => Promise<unknown>>;
      };
      return clubEvents[of]?.(given);
    },
    { of: name, given: args },
  );
  return answer as Awaited<ReturnType<Bridge[Name]>>;
}

export async function readState({ page }: Desktop): Promise<DesktopState> {
  const answer: Answer<DesktopState> = await call(page, 'readState', null);
  if (!answer.ok) throw new Error(answer.code);
  return answer.value;
}

/** Collects messages of the shell to the page. */
export async function listen(page: Page): Promise<() => Promise<readonly BridgeMessage[]>> {
  await page.evaluate(() => {
    const own = globalThis as unknown as { clubEvents: Bridge; messages: BridgeMessage[] };
    const messages: BridgeMessage[] = [];
    own.messages = messages;
    own.clubEvents.listen((message) => messages.push(message));
  });
  return () =>
    page.evaluate(() => (globalThis as unknown as { messages: BridgeMessage[] }).messages);
}

/** Returns the state of the window; undefined if there is none. */
export function windowOf(desktop: Desktop) {
  return desktop.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return (
      window && {
        visible: window.isVisible(),
        maximized: window.isMaximized(),
        bounds: window.getBounds(),
      }
    );
  });
}

export function closeWindow(desktop: Desktop): Promise<void> {
  return desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
}

export function hideWindow(desktop: Desktop): Promise<void> {
  return desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
}

/** Returns the arguments of all recorded calls of a kind. */
export async function callsOf(desktop: Desktop, kind: string): Promise<readonly unknown[]> {
  const calls = await desktop.calls();
  return calls.filter((each) => each.kind === kind).map(({ details }) => details);
}

/** Starts an import into Chess that takes some seconds, and waits for its first progress. */
export async function startLongImport(desktop: Desktop): Promise<void> {
  const file = join(makeTestFolder(), 'long.csv');
  writeFileSync(file, `name,date\n${'Training,2099-05-01\n'.repeat(300_000)}`);
  await desktop.answer('showOpenDialog', { filePaths: [file] });
  await desktop.page.evaluate(async () => {
    const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
    const chosen = await clubEvents.chooseFiles(null);
    const files = chosen.ok ? chosen.value.map(({ token }) => token) : [];
    await new Promise<void>((resolve) => {
      clubEvents.listen(({ kind }) => kind === 'progress' && resolve());
      const args = { user: 'Chess', files, timeZone: 'UTC' };
      const answer = clubEvents.perform({ job: 'long', name: 'import', args });
      void answer.then((value) => Reflect.set(globalThis, 'imported', value));
    });
  });
}

/** Starts the program of a desktop again and waits for its end. */
export async function startAgain(
  { userData }: Desktop,
  args: readonly string[],
  options: DesktopOptions = {},
): Promise<{ readonly status: number | string | null; readonly stderr: string }> {
  const rest = { opensWindow: false, driven: false };
  const other = await launchDesktop({ userData, args, ...rest, ...options });
  return { status: await other.ended, stderr: other.stderr() };
}

/** Starts another program's server on a port; returns a function that stops it. */
export async function occupy(port: number): Promise<() => void> {
  const server = createServer((_request, response) => response.end('another program'));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return () => void server.close();
}
