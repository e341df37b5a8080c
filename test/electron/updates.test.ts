import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createUpdates, type Updates, type UpdateTools } from '../../electron/updates/updates.ts';
import { makeTestFolder } from '../support/home.ts';
import { requirePlace } from '../support/place.ts';

const require = createRequire(import.meta.url);
const { DebUpdater } = require('electron-updater') as typeof import('electron-updater');
const { HttpExecutor } = require('builder-util-runtime') as {
  HttpExecutor: new () => object;
};

/** Electron's executor with Node's HTTP client. */
class NodeExecutor extends HttpExecutor {
  createRequest(options: http.RequestOptions, callback: (response: http.IncomingMessage) => void) {
    return http.request(options, callback);
  }

  // The same as in Electron's executor, whose parts are private.
  async download(url: URL, destination: string, options: DownloadOptions): Promise<unknown> {
    const own = this as unknown as {
      doDownload(request: object, download: object, redirects: number): void;
    };
    return await options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const { protocol, hostname, port } = url;
      const request = { protocol, hostname, port, path: url.pathname, redirect: 'manual' };
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination));
      own.doDownload(
        { ...request, headers: { ...options.headers } },
        { destination, options, onCancel, callback, responseHandler: null },
        0,
      );
    });
  }
}

type DownloadOptions = {
  readonly headers?: object;
  readonly cancellationToken: {
    createPromise(
      start: (
        resolve: (value: unknown) => void,
        reject: (error: Error) => void,
        onCancel: (cancel: () => void) => void,
      ) => void,
    ): Promise<unknown>;
  };
};

const installed = '1.2.3';
const content = Buffer.from('a package of the program');
const sha512 = createHash('sha512').update(content).digest('base64');

function describeUpdate(version: string, more = ''): string {
  return `version: ${version}\nfiles:\n  - url: club.deb\n    sha512: ${sha512}\n    size: ${content.length}\n${more}`;
}

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const send =
  (body: string | Buffer): Answer =>
  (_request, response) =>
    response.end(body);

/** Starts an update server with answers by path. */
async function serveUpdates(answers: Readonly<Record<string, Answer>>) {
  const requests: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    requests.push(path);
    headers.push(request.headers);
    const answer = answers[path];
    if (answer) return answer(request, response);
    response.statusCode = 404;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, headers };
}

type TestUpdates = {
  readonly updates: Updates;
  readonly folder: string;
  readonly reports: unknown[];
  readonly downloads: () => readonly string[];
};

/** Creates updates with electron-updater itself and an update server of the test. */
function createTestUpdates(
  url: string,
  more: Partial<UpdateTools> & { readonly folder?: string } = {},
): TestUpdates {
  const { folder = makeTestFolder(), ...tools } = more;
  const config = join(folder, 'app-update.yml');
  writeFileSync(config, `provider: generic\nurl: ${url}\nupdaterCacheDirName: cache\n`);
  const load = async (): Promise<AppUpdater> => {
    const updater = new DebUpdater(null, {
      version: installed,
      name: 'club-events',
      isPackaged: true,
      appUpdateConfigPath: config,
      userDataPath: folder,
      baseCachePath: folder,
      whenReady: async () => undefined,
      relaunch: () => undefined,
      quit: () => undefined,
      onQuit: () => undefined,
    });
    Object.assign(updater, { httpExecutor: new NodeExecutor() });
    return updater;
  };
  const reports: unknown[] = [];
  const updates = createUpdates({
    load,
    file: join(folder, 'updates.json'),
    version: installed,
    isEnabled: () => true,
    now: () => new Date(),
    onChange: () => undefined,
    report: (error) => reports.push(error),
    ...tools,
  });
  const pending = join(folder, 'cache', 'pending');
  const downloads = () => (existsSync(pending) ? readdirSync(pending) : []);
  return { updates, folder, reports, downloads };
}

const channel = '/latest-linux.yml';

