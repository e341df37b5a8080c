import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { latestVersion } from '../../db/open.ts';
import { builtDesktop } from '../../electron/packaging/build.ts';
import { startInProcess } from '../../electron/service/start.ts';
import {
  createSupervisor,
  type ServiceStatus,
  type ServiceTarget,
  type Supervisor,
  type SupervisorOptions,
} from '../../electron/service/supervisor.ts';
import { portCount } from '../../electron/settings/desktop-settings.ts';
import { homeAt } from '../../server/base/home.ts';
import { loadWriters } from '../../server/export/list-writers.ts';
import { createWindowKeys } from '../../server/http/window-keys.ts';
import { createService } from '../../server/service/service.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { patience } from '../support/patience.ts';
import { mountSmall, requirePlace } from '../support/place.ts';
import { findFreePort } from '../support/port.ts';
import { fetchWithKey } from '../support/service.ts';
import { UtilityProcess } from './fake/electron/utility-process.ts';

// The built one starts in half the time of the sources.
const serviceMain = join(builtDesktop, 'electron/service/service-main.js');
const windowSecret = 'a secret of the tests';

type Supervised = {
  readonly supervisor: Supervisor;
  readonly statuses: ServiceStatus[];
  readonly children: Electron.UtilityProcess[];
  readonly reports: unknown[];
  /** Waits for a status of a kind. */
  reach<Kind extends ServiceStatus['kind']>(
    kind: Kind,
  ): Promise<Extract<ServiceStatus, { kind: Kind }>>;
};

type SuperviseOptions = Partial<SupervisorOptions> & {
  /** The program of the process. */
  readonly program?: string;
};

/** Supervises a service in real processes for the running test. */
function supervise(
  target: ServiceTarget,
  { program = serviceMain, ...more }: SuperviseOptions = {},
): Supervised {
  const statuses: ServiceStatus[] = [];
  const children: Electron.UtilityProcess[] = [];
  const reports: unknown[] = [];
  const waiting = new Set<() => void>();
  const supervisor = createSupervisor({
    target: () => target,
    windowSecret,
    configuration: () => ({ syncMinutes: null, upstreamKeys: [] }),
    warn: (sentence) => reports.push(sentence),
    report: (error) => reports.push(error),
    onChange: () => {
      statuses.push(supervisor.status());
      for (const check of waiting) check();
    },
    fork: () => {
      const child = UtilityProcess.fork(program, [], { stdio: ['ignore', 'inherit', 'pipe'] });
      children.push(child);
      return child;
    },
    restartAfter: [0, 50],
    ...more,
  });
  onTestFinished(() => supervisor.stop());
  supervisor.run();
  const reach: Supervised['reach'] = (kind) =>
    new Promise((resolve) => {
      const check = () => {
        const status = supervisor.status();
        if (status.kind !== kind) return;
        waiting.delete(check);
        resolve(status as never);
      };
      waiting.add(check);
      check();
    });
  return { supervisor, statuses, children, reports, reach };
}

/** Starts another program's server for the running test; undefined if the port is taken. */
async function occupy(port: number): Promise<Server | undefined> {
  const server = createServer((_request, response) => response.end('another program'));
  const done = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (done) onTestFinished(() => void server.close());
  return done ? server : undefined;
}

/** Kills a process and waits for its end. */
async function crash(child: Electron.UtilityProcess | undefined): Promise<void> {
  if (child?.pid === undefined) throw new Error('There is no process.');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(child.pid, 'SIGKILL');
  await ended;
}

async function targetAt(home: string, more: Partial<ServiceTarget> = {}): Promise<ServiceTarget> {
  return { home, mustExist: false, port: await findFreePort(portCount), ...more };
}

