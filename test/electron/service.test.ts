import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { latestVersion } from '../../db/schema.ts';
import { builtDesktop } from '../../electron/packaging/build.ts';
import {
  createSupervisor,
  type ServiceStatus,
  type ServiceTarget,
  type Supervisor,
  type SupervisorOptions,
} from '../../electron/service.ts';
import { startOn } from '../../electron/service-start.ts';
import { portsTried } from '../../electron/settings.ts';
import { homeAt } from '../../server/home.ts';
import { startService } from '../../server/main.ts';
import { createWindowKeys } from '../../server/window-keys.ts';
import { mountSmall } from '../support/disk.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { fetchWithKey } from '../support/service.ts';
import { UtilityProcess } from './stand-in/double/utility-process.ts';

// As built: it starts, and its workers do, in half the time of the sources.
const serviceMain = join(builtDesktop, 'electron/service-main.js');
const windowSecret = 'a secret of the tests';

type Supervised = {
  readonly supervisor: Supervisor;
  /** Every status so far, by its kind. */
  readonly statuses: ServiceStatus[];
  /** The processes so far, the last one last. */
  readonly children: Electron.UtilityProcess[];
  readonly reports: unknown[];
  /** The next status of a kind. */
  reach<Kind extends ServiceStatus['kind']>(
    kind: Kind,
  ): Promise<Extract<ServiceStatus, { kind: Kind }>>;
};

type SuperviseOptions = Partial<SupervisorOptions> & {
  /** The program of the process. */
  readonly program?: string;
};

/** Supervises a service for the running test, in real processes. */
function supervise(
  target: ServiceTarget,
  { program = serviceMain, ...more }: SuperviseOptions = {},
): Supervised {
  const statuses: ServiceStatus[] = [];
  const children: Electron.UtilityProcess[] = [];
  const reports: unknown[] = [];
  const waiting = new Set<() => void>();
  const supervisor = createSupervisor({
    windowSecret,
    warn: (sentence) => reports.push(sentence),
    report: (error) => reports.push(error),
    onChange: () => {
      statuses.push(supervisor.status());
      for (const look of waiting) look();
    },
    fork: () => {
      const child = UtilityProcess.fork(program, [], { stdio: ['ignore', 'inherit', 'pipe'] });
      children.push(child);
      return child;
    },
    restartAfter: [0, 50],
    ...more,
  });
  onTestFinished(() => supervisor.close());
  supervisor.serve(target);
  const reach: Supervised['reach'] = (kind) =>
    new Promise((resolve) => {
      const look = () => {
        const status = supervisor.status();
        if (status.kind !== kind) return;
        waiting.delete(look);
        resolve(status as never);
      };
      waiting.add(look);
      look();
    });
  return { supervisor, statuses, children, reports, reach };
}

/** A server of another program, for the running test; undefined where the port is taken already. */
async function occupy(port: number): Promise<Server | undefined> {
  const server = createServer((_request, response) => response.end('another program'));
  const done = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (done) onTestFinished(() => void server.close());
  return done ? server : undefined;
}

/** The first of a run of ports that are free just now. */
async function findPorts(): Promise<number> {
  for (;;) {
    const servers = [await occupy(0)];
    const address = servers[0]?.address();
    const { port: first } = address as AddressInfo;
    for (let port = first + 1; port < first + portsTried; port += 1)
      servers.push(await occupy(port));
    await Promise.all(
      servers.map((server) => server && new Promise((resolve) => server.close(resolve))),
    );
    if (!servers.includes(undefined) && first + portsTried < 65_536) return first;
  }
}

/** Kills a process as a crash or the system would, and waits for its end. */
async function crash(child: Electron.UtilityProcess | undefined): Promise<void> {
  if (child?.pid === undefined) throw new Error('There is no process.');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(child.pid, 'SIGKILL');
  await ended;
}

async function targetAt(home: string, more: Partial<ServiceTarget> = {}): Promise<ServiceTarget> {
  return { home, mustExist: false, port: await findPorts(), ...more };
}

