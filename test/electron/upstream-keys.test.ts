import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openUpstreamKeys, type SafeStorage } from '../../electron/mirror/encrypted-keys.ts';
import { createKeyActions } from '../../electron/mirror/mirror-key-actions.ts';
import type { Supervisor } from '../../electron/service/supervisor.ts';
import type { ActionName } from '../../server/actions/bridge.ts';
import { Problem, problem } from '../../server/base/errors.ts';
import { makeTestFolder } from '../support/home.ts';
import { expectMode } from '../support/place.ts';

const key = 'secret key of the club 4711';
const url = 'https://events.example';
const [home, otherHome] = ['/home/anna/events', '/media/stick/events'];

/** A key store of a system, with the prefix that its texts have under Chromium. */
function makeStorage(prefix = 'v11', backend = 'gnome_libsecret') {
  const swap = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  const storage = {
    shouldReEncrypt: false,
    getSelectedStorageBackend: () => backend as 'gnome_libsecret',
    encryptStringAsync: async (text: string) =>
      Buffer.concat([Buffer.from(prefix), swap(Buffer.from(text))]),
    decryptStringAsync: async (encrypted: Buffer) => ({
      shouldReEncrypt: storage.shouldReEncrypt,
      result: swap(encrypted.subarray(3)).toString(),
    }),
  };
  return storage;
}

const refuse = async () => {
  throw new Error('Error while decrypting the ciphertext.');
};

type OpenOptions = {
  readonly folder?: string;
  readonly storage?: SafeStorage;
  readonly platform?: NodeJS.Platform;
};

function open({ folder = makeTestFolder(), storage, platform = 'linux' }: OpenOptions = {}) {
  const reports: unknown[] = [];
  const file = join(folder, 'service-keys.json');
  const keys = openUpstreamKeys({
    file,
    storage: storage ?? makeStorage(),
    platform,
    report: (error) => reports.push(error),
    encryptWithinMs: 50,
  });
  const english = () => keys.notices().map((notice) => notice('en'));
  return { keys, reports, folder, file, english };
}

async function keepIn({ keys }: ReturnType<typeof open>, directory: string, source: number) {
  const mine = { source, url, key: `${key} ${directory} ${source}` };
  keys.keep(directory, mine, await keys.encrypt(mine.key));
  return mine;
}