describe('the supervisor of the service', () => {
  it('serves on its port, accepts keys of the window, and moves its registration', async () => {
    const [home, other] = [makeTestHome(), makeTestHome()];
    const { userId, key } = await addMember(home, 'Chess', [makeEvent(1)]);
    const target = await targetAt(home.directory);
    const { supervisor, reach, children } = supervise(target);
    const service = await reach('running');
    expect(service.port).toBe(target.port);
    expect(JSON.parse(readFileSync(home.registration, 'utf8'))).toMatchObject({
      baseUrl: service.baseUrl,
      pid: children[0]?.pid,
    });
    expect(await supervisor.listUsers()).toMatchObject({ users: [{ name: 'Chess' }] });
    const windowKey = createWindowKeys(windowSecret).keyFor(userId);
    for (const each of [key, windowKey]) {
      expect((await fetchWithKey(service, '/v1/events/1', each)).status).toBe(200);
    }
    const elsewhere = await targetAt(other.directory);
    supervisor.moveTo(elsewhere);
    const moved = await reach('running');
    expect(moved.port).toBe(elsewhere.port);
    expect([existsSync(home.registration), existsSync(other.registration)]).toEqual([false, true]);
    await supervisor.stop();
    expect(existsSync(other.registration)).toBe(false);
    for (const { baseUrl } of [service, moved]) {
      await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
    }
  });

  it('removes its registration when it stops while it is still starting', async () => {
    const { directory, registration } = makeTestHome();
    const { supervisor, children, statuses } = supervise(await targetAt(directory), {
      startingStopMs: patience,
    });
    await expect.poll(() => children[0]?.pid).toBeDefined();
    // Blocks this process, so that the result of the start is still unread.
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const deadline = performance.now() + patience;
    while (!existsSync(registration) && performance.now() < deadline) Atomics.wait(pause, 0, 0, 5);
    expect(existsSync(registration)).toBe(true);
    expect(statuses.map(({ kind }) => kind)).not.toContain('running');
    await supervisor.stop();
    expect(existsSync(registration)).toBe(false);
  });

  it('uses the next port if its own is taken, and the same one after a crash', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    const target = await targetAt(home.directory);
    const other = await occupy(target.port);
    const { reach, children, statuses, reports } = supervise(target);
    const moved = { port: target.port + 1 };
    const { baseUrl } = await reach('running');
    expect(await reach('running')).toMatchObject(moved);
    const answer = await fetch(`http://127.0.0.1:${target.port}/`);
    expect(await answer.text()).toBe('another program');
    // Scripts know this port, although the configured one has become free.
    await new Promise((resolve) => other?.close(resolve));
    await crash(children[0]);
    await reach('starting');
    expect(await reach('running')).toMatchObject(moved);
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    expect(statuses.map(({ kind }) => kind)).toEqual(['running', 'starting', 'running']);
    expect(reports).toEqual([
      // On Windows, a process that is killed ends with 1.
      expect.objectContaining({ stack: expect.stringMatching(/code [19]\b/) }),
    ]);
    const { pid, others } = JSON.parse(readFileSync(home.registration, 'utf8'));
    expect([pid, others]).toEqual([children[1]?.pid, []]);
  });

  it('reports the output of a process that crashes', async () => {
    const { reach, reports } = supervise(await targetAt(makeTestHome().directory), {
      program: writeProgram("throw new Error('a native fault');"),
      restartAfter: [3_600_000],
    });
    expect(await reach('stopped')).toMatchObject({ problem: { kind: 'fault' } });
    expect(String(reports)).toContain('a native fault');
  });

  it('the supervisor of the service waits for its port while the system releases it', async () => {
    const port = await findFreePort(portCount);
    const other = await occupy(port);
    setTimeout(() => other?.close(), 500);
    const home = makeTestHome().directory;
    const request = { home, mustExist: false, ports: [port, port + 1], windowSecret };
    const { result, service } = await startInProcess(
      { ...request, portPatienceMs: 5_000 },
      () => undefined,
    );
    await service?.stop();
    expect(result).toEqual({ kind: 'running', baseUrl: `http://127.0.0.1:${port}` });
  });

  it('rejects an import when the process crashes, and saves none of it', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
    const file = join(makeTestFolder(), 'long.csv');
    writeFileSync(file, `name,date\n${'Training,2099-05-01\n'.repeat(100_000)}`);
    const { supervisor, reach, children } = supervise(await targetAt(home.directory));
    const { baseUrl } = await reach('running');
    const options = {
      onProgress: ({ rows }: { rows: number }) => {
        if (rows > 1_000) void crash(children[0]).catch(() => undefined);
      },
      signal: new AbortController().signal,
    };
    const args = { user: 'Chess', files: [file], timeZone: 'UTC' };
    await expect(supervisor.perform('import', args, options)).rejects.toMatchObject({
      code: 'service_stopped_in_import',
    });
    // The next action waits for the restart.
    const history = supervisor.perform('history', { user: 'Chess' }, options);
    await expect(history).resolves.toMatchObject({ history: [{ source: 'test' }] });
    const service = await reach('running');
    expect(service.baseUrl).toBe(baseUrl);
    const answer = await fetchWithKey(service, '/v1/events', key);
    expect(answer.headers.get('total-count')).toBe('1');
  });

  it('passes on the error of an action, and waits for an import before moving to another port', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const file = join(makeTestFolder(), 'season.csv');
    writeFileSync(file, `name,date\n${'Training,2099-05-01\n'.repeat(5_000)}`);
    const target = await targetAt(home.directory);
    const { supervisor, reach } = supervise(target);
    const options = { onProgress: () => undefined, signal: new AbortController().signal };
    await expect(supervisor.perform('undo', { id: 5 }, options)).rejects.toMatchObject({
      code: 'import_unknown',
      values: { id: 5 },
    });
    const args = { user: 'Chess', files: [file], timeZone: 'UTC' };
    const cancelled = { ...options, signal: AbortSignal.abort() };
    await expect(supervisor.perform('import', args, cancelled)).rejects.toMatchObject({
      code: 'cancelled',
    });
    let isMoving = false;
    const onProgress = () => {
      if (!isMoving) supervisor.moveTo({ ...target, port: target.port + 5 });
      isMoving = true;
    };
    const importing = supervisor.perform('import', args, { ...options, onProgress });
    await expect(importing).resolves.toMatchObject({ added: 5_000 });
    expect(isMoving).toBe(true);
    expect(await reach('running')).toMatchObject({ port: target.port + 5 });
  });

  it('restarts a service that does not answer several times in a row', async () => {
    const answers = [true, false, true, false, false, false];
    const { reach, children } = supervise(await targetAt(makeTestHome().directory), {
      program: writeProgram(starting),
      probe: async () => answers.shift() ?? true,
      probeEvery: 5,
    });
    await reach('running');
    await reach('starting');
    await reach('running');
    expect(children).toHaveLength(2);
  });

  it('stops while all ten ports are taken, and runs once one is free', {
    tags: 'long',
  }, async () => {
    const target = await targetAt(makeTestHome().directory);
    const others: (Server | undefined)[] = [];
    for (let port = target.port; port < target.port + portCount; port += 1) {
      others.push(await occupy(port));
    }
    const { reach, statuses } = supervise(target);
    expect(await reach('stopped')).toEqual({ kind: 'stopped', problem: { kind: 'taken' } });
    await new Promise((resolve) => others[3]?.close(resolve));
    expect(await reach('running')).toMatchObject({ port: target.port + 3 });
    // Once, not at each attempt.
    expect(statuses.map(({ kind }) => kind)).toEqual(['stopped', 'running']);
  });
});