describe('the service of the desktop', () => {
  it('serves on its port, for the keys of the window too, and takes its file along', async () => {
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
    supervisor.serve(elsewhere);
    const moved = await reach('running');
    expect(moved.port).toBe(elsewhere.port);
    expect([existsSync(home.registration), existsSync(other.registration)]).toEqual([false, true]);
    await supervisor.close();
    expect(existsSync(other.registration)).toBe(false);
    for (const { baseUrl } of [service, moved]) {
      await expect(fetch(`${baseUrl}/health`)).rejects.toThrow();
    }
  });

  it('removes its registration when it stops while it is still starting', async () => {
    const { directory, registration } = makeTestHome();
    const { supervisor, children, statuses } = supervise(await targetAt(directory));
    await expect.poll(() => children[0]?.pid).toBeDefined();
    // Blocks this process, so that the result of the start is still unread.
    const pause = new Int32Array(new SharedArrayBuffer(4));
    const deadline = performance.now() + 10_000;
    while (!existsSync(registration) && performance.now() < deadline) Atomics.wait(pause, 0, 0, 5);
    expect(existsSync(registration)).toBe(true);
    expect(statuses.map(({ kind }) => kind)).not.toContain('running');
    await supervisor.close();
    expect(existsSync(registration)).toBe(false);
  });

  it('takes the next port when another program has its own, and stays there after a kill', async () => {
    const home = makeTestHome();
    const target = await targetAt(home.directory);
    const other = await occupy(target.port);
    const { reach, children, statuses, reports } = supervise(target);
    const moved = { port: target.port + 1 };
    const { baseUrl } = await reach('running');
    expect(await reach('running')).toMatchObject(moved);
    const answer = await fetch(`http://127.0.0.1:${target.port}/`);
    expect(await answer.text()).toBe('another program');
    // Scripts know where it is by now, though the port that is set has become free.
    await new Promise((resolve) => other?.close(resolve));
    await crash(children[0]);
    await reach('starting');
    expect(await reach('running')).toMatchObject(moved);
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    expect(statuses.map(({ kind }) => kind)).toEqual(['running', 'starting', 'running']);
    expect(reports).toEqual([
      expect.objectContaining({ stack: expect.stringContaining('code 9') }),
    ]);
    const { pid, others } = JSON.parse(readFileSync(home.registration, 'utf8'));
    expect([pid, others]).toEqual([children[1]?.pid, []]);
  });

  it('reports the last words of a process that crashes', async () => {
    const { reach, reports } = supervise(await targetAt(makeTestHome().directory), {
      program: writeProgram("throw new Error('a native fault');"),
      restartAfter: [3_600_000],
    });
    expect(await reach('stopped')).toMatchObject({ problem: { kind: 'fault' } });
    expect(String(reports)).toContain('a native fault');
  });

  it('waits for its port while the system releases it', async () => {
    const port = await findPorts();
    const other = await occupy(port);
    setTimeout(() => other?.close(), 500);
    const home = makeTestHome().directory;
    const request = { home, mustExist: false, ports: [port, port + 1], windowSecret };
    const { result, service } = await startOn(
      { ...request, portPatienceMs: 5_000 },
      () => undefined,
    );
    await service?.close();
    expect(result).toEqual({ kind: 'running', baseUrl: `http://127.0.0.1:${port}` });
  });

  it('fails an import in progress with a sentence, and has all events or none of it', async () => {
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
      code: 'unavailable',
      message: expect.stringContaining('completely or not at all'),
    });
    // The next action waits for the restart.
    const history = supervisor.perform('history', { user: 'Chess' }, options);
    await expect(history).resolves.toMatchObject({ history: [{ source: 'test' }] });
    const service = await reach('running');
    expect(service.baseUrl).toBe(baseUrl);
    const answer = await fetchWithKey(service, '/v1/events', key);
    expect(answer.headers.get('total-count')).toBe('1');
  });

  it('fails an action with its sentence, and lets an import finish before it moves', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const file = join(makeTestFolder(), 'season.csv');
    writeFileSync(file, `name,date\n${'Training,2099-05-01\n'.repeat(5_000)}`);
    const target = await targetAt(home.directory);
    const { supervisor, reach } = supervise(target);
    const options = { onProgress: () => undefined, signal: new AbortController().signal };
    await expect(supervisor.perform('undo', { id: 5 }, options)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('There is no import 5'),
    });
    const args = { user: 'Chess', files: [file], timeZone: 'UTC' };
    const cancelled = { ...options, signal: AbortSignal.abort() };
    await expect(supervisor.perform('import', args, cancelled)).rejects.toMatchObject({
      code: 'cancelled',
    });
    let isMoving = false;
    const onProgress = () => {
      if (!isMoving) supervisor.serve({ ...target, port: target.port + 5 });
      isMoving = true;
    };
    const importing = supervisor.perform('import', args, { ...options, onProgress });
    await expect(importing).resolves.toMatchObject({ added: 5_000 });
    expect(isMoving).toBe(true);
    expect(await reach('running')).toMatchObject({ port: target.port + 5 });
  });

  it('is started again when it has not answered several times in a row', async () => {
    const answers = [true, false, true, false, false, false];
    const { reach, children } = supervise(await targetAt(makeTestHome().directory), {
      probe: async () => answers.shift() ?? true,
      probeEvery: 5,
    });
    const { baseUrl } = await reach('running');
    await reach('starting');
    expect(await reach('running')).toMatchObject({ baseUrl });
    expect(children).toHaveLength(2);
  });

  it('stops where all ten ports are taken, and runs when one becomes free', async () => {
    const target = await targetAt(makeTestHome().directory);
    const others: (Server | undefined)[] = [];
    for (let port = target.port; port < target.port + portsTried; port += 1) {
      others.push(await occupy(port));
    }
    const { reach, statuses } = supervise(target);
    expect(await reach('stopped')).toEqual({ kind: 'stopped', problem: { kind: 'taken' } });
    await new Promise((resolve) => others[3]?.close(resolve));
    expect(await reach('running')).toMatchObject({ port: target.port + 3 });
    // Not told at each attempt.
    expect(statuses.map(({ kind }) => kind)).toEqual(['stopped', 'running']);
  });
});

