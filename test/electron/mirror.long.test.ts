import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { StoredEvent } from '../../db/model.ts';
import { performInBackground } from '../../server/actions/background.ts';
import type { ActionName, ActionResult, Answer } from '../../server/actions/bridge.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { addMember, createdAt, makeEvent, makeTestFolder } from '../support/home.ts';
import { expectMode } from '../support/place.ts';
import { serveUpstream } from '../support/upstream.ts';
import { serveWebSpace } from '../support/web-space.ts';
import { call, readState } from './club-desktop.ts';
import { type Desktop, type DesktopOptions, launchDesktop } from './driver/desktop.ts';
import type { Record } from './driver/record.ts';

const [key, otherKey] = ['upstream-key-4711', 'upstream-key-0815'];

async function startOnlineService() {
  const events = [1, 2, 3, 4, 5].map((id) => ({ ...makeEvent(id), id, createdAt }) as StoredEvent);
  return await serveUpstream({ events, keys: [key, otherKey] });
}

/** Makes a data directory with a club without events. */
async function makeEmptyClub(folder = makeTestFolder()): Promise<Home> {
  const home = homeAt(join(folder, 'home'));
  await addMember(home, 'Chess');
  return home;
}

/** Starts the desktop application and waits until its page can make calls. */
async function launch(options: DesktopOptions): Promise<Desktop> {
  const desktop = await launchDesktop(options);
  await desktop.page.waitForFunction('globalThis.clubEvents');
  return desktop;
}

let jobs = 0;

/** Performs an action in the page. */
async function perform<Name extends ActionName>(
  { page }: Desktop,
  name: Name,
  args: unknown,
): Promise<Answer<ActionResult<Name>>> {
  jobs += 1;
  const request = { job: `job ${jobs}`, name, args: args as never };
  return (await call(page, 'perform', request)) as Answer<ActionResult<Name>>;
}

function allowHost(desktop: Desktop): Promise<void> {
  return desktop.answer('showMessageBox', { button: 'Allow' });
}

const keysOf = ({ userData }: Desktop) => join(userData, 'service-keys.json');

function readEntries(desktop: Desktop): readonly unknown[] {
  return JSON.parse(readFileSync(keysOf(desktop), 'utf8')).keys;
}

/** Returns the files below folders that contain a text, also in base64. */
function filesWith(text: string, folders: readonly string[]): readonly string[] {
  const forms = [text, Buffer.from(text).toString('base64').slice(0, -4)];
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const content = readFileSync(path, 'latin1');
      return forms.some((form) => content.includes(form));
    });
}

function removeKeyStore(desktop: Desktop): Promise<void> {
  return desktop.evaluate(() => {
    (Reflect.get(globalThis, 'desktopRecord') as Record).hasKeyStore = false;
  });
}

/** Moves the last sync into the past; the next one is not due. */
function ageSync({ database }: Home): void {
  const db = new Database(database);
  const now = Date.now();
  db.prepare("UPDATE sources SET state = json_set(state, '$.attemptedAt', ?, '$.nextAt', ?)").run(
    now - 120_000,
    now + 600_000,
  );
  db.close();
}