describe('a port that the system reserves', () => {
  /** Makes a port fail with EACCES for the running test, as on Windows. */
  function reserve(port: number): void {
    const listen = NetServer.prototype.listen;
    const refusal = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
    vi.spyOn(NetServer.prototype, 'listen').mockImplementation(function (this: NetServer, ...args) {
      const [listenOptions] = args as unknown as readonly [{ readonly port?: number }];
      if (listenOptions.port !== port) return Reflect.apply(listen, this, args);
      process.nextTick(() => this.emit('error', refusal));
      return this;
    });
    onTestFinished(() => void vi.restoreAllMocks());
  }

  it('a port that the system reserves is skipped', async () => {
    const port = await findFreePort(portCount);
    reserve(port);
    const home = makeTestHome().directory;
    const rest = { home, mustExist: false, portPatienceMs: 0, windowSecret };
    const { result, service } = await startInProcess(
      { ...rest, ports: [port, port + 1] },
      () => undefined,
    );
    await service?.stop();
    expect(result).toEqual({ kind: 'running', baseUrl: `http://127.0.0.1:${port + 1}` });
    const tools = { now: () => new Date(), warn: () => undefined, loadWriters };
    const settings = { home, host: '127.0.0.1', port, allowedOrigins: [] };
    await expect(createService(settings, tools).run()).rejects.toMatchObject({
      code: 'port_reserved',
      values: { host: '127.0.0.1', port },
    });
    const alone = await startInProcess({ ...rest, ports: [port] }, () => undefined);
    expect(alone.result).toEqual({ kind: 'stopped', problem: { kind: 'taken' } });
  });
});

/** A service process that only reports its start. */
const starting = `process.parentPort.on('message', ({ data: { kind, id, args } }) => {
  if (kind === 'stop') process.exit();
  if (kind !== 'call') return;
  const baseUrl = 'http://127.0.0.1:' + args.ports[0];
  process.parentPort.postMessage({ kind: 'result', id, value: { kind: 'running', baseUrl } });
});`;

/** A service process that never answers. */
const silent = 'process.parentPort.on("message", () => undefined);';

function writeProgram(text: string): string {
  const path = join(makeTestFolder(), 'program.mjs');
  writeFileSync(path, text);
  return path;
}