describe('a port that the system reserves', () => {
  /** Makes the system refuse a port to servers of this process, as Windows does, for the test. */
  function reserve(port: number): void {
    const listen = NetServer.prototype.listen;
    const refusal = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
    vi.spyOn(NetServer.prototype, 'listen').mockImplementation(function (this: NetServer, ...args) {
      const [wanted] = args as unknown as readonly [{ readonly port?: number }];
      if (wanted.port !== port) return Reflect.apply(listen, this, args);
      process.nextTick(() => this.emit('error', refusal));
      return this;
    });
    onTestFinished(() => void vi.restoreAllMocks());
  }

  it('is passed over for the next one', async () => {
    const port = await findPorts();
    reserve(port);
    const home = makeTestHome().directory;
    const rest = { home, mustExist: false, portPatienceMs: 0, windowSecret };
    const { result, service } = await startOn(
      { ...rest, ports: [port, port + 1] },
      () => undefined,
    );
    await service?.close();
    expect(result).toEqual({ kind: 'running', baseUrl: `http://127.0.0.1:${port + 1}` });
    const tools = { now: () => new Date(), warn: () => undefined };
    const settings = { home, host: '127.0.0.1', port, allowedOrigins: [] };
    await expect(startService(settings, tools)).rejects.toMatchObject({
      code: 'port_unavailable',
      message: `Port ${port} on 127.0.0.1 is reserved by the system; choose another with --port (0 picks a free one).`,
    });
    const alone = await startOn({ ...rest, ports: [port] }, () => undefined);
    expect(alone.result).toEqual({ kind: 'stopped', problem: { kind: 'taken' } });
  });
});

/** A service process that never answers. */
const silent = 'process.parentPort.on("message", () => undefined);';