describe('the keys of online services', () => {
  it('the keys of online services are stored encrypted, for the owner only, and read at the next start', async () => {
    const first = open();
    const mine = await keepIn(first, home, 1);
    const others = await keepIn(first, otherHome, 1);
    expectMode(first.file, 0o600);
    const text = readFileSync(first.file, 'utf8');
    const decoded = JSON.parse(text).keys.map((entry: { encrypted: string }) =>
      Buffer.from(entry.encrypted, 'base64').toString(),
    );
    for (const written of [text, ...decoded]) expect(written).not.toContain('4711');
    const { keys, english } = open({ folder: first.folder });
    expect([keys.has(home), keys.of(home)]).toEqual([true, []]);
    await keys.load(home);
    expect([keys.of(home), keys.of(otherHome)]).toEqual([[mine], []]);
    await keys.load(otherHome);
    expect(keys.of(otherHome)).toEqual([others]);
    expect([keys.keyStore(), english()]).toEqual(['system', []]);
  });

  it.each([
    ['without a key store', 'linux', makeStorage('v10', 'basic_text'), 'run'],
    ['whose key store does not run', 'linux', makeStorage('v10'), 'run'],
    ['of an unknown desktop with a key store', 'linux', makeStorage('v11', 'basic_text'), 'system'],
    ['with the Keychain', 'darwin', makeStorage('v10', 'none'), 'system'],
    ['of Windows', 'win32', makeStorage('v10', 'none'), 'system'],
  ] as const)(
    'are stored only if a system %s protects them',
    async (_, platform, storage, place) => {
      const opened = open({ platform, storage });
      const mine = await keepIn(opened, home, 1);
      expect(opened.keys.keyStore()).toBe(place);
      expect(opened.keys.of(home)).toEqual([mine]);
      const next = open({ folder: opened.folder, platform, storage });
      await next.keys.load(home);
      expect(next.keys.of(home)).toEqual(place === 'system' ? [mine] : []);
    },
  );

  it('the keys of online services are expected in memory on a desktop that Electron does not recognise', () => {
    const unknown = makeStorage('v10', 'basic_text');
    expect(open({ storage: unknown }).keys.keyStore()).toBe('run');
    expect(open({ storage: unknown, platform: 'win32' }).keys.keyStore()).toBe('system');
  });

  it.each([
    ['refuses', refuse],
    ['waits for the user', () => new Promise<never>(() => undefined)],
  ])(
    'the keys of online services stay in memory while the key store %s',
    async (_, encryptStringAsync) => {
      const opened = open({ storage: { ...makeStorage(), encryptStringAsync } });
      const mine = await keepIn(opened, home, 1);
      expect([opened.keys.keyStore(), opened.keys.of(home)]).toEqual(['run', [mine]]);
      expect(() => statSync(opened.file)).toThrow('ENOENT');
    },
  );

  it('the keys of online services that cannot be decrypted are named and stay stored', async () => {
    const first = open();
    const mine = await keepIn(first, home, 1);
    const before = readFileSync(first.file, 'utf8');
    const { folder } = first;
    const locked = open({ folder, storage: { ...makeStorage(), decryptStringAsync: refuse } });
    await locked.keys.load(home);
    expect([locked.keys.of(home), locked.reports.length]).toEqual([[], 1]);
    expect(locked.english()).toEqual([expect.stringContaining(`didn’t unlock the key of ${url}`)]);
    expect(readFileSync(first.file, 'utf8')).toBe(before);
    const again = await keepIn(locked, home, 1);
    expect([locked.keys.of(home), locked.english()]).toEqual([[again], []]);
    expect(again).toEqual(mine);
  });

  it('the keys of online services are encrypted again after the system changed its own key', async () => {
    const first = open();
    const mine = await keepIn(first, home, 1);
    const before = readFileSync(first.file, 'utf8');
    const storage = { ...makeStorage('v12') };
    const { keys } = open({
      folder: first.folder,
      storage: {
        ...storage,
        decryptStringAsync: async () => ({ shouldReEncrypt: true, result: mine.key }),
      },
    });
    await keys.load(home);
    expect(readFileSync(first.file, 'utf8')).not.toBe(before);
    const next = open({ folder: first.folder, storage });
    await next.keys.load(home);
    expect(next.keys.of(home)).toEqual([mine]);
  });

  it('the keys of online services are forgotten with their club, but not those of another data directory', async () => {
    const opened = open();
    const mine = await keepIn(opened, home, 1);
    await keepIn(opened, home, 2);
    const others = await keepIn(opened, otherHome, 2);
    opened.keys.retain(home, [1, 3]);
    expect([opened.keys.of(home), opened.keys.of(otherHome)]).toEqual([[mine], [others]]);
    const { keys } = open({ folder: opened.folder });
    await Promise.all([keys.load(home), keys.load(otherHome)]);
    expect([keys.of(home), keys.of(otherHome)]).toEqual([[mine], [others]]);
  });

  it('the keys of online services are not brought back by a key store that opens after they were removed', async () => {
    const first = open();
    await keepIn(first, home, 1);
    const storage = makeStorage();
    const opened = Promise.withResolvers<void>();
    const { keys } = open({
      folder: first.folder,
      storage: {
        ...storage,
        decryptStringAsync: (encrypted) =>
          opened.promise.then(() => storage.decryptStringAsync(encrypted)),
      },
    });
    const loading = keys.load(home);
    keys.retain(home, []);
    opened.resolve();
    await loading;
    expect([keys.of(home), keys.has(home)]).toEqual([[], false]);
  });

  it.each(['{"keys":[{"home":1}]}', '{"keys":', '[]'])(
    'start empty after a file with %j, which the next key replaces',
    async (text) => {
      const folder = makeTestFolder();
      writeFileSync(join(folder, 'service-keys.json'), text);
      const opened = open({ folder });
      expect(opened.english()).toEqual([expect.stringContaining('Enter the keys again')]);
      await keepIn(opened, home, 1);
      expect(opened.english()).toEqual([]);
    },
  );

  it('the keys of online services are known until the end of the program if the file cannot be written', async () => {
    const opened = open();
    mkdirSync(opened.file);
    const mine = await keepIn(opened, home, 1);
    expect(opened.keys.of(home)).toEqual([mine]);
    expect(opened.english()).toEqual([expect.stringContaining('known only until you quit')]);
  });
});

type Call = { readonly name: string; readonly args: unknown };

const noFiles = () => ({ files: [] });