describe('an update', () => {
  it('an update is downloaded when it is newer', async () => {
    const server = await serveUpdates({
      [channel]: send(describeUpdate('1.3.0')),
      '/club.deb': send(content),
    });
    const { updates, folder, reports } = createTestUpdates(server.url);
    expect(updates.state('en')).toEqual({ kind: 'unknown' });
    await updates.check();
    expect(reports).toEqual([]);
    expect(updates.state('en')).toEqual({ kind: 'ready', version: '1.3.0' });
    expect(readFileSync(join(folder, 'cache', 'pending', 'club.deb'))).toEqual(content);
    // Nothing identifies this installation.
    expect(server.headers.map((each) => each['x-user-staging-id'])).toEqual(['none', 'none']);
    await updates.check();
    expect(server.requests).toEqual([channel, '/club.deb']);
  });

  it.each(['1.2.3', '1.2.2', '0.9.0', '9.0.0-beta.1'])(
    'an update is not offered for version %s',
    async (version) => {
      const server = await serveUpdates({ [channel]: send(describeUpdate(version)) });
      const { updates } = createTestUpdates(server.url);
      await updates.check();
      expect(updates.state('en')).toEqual({ kind: 'current', checkedAt: expect.any(String) });
      expect(server.requests).toEqual([channel]);
    },
  );
});

const untrusted = { kind: 'failed', reason: expect.stringContaining('couldn’t be verified') };

describe('an update that electron-updater rejects', () => {
  it.each<readonly [string, Record<string, Answer>]>([
    ['description', { [channel]: send('<!doctype html><title>Sign in</title>') }],
    ['version', { [channel]: send(describeUpdate('latest')) }],
    ['checksum', { [channel]: send('version: 9.0.0\nfiles: [{url: club.deb}]\n') }],
    ['file', { [channel]: send('version: 9.0.0\n') }],
    [
      'SHA-512 of the file',
      { [channel]: send(describeUpdate('9.0.0')), '/club.deb': send('something else') },
    ],
  ])(
    'an update that electron-updater rejects is reported as untrusted without a valid %s',
    async (_name, answers) => {
      const server = await serveUpdates(answers);
      const { updates, downloads, reports } = createTestUpdates(server.url);
      await updates.check();
      expect(updates.state('en')).toEqual(untrusted);
      expect(reports).toHaveLength(1);
      expect(downloads()).toEqual([]);
    },
  );
});

describe('checking for updates', () => {
  const week = 7 * 24 * 3_600_000;

  it('checking for updates is unavailable in builds without an update server', async () => {
    const { updates } = createTestUpdates('http://127.0.0.1:9', { load: undefined });
    await updates.check();
    expect(updates.state('en')).toEqual({ kind: 'unavailable' });
  });

  it('reports an unreachable server in the language of the user after a manual check', {
    tags: 'long',
  }, async () => {
    const { updates } = createTestUpdates('http://127.0.0.1:9');
    await updates.check();
    expect(updates.state('de')).toEqual({
      kind: 'failed',
      reason: expect.stringContaining('nicht erreichbar'),
    });
  });

  it('ignores failures of automatic checks, and makes none when they are disabled', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const load = vi.fn(() => Promise.reject(new Error('no network')));
    let isEnabled = false;
    const { updates, reports } = createTestUpdates('', { load, isEnabled: () => isEnabled });
    updates.run();
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    expect(load).not.toHaveBeenCalled();
    isEnabled = true;
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(load).toHaveBeenCalledTimes(1);
    expect(reports).toHaveLength(1);
    expect(updates.state('en')).toEqual({ kind: 'unknown' });
    // The next day, not the next hour.
    await vi.advanceTimersByTimeAsync(12 * 3_600_000);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(13 * 3_600_000);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('reports a server that never answers as unreachable after a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const silent = { checkForUpdates: () => Promise.race([]) } as unknown as AppUpdater;
    const { updates } = createTestUpdates('', { load: async () => silent });
    const check = updates.check();
    await vi.advanceTimersByTimeAsync(61_000);
    await check;
    expect(updates.state('en')).toMatchObject({ kind: 'failed' });
  });

  it('checks a minute after the start, then every week', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let checks = 0;
    const updater = {
      checkForUpdates: async () => {
        checks += 1;
        return { isUpdateAvailable: false, updateInfo: { version: installed } };
      },
    } as unknown as AppUpdater;
    const { updates } = createTestUpdates('', { load: async () => updater });
    updates.run();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(checks).toBe(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(checks).toBe(1);
    await vi.advanceTimersByTimeAsync(week - 2 * 3_600_000);
    expect(checks).toBe(1);
    await vi.advanceTimersByTimeAsync(3 * 3_600_000);
    expect(checks).toBe(2);
    expect(updates.state('en')).toMatchObject({ kind: 'current' });
  });
});