function writeProgram(text: string): string {
  const path = join(makeTestFolder(), 'program.mjs');
  writeFileSync(path, text);
  return path;
}

describe('a data directory that hangs', () => {
  const unresponsive = { kind: 'stopped', problem: { kind: 'unresponsive' } };

  it('is reported, and neither keeps the program nor another folder waiting', async () => {
    const home = makeTestHome();
    mkdirSync(home.directory);
    // SQLite waits for ever for the other end of it, inside a call to the system.
    execFileSync('mkfifo', [home.database]);
    const target = await targetAt(home.directory);
    const { supervisor, reach, children } = supervise(target, { startWithinMs: 1_000 });
    expect(await reach('stopped')).toEqual(unresponsive);
    supervisor.serve({ ...target, home: makeTestHome().directory });
    expect(await reach('running')).toMatchObject({ port: target.port });
    supervisor.serve(target);
    await reach('stopped');
    await supervisor.close();
    expect(children).toHaveLength(3);
    expect(children.map(({ pid }) => pid)).toEqual([undefined, undefined, undefined]);
  });

  it('is refused when it is chosen', async () => {
    const folder = makeTestFolder();
    const target = await targetAt(makeTestHome().directory);
    const program = writeProgram(silent);
    const { supervisor: hanging } = supervise(target, { program, startWithinMs: 200 });
    await expect(hanging.prepareHome(folder)).rejects.toThrow(/does not answer; connect its disk/);
    const options = { program: writeProgram('process.exit(1);'), restartAfter: [3_600_000] };
    const { supervisor: crashing } = supervise(target, options);
    await expect(crashing.prepareHome(folder)).rejects.toThrow(/service stopped before/);
    const { supervisor } = supervise(target);
    expect(await supervisor.prepareHome(folder)).toBe(folder);
  });

  it('is tried again in a new process', async () => {
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
      code: 'unavailable',
    });
  });
});

describe('a data directory that cannot be used', () => {
  /** What a service process finds, without the process. */
  async function problemWith(home: string, mustExist = false) {
    const request = { home, mustExist, ports: [0], portPatienceMs: 0, windowSecret };
    const { result } = await startOn(request, () => undefined);
    return result.kind === 'stopped' && result.problem;
  }

  it('is named as what it is, and left as it was', async () => {
    const home = makeTestHome();
    mkdirSync(home.directory);
    writeFileSync(home.database, 'Not a database. '.repeat(100));
    const { reach } = supervise(await targetAt(home.directory), { restartAfter: [3_600_000] });
    expect((await reach('stopped')).problem).toEqual({ kind: 'foreign' });
    expect(readFileSync(home.database, 'utf8')).toContain('Not a database.');
  });

  it('may be below a file', async () => {
    const file = join(makeTestFolder(), 'file');
    writeFileSync(file, '');
    expect(await problemWith(join(file, 'home'))).toEqual({ kind: 'noFolder' });
  });

  it('may be on a disk that is not connected, and is then not made', async () => {
    const home = join(makeTestFolder(), 'stick', 'events');
    expect(await problemWith(home, true)).toEqual({ kind: 'missing' });
    expect(existsSync(home)).toBe(false);
  });

  it('may be on a disk that is full, or may only be read', async (context) => {
    const [full, fixed] = [mountSmall(64), mountSmall(64, 'ro')];
    if (typeof full === 'string') return context.skip(full);
    if (typeof fixed === 'string') return context.skip(fixed);
    expect(await problemWith(join(full.folder, 'home'))).toEqual({ kind: 'full' });
    for (const home of [fixed.folder, join(fixed.folder, 'home')]) {
      expect(await problemWith(home)).toEqual({ kind: 'readOnly' });
    }
  });

  it('may be of a newer version', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const sqlite = new Database(home.database);
    sqlite.pragma(`user_version = ${latestVersion + 1}`);
    sqlite.close();
    expect(await problemWith(home.directory)).toEqual({ kind: 'newer' });
  });

  it('can be tried again at once', async () => {
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
