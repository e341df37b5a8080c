import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { digestOf } from '../../db/event-hash.ts';
import { eachEvent } from '../../db/event-list.ts';
import { digestOfKey, insertKey } from '../../db/keys.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { withReader, withWriter } from '../../server/store/store.ts';
import { startServe } from '../support/command.ts';
import {
  addEvents,
  addMember,
  createdAt,
  makeEvent,
  makeFolder,
  removeFolder,
} from '../support/home.ts';
import {
  forgetRecord,
  performHub,
  pointToRecord,
  pushClub,
  pushClubs,
  spawnPush,
} from '../support/hub.ts';
import { requirePlace } from '../support/place.ts';
import { createPostgres, type Postgres } from '../support/postgres.ts';
import { printFigure } from '../support/print.ts';
import { type Link, serveBalancer, serveLink } from '../support/proxy.ts';
import { createRandom } from '../support/random.ts';
import { fetchWithKey } from '../support/service.ts';

/** The numbers of pushes and of failovers; a hurried person may choose fewer. */
const pushes = Number(process.env['HUB_PUSHES'] ?? 1_000);
const failovers = Number(process.env['HUB_FAILOVERS'] ?? 20);

const clubCount = 50;
const keysPerClub = 20;
const readers = 8;

/** Promised times, in milliseconds. */
const promised = {
  /** A revoked key is refused by a node that is in contact with the record. */
  revocation: 1_000,
  /** The time without contact from which a node is not ready. */
  contact: 5_000,
  /** The proxy looks for ready nodes every 250 ms, and a look may take two seconds. */
  proxy: 2_250,
} as const;

/** Limits of a node: it reads from a dead connection for 10 s, and reconnects within 5 s. */
const readLimit = 10_000;
const reconnection = 5_000;

const folder = makeFolder();
const stops: (() => unknown)[] = [];
const atEnd = (stop: () => unknown) => void stops.push(stop);

beforeEach((context) => requirePlace(context, 'a PostgreSQL', 'signals'));
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  forgetRecord();
});
afterAll(() => removeFolder(folder));

type Key = { readonly text: string; readonly id: number; revokedAt?: number };
type Club = {
  readonly name: string;
  readonly userId: number;
  readonly keys: Key[];
  /** The place of each state of the events, by their digest, in the order of the pushes. */
  readonly states: Map<string, number>;
  /** The states of which the record has said that it has them, and when. */
  readonly acknowledged: { readonly state: number; readonly at: number }[];
};

async function makeClubs(home: Home): Promise<readonly Omit<Club, 'keys'>[]> {
  const clubs: Omit<Club, 'keys'>[] = [];
  for (let number = 0; number < clubCount; number += 1) {
    const name = `Club${number}`;
    const { userId } = await addMember(home, name, [makeEvent(1), makeEvent(2)]);
    await withWriter(home, (db) => {
      for (let at = 0; at < keysPerClub; at += 1)
        insertKey(db, {
          userId,
          digest: digestOfKey(`${name}-${at}`),
          label: null,
          createdAt,
          expiresAt: null,
        });
    });
    clubs.push({ name, userId, states: new Map(), acknowledged: [] });
  }
  return clubs;
}

/** Notes the present state of a club; returns its place. */
async function noteState(home: Home, { userId, states }: Omit<Club, 'keys'>): Promise<number> {
  const digest = await withReader(home, (db) => digestOf(eachEvent(db, userId)));
  states.set(`sha256=${digest}`, states.size);
  return states.size - 1;
}

/** A node as a process, with its own way to each server of the record. */
type Node = {
  readonly home: Home;
  readonly links: readonly Link[];
  child?: Awaited<ReturnType<typeof startServe>>;
  port: number | undefined;
  isReady: boolean;
  /** The number of disturbances that keep it from the record, and until when it may be without contact. */
  disturbances: number;
  excusedUntil: number;
};

type Answers = { right: number; refused: number; unavailable: number };

/** Reads with random keys through the proxy, and notes each answer that is wrong. */
async function readAll(
  port: number,
  clubs: readonly Club[],
  signal: AbortSignal,
  wrong: string[],
): Promise<Answers> {
  const counts = { right: 0, refused: 0, unavailable: 0 };
  const read = async (random: (limit: number) => number) => {
    while (!signal.aborted) {
      const club = clubs[random(clubs.length)] as Club;
      const key = club.keys[random(club.keys.length)] as Key;
      const begun = performance.now();
      const clock = Date.now();
      const answer = await fetchWithKey({ port }, '/v1/events', key.text).catch(() => undefined);
      const body = await answer?.json().catch(() => undefined);
      const { status = 0, headers } = answer ?? {};
      if (status === 401) {
        if (key.revokedAt === undefined) wrong.push(`a good key of ${club.name} is refused`);
        counts.refused += 1;
      } else if (status === 200 && body !== undefined) {
        const asOf = headers?.get('Data-As-Of');
        // Everything that was acknowledged before must be there.
        const before = asOf ? begun - (clock - Date.parse(asOf)) : begun - promised.contact;
        const digest = `sha256=${digestOf((body as { events: Parameters<typeof digestOf>[0] }).events)}`;
        if (headers?.get('Events-Digest') !== digest) wrong.push(`a mixture of ${club.name}`);
        const state = club.states.get(digest) ?? -1;
        const last = club.acknowledged.findLast(({ at }) => at < before)?.state;
        if (state < (last ?? 0)) wrong.push(`${club.name} is at ${state} instead of ${last}`);
        const late = begun - (key.revokedAt ?? begun);
        if (late > promised.revocation + promised.contact + promised.proxy)
          wrong.push(`a key of ${club.name} is open ${Math.round(late)} ms after its revocation`);
        counts.right += 1;
      } else {
        counts.unavailable += 1;
        await delay(20);
      }
    }
  };
  await Promise.all(Array.from({ length: readers }, (_, at) => read(createRandom(100 + at))));
  return counts;
}