describe('a data directory that hangs', { tags: 'long' }, () => {
  const unresponsive = { kind: 'stopped', problem: { kind: 'unresponsive' } };

  it('a data directory that hangs is reported, and blocks neither another folder nor the end', {
    tags: 'long',
  }, async (context) => {
    requirePlace(context, 'named pipes');
    const home = makeTestHome();
    mkdirSync(home.logs, { recursive: true });
    // The service waits for ever for its other end, inside a system call.
    execFileSync('mkfifo', [join(home.logs, 'service.log')]);
    const target = await targetAt(home.directory);
    const { supervisor, reach, children } = supervise(target, { startWithinMs: 2_000 });
    expect(await reach('stopped')).toEqual(unresponsive);
    supervisor.moveTo({ ...target, home: makeTestHome().directory });
    await reach('running');
    supervisor.moveTo(target);
    await reach('stopped');
    await supervisor.stop();
    expect(children.map(({ pid }) => pid).filter((pid) => pid !== undefined)).toEqual([]);
    // A slow machine needs more than one for the other folder.
    expect(children.length).toBeGreaterThanOrEqual(3);
  });

  it('a data directory that hangs is refused as a chosen folder', { tags: 'long' }, async () => {
    const folder = makeTestFolder();
    const target = await targetAt(makeTestHome().directory);
    const program = writeProgram(silent);
    const { supervisor: hanging } = supervise(target, { program, startWithinMs: 200 });
    await expect(hanging.prepareHome(folder)).rejects.toMatchObject({
      code: 'home_unresponsive',
    });
    const options = { program: writeProgram('process.exit(1);'), restartAfter: [3_600_000] };
    const { supervisor: crashing } = supervise(target, options);
    await expect(crashing.prepareHome(folder)).rejects.toMatchObject({
      code: 'service_stopped',
    });
    const { supervisor } = supervise(target);
    expect(await supervisor.prepareHome(folder)).toBe(folder);
  });

  it('a data directory that hangs is tried again in a new process', { tags: 'long' }, async () => {
    const program = writeProgram(silent);
    const { supervisor, reach, children } = supervise(await targetAt(makeTestHome().directory), {
      program,
      startWithinMs: 200,
    });
    expect(await reach('stopped')).toEqual(unresponsive);
    supervisor.retry();
    await reach('starting');
    expect(await reach('stopped')).toEqual(unresponsive);
    expect(children).toHaveLength(2);
    const options = { onProgress: () => undefined, signal: new AbortController().signal };
    await expect(supervisor.perform('user list', {}, options)).rejects.toMatchObject({
      code: 'service_not_running',
    });
  });
});

describe('a data directory that cannot be used', () => {
  /** Returns the problem with a data directory, without a service process. */
  async function problemWith(home: string, mustExist = false) {
    const request = { home, mustExist, ports: [0], portPatienceMs: 0, windowSecret };
    const { result } = await startInProcess(request, () => undefined);
    return result.kind === 'stopped' && result.problem;
  }

  it('a data directory that cannot be used is reported if it is below a file', async () => {
    const file = join(makeTestFolder(), 'file');
    writeFileSync(file, '');
    expect(await problemWith(join(file, 'home'))).toEqual({ kind: 'noFolder' });
  });

  it('a data directory that cannot be used is reported as missing, and not created, if its disk is not connected', async () => {
    const home = join(makeTestFolder(), 'stick', 'events');
    expect(await problemWith(home, true)).toEqual({ kind: 'missing' });
    expect(existsSync(home)).toBe(false);
  });

  it('a data directory that cannot be used is reported as on a full or read-only disk', async (context) => {
    const [full, fixed] = [mountSmall(context, 64), mountSmall(context, 64, 'ro')];
    expect(await problemWith(join(full.folder, 'home'))).toEqual({ kind: 'full' });
    for (const home of [fixed.folder, join(fixed.folder, 'home')]) {
      expect(await problemWith(home)).toEqual({ kind: 'readOnly' });
    }
  });

  it('a data directory that cannot be used is reported as newer', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const sqlite = new Database(home.database);
    sqlite.pragma(`user_version = ${latestVersion + 1}`);
    sqlite.close();
    expect(await problemWith(home.directory)).toEqual({ kind: 'newer' });
  });

  it('a data directory that cannot be used is reported as foreign, stays unchanged, and is examined by doctor alone', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    mkdirSync(home.directory);
    writeFileSync(home.database, 'Not a database. '.repeat(100));
    const target = await targetAt(home.directory);
    const { supervisor, reach } = supervise(target, { restartAfter: [3_600_000] });
    expect((await reach('stopped')).problem).toEqual({ kind: 'foreign' });
    const options = { onProgress: () => undefined, signal: new AbortController().signal };
    const { findings } = (await supervisor.perform('doctor', {}, options)) as {
      findings: { code: string }[];
    };
    const codes = findings.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['service_none', 'database_unusable']));
    await expect(supervisor.perform('check', {}, options)).rejects.toMatchObject({
      code: 'service_not_running',
    });
    expect(readFileSync(home.database, 'utf8')).toContain('Not a database.');
  });

  it('a data directory that cannot be used can be retried without a delay', {
    tags: 'long',
  }, async () => {
    const stick = join(makeTestFolder(), 'stick');
    const target = await targetAt(stick, { mustExist: true });
    const { supervisor, reach } = supervise(target, { restartAfter: [3_600_000] });
    await reach('stopped');
    mkdirSync(stick);
    supervisor.retry();
    await reach('running');
    expect(existsSync(homeAt(stick).registration)).toBe(true);
  });
});