it('stores the key of an online service and the password of a web space encrypted, and uses them at the next start', {
  tags: 'long',
}, async () => {
  const upstream = await startOnlineService();
  const { url, account, password, files } = await serveWebSpace();
  const home = await makeEmptyClub();
  const first = await launch({ home });
  const address = { url: upstream.baseUrl, key };
  await allowHost(first);
  expect(await perform(first, 'mirror try', address)).toMatchObject({ value: { events: 5 } });
  expect(existsSync(keysOf(first))).toBe(false);
  const connected = await perform(first, 'mirror set', { user: 'Chess', ...address });
  expect(connected).toMatchObject({
    ok: true,
    value: { status: { keyStore: 'system', isKeyMissing: false } },
  });
  expect((await readState(first)).keyStore).toBe('system');
  expectMode(keysOf(first), 0o600);
  expect(await perform(first, 'mirror sync', { user: 'Chess' })).toMatchObject({ ok: true });
  const file = { user: 'Chess', format: 'ics', url, account, password };
  await allowHost(first);
  expect(await perform(first, 'publish add', file)).toMatchObject({
    ok: true,
    value: { keyStore: 'system', state: 'current' },
  });
  const folders = [first.userData, home.directory];
  for (const secret of [key, password]) expect(filesWith(secret, folders)).toEqual([]);
  expect(first.stdout() + first.stderr()).not.toContain(key);
  expect(first.stdout() + first.stderr()).not.toContain(password);
  expect(await first.quit()).toBe(0);

  ageSync(home);
  const before = upstream.count('list');
  const second = await launch({ home, userData: first.userData });
  // The first look of the scheduler.
  await expect.poll(() => upstream.count('list')).toBe(before + 1);
  expect((await readState(second)).notices).toEqual([]);
  // The host of a stored mirror needs no confirmation.
  expect(await perform(second, 'mirror try', address)).toMatchObject({ value: { events: 5 } });
  expect(upstream.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(
    true,
  );
  const moved = { name: 'Chess', zone: 'America/New_York' };
  expect(await perform(second, 'user zone', moved)).toMatchObject({ ok: true });
  // The next look of the publisher.
  await expect.poll(() => String(files.get('/club/dates.ics'))).toContain('America/New_York');
  expect(readEntries(second).length).toBe(2);
  expect(await perform(second, 'user remove', { name: 'Chess' })).toMatchObject({ ok: true });
  expect(readEntries(second).length).toBe(1);
  expect(await perform(second, 'publish remove', { id: 1 })).toMatchObject({ ok: true });
  expect(readEntries(second)).toEqual([]);
  expect(filesWith(key, folders)).toEqual([]);
});

it('keeps the key in memory without a key store, and syncs with it after a crash and on waking', {
  tags: 'long',
}, async () => {
  const upstream = await startOnlineService();
  const home = await makeEmptyClub();
  const settings = { syncMinutes: null };
  const desktop = await launch({ home, settings, mayFail: /request to|ERR_/ });
  // The page loads its parts from the service, which is killed below.
  await desktop.page.getByLabel('The event in one line').waitFor();
  await removeKeyStore(desktop);
  expect((await readState(desktop)).keyStore).toBe('run');
  const address = { url: upstream.baseUrl, key };
  await allowHost(desktop);
  expect(await perform(desktop, 'mirror set', { user: 'Chess', ...address })).toMatchObject({
    value: { status: { keyStore: 'run', isKeyMissing: false } },
  });
  const service = JSON.parse(readFileSync(home.registration, 'utf8'));
  process.kill(service.pid, 'SIGKILL');
  await expect
    .poll(() => JSON.parse(readFileSync(home.registration, 'utf8')).pid)
    .not.toBe(service.pid);
  expect(await perform(desktop, 'mirror sync', { user: 'Chess' })).toMatchObject({ ok: true });
  expect(existsSync(keysOf(desktop))).toBe(false);

  const count = upstream.count('list');
  ageSync(home);
  const wake = () => desktop.evaluate(({ powerMonitor }) => void powerMonitor.emit('resume'));
  await wake();
  // The scheduler looks at once when the computer wakes.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(upstream.count('list')).toBe(count);
  await call(desktop.page, 'changeSettings', { syncMinutes: 60 });
  await wake();
  await expect.poll(() => upstream.count('list')).toBe(count + 1);

  // The command line has the key in a file.
  const change = { user: 'Chess', key: otherKey };
  await performInBackground('mirror key change', change, { home, onProgress: () => undefined });
  expect(await perform(desktop, 'mirror sync', { user: 'Chess' })).toMatchObject({ ok: true });
  expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${otherKey}`);
});

it('names the service of a key that the system cannot decrypt, and stores another key', {
  tags: 'long',
}, async () => {
  const upstream = await startOnlineService();
  const home = await makeEmptyClub();
  const set = { user: 'Chess', url: upstream.baseUrl, key, keyStore: 'system' };
  const options = { home, onProgress: () => undefined };
  const { status } = await performInBackground('mirror set', set, options);
  const userData = makeTestFolder();
  // Only the tests' own key store takes any bytes for a text.
  const { source, url } = status;
  const entry = { home: home.directory, source, url, encrypted: 'eHh4MTIz' };
  writeFileSync(join(userData, 'service-keys.json'), JSON.stringify({ keys: [entry] }), {
    mode: 0o600,
  });
  const desktop = await launch({ home, userData });
  const notices = async () => (await readState(desktop)).notices;
  await expect.poll(notices).toEqual([expect.stringContaining(upstream.baseUrl)]);
  expect(await perform(desktop, 'mirror status', {})).toMatchObject({
    value: { mirrors: [{ isKeyMissing: true }] },
  });
  expect(await perform(desktop, 'mirror sync', { user: 'Chess' })).toMatchObject({
    code: 'mirror_key_missing',
  });
  const changed = await perform(desktop, 'mirror key change', { user: 'Chess', key });
  expect(changed).toMatchObject({ ok: true });
  expect(await notices()).toEqual([]);
  expect(await perform(desktop, 'mirror status', {})).toMatchObject({
    value: { mirrors: [{ isKeyMissing: false, keyStore: 'system' }] },
  });
  expect(readEntries(desktop)).toMatchObject([{ home: home.directory, url: upstream.baseUrl }]);
  expect(await perform(desktop, 'mirror sync', { user: 'Chess' })).toMatchObject({ ok: true });
});

// In the short form, only upstream-keys.test.ts tests it.
it('keeps the keys of two data directories apart', async () => {
  const [one, other] = [await startOnlineService(), await startOnlineService()];
  const homes = [await makeEmptyClub(), await makeEmptyClub()] as const;
  const userData = join(makeTestFolder(), 'user data');
  for (const [index, upstream] of [one, other].entries()) {
    const home = homes[index] as Home;
    const desktop = await launch({ home, userData });
    const set = { user: 'Chess', url: upstream.baseUrl, key };
    await allowHost(desktop);
    expect(await perform(desktop, 'mirror set', set)).toMatchObject({ ok: true });
    expect(await desktop.quit()).toBe(0);
  }
  const desktop = await launch({ home: homes[0], userData });
  expect(await perform(desktop, 'mirror sync', {})).toMatchObject({ ok: true });
  expect(await perform(desktop, 'mirror remove', { user: 'Chess' })).toMatchObject({ ok: true });
  expect(readEntries(desktop)).toMatchObject([{ home: homes[1].directory, url: other.baseUrl }]);
});