/** Key actions over a service that answers from a table. */
function openActions(
  answers: Readonly<Record<string, (args: never) => unknown>>,
  options: OpenOptions = {},
) {
  const opened = open(options);
  const calls: Call[] = [];
  let directory = home;
  let changes = 0;
  const perform: Supervisor['perform'] = async (name, args) => {
    calls.push({ name, args });
    // Most tests have no published files.
    const answer = name === 'publish list' ? (answers[name] ?? noFiles) : answers[name];
    if (answer === undefined) throw new Error(`unexpected ${name}`);
    return answer(args as never);
  };
  const actions = createKeyActions({
    perform,
    keys: opened.keys,
    home: () => directory,
    onChange: () => {
      changes += 1;
    },
    report: (error) => opened.reports.push(error),
  });
  const run = (name: string, args: unknown) =>
    actions.perform(name as ActionName, args, {
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
  return {
    ...opened,
    actions,
    calls,
    run,
    changes: () => changes,
    moveTo(next: string) {
      directory = next;
    },
  };
}

const status = { source: 3, url, keyStore: 'system' };

describe('an action with a key of an online service', () => {
  it('gets the place of its key from the shell, and keeps the key once it has succeeded', async () => {
    const { run, calls, keys } = openActions({ 'mirror set': () => ({ status, added: 5 }) });
    const args = { user: 'Chess', url: `${url}/`, key: ` ${key}\n`, keyStore: 'file' };
    expect(await run('mirror set', args)).toEqual({ status, added: 5 });
    expect(calls).toEqual([{ name: 'mirror set', args: { ...args, key, keyStore: 'system' } }]);
    expect(keys.of(home)).toEqual([{ source: 3, url, key }]);
  });

  it('says so if its key is kept for this run only', async () => {
    const storage = makeStorage('v10', 'basic_text');
    const answers = { 'mirror set': () => ({ status }) };
    const { run, calls, keys, file } = openActions(answers, { storage });
    await run('mirror set', { user: 'Chess', url, key });
    expect(calls[0]?.args).toMatchObject({ keyStore: 'run' });
    expect([keys.keyStore(), keys.of(home)]).toEqual(['run', [{ source: 3, url, key }]]);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('keeps nothing if it fails', async () => {
    const { run, keys, reports } = openActions({
      'mirror set': () => {
        throw problem('cancelled');
      },
    });
    await expect(run('mirror set', { user: 'Chess', url, key })).rejects.toThrow(Problem);
    expect([keys.of(home), keys.has(home), reports]).toEqual([[], false, []]);
  });

  it('replaces the key of its club', async () => {
    const { run, keys, calls } = openActions({
      'mirror key change': () => ({ user: 'Chess', url, source: 3 }),
    });
    keys.keep(home, { source: 3, url, key: 'older' }, await keys.encrypt('older'));
    await run('mirror key change', { user: 'Chess', key });
    const args = { user: 'Chess', key, keyStore: 'system' };
    expect(calls).toEqual([{ name: 'mirror key change', args }]);
    expect(keys.of(home)).toEqual([{ source: 3, url, key }]);
  });

  it('an action with a key of an online service belongs to the data directory in which it began', async () => {
    const opened = openActions({
      'mirror set': () => {
        opened.moveTo(otherHome);
        return { status };
      },
    });
    await opened.run('mirror set', { user: 'Chess', url, key });
    expect([opened.keys.of(home).length, opened.keys.of(otherHome).length]).toEqual([1, 0]);
  });

  it('shows the place of keys by a trial, which keeps nothing', async () => {
    const storage = makeStorage('v10');
    const { run, keys, changes } = openActions(
      { 'mirror try': () => ({ events: 5 }) },
      { storage },
    );
    expect(keys.keyStore()).toBe('system');
    expect(await run('mirror try', { url, key })).toEqual({ events: 5 });
    await expect.poll(changes).toBe(1);
    expect([keys.keyStore(), keys.has(home)]).toEqual(['run', false]);
  });

  it.each([null, 'text', { user: 'Chess' }, { user: 'Chess', key: 5 }])(
    'passes wrong arguments such as %j on',
    async (args) => {
      const { run, calls } = openActions({ 'mirror set': () => ({ status }) });
      await run('mirror set', args);
      expect(calls).toEqual([{ name: 'mirror set', args }]);
    },
  );
});

describe('an action with the password of a web space', () => {
  const space = 'https://cloud.example/dates.ics';
  const file = (more: object = {}) => ({
    id: 2,
    target: { kind: 'web', url: space, account: 'maria' },
    keyStore: 'system',
    failure: null,
    ...more,
  });
  const password = 'secret password 4711';
  const refused = { problem: { code: 'publish_password_refused', values: {} } };

  it('keeps it beside the keys of online services, encrypted, unless the web space refuses it', async () => {
    const answers = {
      'publish add': () => file(),
      'publish password': ({ id }: { id: number }) => ({ files: [file({ id, failure: refused })] }),
      'publish try': () => ({ host: 'cloud.example' }),
      'publish remove': () => ({ id: 2 }),
      'mirror status': () => ({ mirrors: [] }),
    };
    const { run, calls, keys, file: stored } = openActions(answers);
    await run('publish add', { user: 'Chess', url: space, password });
    const args = { user: 'Chess', url: space, password, keyStore: 'system' };
    expect(calls).toEqual([{ name: 'publish add', args }]);
    expect(keys.of(home)).toEqual([{ source: -2, url: space, key: password }]);
    expect(readFileSync(stored, 'utf8')).not.toContain('4711');
    await run('publish password', { id: 2, password: 'wrong' });
    await run('publish try', { url: space, password: 'other' });
    expect(keys.of(home)).toEqual([{ source: -2, url: space, key: password }]);
    expect(calls.at(-1)?.args).toEqual({ url: space, password: 'other' });
    await run('publish remove', { id: 2 });
    expect(keys.of(home)).toEqual([]);
  });
});

describe.each(['mirror remove', 'user remove', 'restore'])('the action %j', (name) => {
  it('forgets keys whose club is gone', async () => {
    const { run, keys, file } = openActions({
      [name]: () => ({ user: 'Chess' }),
      'mirror status': () => ({ mirrors: [{ ...status, source: 4 }] }),
    });
    for (const source of [3, 4]) await keepIn({ keys } as ReturnType<typeof open>, home, source);
    await run(name, { user: 'Chess' });
    expect(keys.of(home)).toMatchObject([{ source: 4 }]);
    expect(JSON.parse(readFileSync(file, 'utf8')).keys).toMatchObject([{ source: 4 }]);
  });

  it('asks for nothing without keys', async () => {
    const { run, calls } = openActions({ [name]: () => ({ user: 'Chess' }) });
    await run(name, { user: 'Chess' });
    expect(calls.length).toBe(1);
  });
});

describe('the start of the service', () => {
  it('loads keys, and forgets those that another program removed or replaced', async () => {
    const first = open();
    for (const source of [3, 4, 5]) await keepIn(first, home, source);
    const { actions, keys, changes, reports } = openActions(
      {
        'mirror status': () => ({
          mirrors: [status, { ...status, source: 5, keyStore: 'file' }],
        }),
      },
      { folder: first.folder },
    );
    await actions.match();
    await expect.poll(() => keys.of(home)).toMatchObject([{ source: 3 }]);
    expect(changes()).toBeGreaterThan(1);
    expect(reports).toEqual([]);
  });

  it('forgets no key of another data directory that is chosen meanwhile', async () => {
    const first = open();
    await keepIn(first, home, 3);
    const opened = openActions(
      {
        'mirror status': async () => {
          await delay(10);
          opened.moveTo(otherHome);
          return { mirrors: [] };
        },
      },
      { folder: first.folder },
    );
    await opened.actions.match();
    expect(opened.keys.has(home)).toBe(true);
  });

  it('keeps the key of a club that is connected meanwhile', async () => {
    const first = open();
    await keepIn(first, home, 4);
    const mirrors = [{ ...status, source: 4 }];
    const opened = openActions(
      {
        'mirror set': () => ({ status }),
        'mirror status': async () => {
          const found = { mirrors: [...mirrors] };
          if (mirrors.length === 1) {
            mirrors.push(status);
            await opened.run('mirror set', { user: 'Chess', url, key });
          }
          return found;
        },
      },
      { folder: first.folder },
    );
    await opened.actions.match();
    expect(opened.keys.of(home)).toContainEqual({ source: 3, url, key });
  });

  it.each([
    ['keeps all keys if the service stops', problem('cancelled'), 0],
    ['reports a fault', new Error('a bug'), 1],
  ])('the start of the service %s', async (_, error, faults) => {
    const first = open();
    await keepIn(first, home, 3);
    const { actions, keys, reports } = openActions(
      {
        'mirror status': () => {
          throw error;
        },
      },
      { folder: first.folder },
    );
    await actions.match();
    expect([keys.has(home), reports.length]).toEqual([true, faults]);
  });
});