/** Returns true for a node that must be in contact with the record. */
const isBound = ({ disturbances, excusedUntil }: Node) =>
  disturbances === 0 && performance.now() > excusedUntil;

/** Looks every 200 ms whether a node is ready while one must be; notes when none is. */
async function watchReady(
  nodes: readonly Node[],
  signal: AbortSignal,
  wrong: string[],
): Promise<{ looks: number; judged: number }> {
  const counts = { looks: 0, judged: 0 };
  while (!signal.aborted) {
    await delay(200);
    counts.looks += 1;
    if (!nodes.some(isBound)) continue;
    counts.judged += 1;
    const states = await Promise.all(
      nodes.map(({ port }) =>
        fetch(`http://127.0.0.1:${port}/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    if (nodes.some(isBound) && !states.includes(200)) wrong.push(`no node is ready: ${states}`);
  }
  return counts;
}

it('gives no wrong answer while servers, pushers and connections fail', async () => {
  const random = createRandom(54);
  const home = homeAt(`${folder}/home`);
  let primary = await createPostgres();
  atEnd(() => primary.remove());
  let replica: Postgres | undefined;
  atEnd(() => replica?.remove());
  await primary.start();
  pointToRecord(primary);
  const made = await makeClubs(home);
  await performHub(home, 'hub init');
  for (const club of made) {
    const state = await noteState(home, club);
    club.acknowledged.push({ state, at: performance.now() });
  }
  await pushClubs(home);
  const stored = await primary.query<{ id: number; digest: string }>(
    "SELECT id, encode(digest, 'hex') AS digest FROM club_events.keys",
  );
  const ids = new Map(stored.map(({ id, digest }) => [digest, id]));
  const clubs = made.map((club): Club => {
    const texts = Array.from({ length: keysPerClub }, (_, at) => `${club.name}-${at}`);
    const keys = texts.map((text) => ({
      text,
      id: Number(ids.get(digestOfKey(text).toString('hex'))),
    }));
    return { ...club, keys };
  });

  // The first server, which has the file of the test, does not stay.
  const passwords = join(folder, 'pgpass');
  copyFileSync(primary.env['PGPASSFILE'] ?? '', passwords);

  const nodes: Node[] = [];
  const start = async (node: Node) => {
    const args = ['--hub', '--port', '0', '--public-url', 'https://events.example'];
    const env = {
      ...primary.env,
      PGPASSFILE: passwords,
      PGHOST: node.links.map(() => '127.0.0.1').join(','),
      PGPORT: node.links.map(({ port }) => port).join(','),
    };
    node.child = await startServe([...args, '--home', node.home.directory], atEnd, { env });
    const { localUrl } = JSON.parse(readFileSync(node.home.registration, 'utf8'));
    node.port = Number(new URL(localUrl).port);
  };
  for (const name of ['left', 'right']) {
    const links = [await serveLink(primary.port, atEnd), await serveLink(undefined, atEnd)];
    const node: Node = {
      home: homeAt(`${folder}/${name}`),
      links,
      port: undefined,
      isReady: false,
      disturbances: 0,
      excusedUntil: 0,
    };
    nodes.push(node);
    await start(node);
  }
  const { port } = await serveBalancer(nodes, 'events.example', atEnd);
  await expect.poll(() => nodes.every(({ isReady }) => isReady)).toBe(true);

  /** Nodes may be without contact while `work` goes on, and for some time after it. */
  async function excused<Result>(
    whom: readonly Node[],
    rest: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    for (const node of whom) node.disturbances += 1;
    try {
      return await work();
    } finally {
      for (const node of whom) {
        node.disturbances -= 1;
        node.excusedUntil = Math.max(node.excusedUntil, performance.now() + rest);
      }
    }
  }
  const someNode = () => nodes[random(nodes.length)] as Node;
  const point = () => {
    pointToRecord(...[primary, ...(replica === undefined ? [] : [replica])]);
    for (const { links } of nodes) {
      const [first, second] = links as [Link, Link];
      first.target = primary.port;
      second.target = replica?.port;
    }
  };
  const counts = { pushes: 0, revoked: 0, frozen: 0, dead: 0, paused: 0, former: 0, failovers: 0 };
  const wrong: string[] = [];
  const ending = new AbortController();
  const reading = readAll(port, clubs, ending.signal, wrong);
  const watching = watchReady(nodes, ending.signal, wrong);

  let turn = 0;
  async function change(): Promise<void> {
    const club = clubs[random(clubs.length)] as Club;
    turn += 1;
    const event = makeEvent(1 + random(5), { name: `Change ${turn}` });
    await addEvents(home, club.userId, [event]);
    const state = await noteState(home, club);
    const pushed = await pushClub(home, club.name);
    expect(pushed.conflict).toBeNull();
    club.acknowledged.push({ state, at: performance.now() });
    counts.pushes += 1;
    if (random(5) > 0) return;
    const key = club.keys.find(({ revokedAt }) => revokedAt === undefined);
    // Every club keeps some good keys.
    if (key === undefined || club.keys.indexOf(key) > keysPerClub / 2) return;
    await performHub(home, 'hub key revoke', { id: key.id });
    key.revokedAt = performance.now();
    counts.revoked += 1;
  }

  const disturbances = {
    async frozen() {
      const club = clubs[random(clubs.length)] as Club;
      await addEvents(home, club.userId, [makeEvent(1 + random(5), { name: `Frozen ${turn}` })]);
      await noteState(home, club);
      const pusher = spawnPush(home, club.name);
      const exit = once(pusher, 'exit');
      await delay(random(1_000));
      pusher.kill('SIGSTOP');
      await delay(3_000);
      pusher.kill('SIGCONT');
      await exit;
    },
    async dead() {
      const node = someNode();
      await excused([node], readLimit + reconnection, async () => {
        for (const link of node.links) link.freeze();
      });
      await delay(3_000);
    },
    async paused() {
      const node = someNode();
      const server = replica as Postgres;
      const [way] = node.links as [Link, Link];
      await server.query('SELECT pg_wal_replay_pause()');
      await excused([node], reconnection, async () => {
        // Only the replica is left to it.
        way.target = undefined;
        way.cut();
        await delay(promised.contact + 3_000);
        way.target = primary.port;
        await server.query('SELECT pg_wal_replay_resume()');
        await delay(promised.contact);
      });
    },
  };

  /** Makes the replica of a primary that stops for a moment. */
  async function addReplica(): Promise<void> {
    await excused(nodes, reconnection, async () => {
      await primary.stop();
      replica = await primary.createReplica();
      await primary.start();
      await replica.start();
      point();
    });
  }
  const positionOf = async (server: Postgres, name: string) =>
    Number((await server.query<{ at: string }>(`SELECT (${name}() - '0/0')::bigint AS at`))[0]?.at);

  async function failOver(returns: boolean): Promise<void> {
    const next = replica as Postgres;
    const written = await positionOf(primary, 'pg_current_wal_lsn');
    await expect
      .poll(() => positionOf(next, 'pg_last_wal_replay_lsn'))
      .toBeGreaterThanOrEqual(written);
    await excused(nodes, 2 * reconnection, async () => {
      await primary.stop('immediate');
      await next.promote();
      const former = primary;
      primary = next;
      if (returns) {
        // It starts by itself after a reboot, and both addresses lead to a primary.
        await former.start();
        pointToRecord(former, primary);
        const node = someNode();
        await node.child?.end('SIGKILL');
        await start(node);
        await delay(2_000);
        const { isInOrder } = await performHub(home, 'hub status');
        expect(isInOrder).toBe(false);
        await change();
      }
      await former.remove();
      replica = undefined;
      // The addresses stay; that of the former primary is free now.
      pointToRecord(primary);
      for (const { links } of nodes) {
        const [first, second] = links as [Link, Link];
        first.target = primary.port;
        second.target = undefined;
      }
    });
    counts.failovers += 1;
    if (returns) counts.former += 1;
  }

  for (let round = 0; round < failovers; round += 1) {
    await addReplica();
    const running: Promise<void>[] = [];
    // Each of them ten times in twenty rounds, alone or beside others.
    const kinds = (['frozen', 'dead', 'paused'] as const).filter(
      (_, at) => (round + at + Math.floor(round / 2)) % 2 === 0,
    );
    const due = kinds.map((kind) => ({ kind, at: random(pushes / failovers) }));
    for (let at = 0; at < pushes / failovers; at += 1) {
      for (const { kind } of due.filter((one) => one.at === at)) {
        counts[kind] += 1;
        running.push(disturbances[kind]());
      }
      await change();
      await delay(random(100));
    }
    await Promise.all(running);
    await failOver(round % 2 === 1);
  }
  ending.abort();
  const answers = await reading;
  const looks = await watching;
  printFigure(
    `a hub under disturbances: ${JSON.stringify({ ...counts, ...answers, ...looks })}; ${wrong.length} wrong`,
  );
  expect(wrong).toEqual([]);
  expect(looks.judged).toBeGreaterThan(looks.looks / 10);
  expect(answers.right).toBeGreaterThan(pushes);
});