describe('an update on macOS', () => {
  /** Creates updates with a fake updater and a fake Squirrel. */
  function createNativeUpdates(answer: (native: EventEmitter) => void) {
    const native = new EventEmitter();
    const updater = {
      checkForUpdates: async () => ({
        isUpdateAvailable: true,
        updateInfo: { version: '1.3.0' },
      }),
      downloadUpdate: async () => {
        setImmediate(answer, native);
        return [];
      },
    } as unknown as AppUpdater;
    return createTestUpdates('', { load: async () => updater, loadNative: async () => native });
  }

  it('an update on macOS is ready once Squirrel has accepted it', async () => {
    const { updates } = createNativeUpdates((native) => native.emit('update-downloaded'));
    await updates.check();
    expect(updates.state('en')).toEqual({ kind: 'ready', version: '1.3.0' });
  });

  it('an update on macOS is unavailable to an unsigned program', async () => {
    const error = new Error('Could not get code signature for running application');
    const { updates, reports } = createNativeUpdates((native) => native.emit('error', error));
    await updates.check();
    expect(updates.state('en')).toEqual({ kind: 'unavailable' });
    expect(reports).toEqual([error]);
    await updates.check();
    expect(reports).toHaveLength(1);
  });
});

describe('an AppImage', () => {
  it('an AppImage is not replaced without free space for the new file', async (context) => {
    requirePlace(context, 'a disk without a free block');
    const server = await serveUpdates({
      [channel]: send(describeUpdate('1.3.0')),
      '/club.deb': send(content),
    });
    // A file system without a free block.
    const { updates } = createTestUpdates(server.url, { appImage: '/proc/club-events.AppImage' });
    await updates.check();
    expect(updates.state('en')).toEqual({
      kind: 'failed',
      reason: expect.stringContaining('enough space'),
    });
  });
});

describe('an update that is installed', () => {
  async function install(quitAndInstall: (updater: EventEmitter) => void) {
    const updater = Object.assign(new EventEmitter(), {
      checkForUpdates: async () => ({ isUpdateAvailable: true, updateInfo: { version: '2.0.0' } }),
      downloadUpdate: async () => [],
      quitAndInstall: () => quitAndInstall(updater),
    });
    const load = async () => updater as unknown as AppUpdater;
    const { updates, reports, folder } = createTestUpdates('', { load });
    expect(updates.failedVersion).toBeUndefined();
    await updates.check();
    const onFailure = vi.fn();
    updates.install(onFailure);
    return { onFailure, reports, folder };
  }

  it('calls back once when the installation fails', async () => {
    const error = new Error('refused');
    const { onFailure, reports } = await install((updater) => {
      setImmediate(() => updater.emit('error', error));
    });
    expect(onFailure).not.toHaveBeenCalled();
    await expect.poll(() => onFailure.mock.calls.length).toBe(1);
    expect(reports).toEqual([error]);
  });

  it('an update that is installed is reported once at the next start if the old version still runs', async () => {
    const { folder } = await install(() => undefined);
    const start = (version: string) => createTestUpdates('', { folder, version }).updates;
    expect(start(installed).failedVersion).toBe('2.0.0');
    expect(start(installed).failedVersion).toBeUndefined();
  });

  it('an update that is installed is not reported at the next start once the new version runs', async () => {
    const { folder } = await install(() => undefined);
    expect(createTestUpdates('', { folder, version: '2.0.0' }).updates.failedVersion).toBe(
      undefined,
    );
  });

  it('an update that is installed waits for the program to end only after an installer has returned', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    // A person types the password of a deb for half a minute.
    const { onFailure } = await install(() => void vi.advanceTimersByTime(30_000));
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('calls back when the program has not ended in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { onFailure } = await install(() => undefined);
    await vi.advanceTimersByTimeAsync(14_000);
    expect(onFailure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(onFailure).toHaveBeenCalledTimes(1);
  });
});
