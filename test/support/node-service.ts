import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { openReader, prepareVersionRead } from '../../db/open.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { loadWriters } from '../../server/export/list-writers.ts';
import { createNode } from '../../server/hub/node.ts';
import { createService, type ServiceSettings } from '../../server/service/service.ts';
import { makeFolder, removeFolder } from './home.ts';
import { performHub, pointToRecord, pushClubs, readHead, readNumber } from './hub.ts';
import { createPostgres, type Postgres } from './postgres.ts';

/**
 * Runs the tests of HTTP against a node (`npm run test:hub`): what they change in a home is pushed to a
 * record before their next request.
 */

/** A home, and the node that answers for it. */
type Followed = {
  readonly home: Home;
  readonly readVersion: () => number;
  readonly nodeHome: Home;
  readonly record: Postgres;
  version: number | undefined;
};

const followed = new Map<number, Followed>();
let server: Promise<Postgres> | undefined;
let databases = 0;

/** All connections are made one after the other: each has the database of the environment. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = turn.then(work);
  turn = result.catch(() => undefined);
  return result;
}

async function startServer(): Promise<Postgres> {
  const record = await createPostgres();
  await record.start();
  process.once('exit', () => process.kill(record.pid(), 'SIGQUIT'));
  return record;
}

async function pushAll({ home, record, nodeHome }: Followed): Promise<void> {
  pointToRecord(record);
  const { clubs } = await pushClubs(home);
  const failed = clubs.filter(({ conflict, error }) => conflict !== null || error !== undefined);
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  const head = await readHead(record);
  while (readNumber(nodeHome) !== head) await delay(10);
}

/** Brings what a test has changed in its home to the node that listens on a port. */
export async function settle(port: number): Promise<void> {
  const each = followed.get(port);
  if (each === undefined) return;
  await inTurn(async () => {
    const version = each.readVersion();
    if (version !== each.version) await pushAll(each);
    each.version = version;
  });
}

/** Starts a node with the events of a home. */
export async function startNodeOf(
  home: Home,
  settings: Partial<ServiceSettings>,
): Promise<{ baseUrl: string; port: number; close(): Promise<void> }> {
  const folder = makeFolder();
  const nodeHome = homeAt(folder);
  const fail = (problem: Error) => {
    throw problem;
  };
  return await inTurn(async () => {
    server ??= startServer();
    const shared = await server;
    databases += 1;
    const name = `node${databases}`;
    await shared.query(`CREATE DATABASE ${name}`);
    const record = shared.inDatabase(name);
    pointToRecord(record);
    await performHub(home, 'hub init');
    const node = createNode({ home: nodeHome, now: () => new Date(), maxLag: 900_000, warn: fail });
    await node.run();
    const service = createService(
      { host: '127.0.0.1', port: 0, allowedOrigins: [], ...settings, home: nodeHome.directory },
      { now: () => new Date(), loadWriters, warn: fail, node },
    );
    const baseUrl = await service.run();
    const { readFileSync } = process.getBuiltinModule('node:fs');
    const { localUrl } = JSON.parse(readFileSync(nodeHome.registration, 'utf8'));
    const port = Number(new URL(localUrl).port);
    const reader = openReader(home.database);
    const readVersion = prepareVersionRead(reader);
    followed.set(port, { home, readVersion, nodeHome, record, version: undefined });
    while (readNumber(nodeHome) === undefined) await delay(10);
    const close = async () => {
      followed.delete(port);
      await service.stop();
      await node.stop();
      removeFolder(folder);
    };
    return { baseUrl, port, close };
  });
}
