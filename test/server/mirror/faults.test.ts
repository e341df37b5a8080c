import { hash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { commandOutputs } from '../../../server/cli/results/results.ts';
import type { SyncResult } from '../../../server/mirror/status.ts';
import { conferencesNow, generateConferences } from '../../support/conferences.ts';
import { choose } from '../../support/long.ts';
import { measureCommand } from '../../support/measure-command.ts';
import { openMirror, type TestMirror } from '../../support/mirror.ts';
import { printFigure } from '../../support/print.ts';
import { createRandom } from '../../support/random.ts';
import { fetchWithKey, type RunningService, serveForTest } from '../../support/service.ts';
import {
  changeList,
  changeText,
  type Fault,
  faults,
  type ReceivedRequest,
  redirectTo,
  serveUpstream,
  type TestUpstream,
  trustTestAuthority,
  type UpstreamOptions,
} from '../../support/upstream.ts';

const conferences = generateConferences().slice(-300);
const newestFirst = conferences.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
const idAt = (place: number) => newestFirst[place]?.id ?? 0;

/** Ids of the newest, a later and the oldest event, and two of none. */
const ids = [idAt(0), idAt(150), idAt(299), 1, 999_999_999];
const paths = ['', ...ids.map((id) => `/${id}`)];

/** A mirror, its running service, and another origin that must not get the key. */
type Club = TestMirror & {
  readonly service: RunningService;
  readonly elsewhere: TestUpstream;
};

/** Connects a club with an upstream of 300 events, and serves it. */
async function openClub(options: UpstreamOptions = {}): Promise<Club> {
  const mirror = await openMirror({ events: conferences, hasLink: true, ...options });
  const elsewhere = await serveUpstream();
  const { added } = await mirror.perform('mirror set', mirror.connection);
  expect(added).toBe(mirror.upstream.events.size);
  const service = await serveForTest(mirror.home);
  return { ...mirror, elsewhere, service };
}

/** Headers with a time. */
const timed = new Set(['data-as-of', 'date']);

/** Reads the list, some events and two 404s as a script does: their headers and digests. */
function readAnswers({ service, upstream }: Club): Promise<string[]> {
  const read = async (path: string): Promise<string> => {
    const answer = await fetchWithKey(service, `/v1/events${path}`, upstream.key);
    const headers = [...answer.headers].filter(([name]) => !timed.has(name));
    return [answer.status, ...headers.flat(), hash('sha256', await answer.text())].join(' ');
  };
  return Promise.all(paths.map(read));
}

/** Returns the status of each path, and its events. */
async function readContent(origin: string, key: string, paths: readonly string[]) {
  const headers = { authorization: `Bearer ${key}` };
  const read = async (path: string) => {
    const answer = await fetch(`${origin}/v1/events${path}`, { headers });
    const text = await answer.text();
    return [path, answer.status, answer.status === 200 ? JSON.parse(text) : null];
  };
  return await Promise.all(paths.map(read));
}

/** Expects the service's answers about these ids, and its list, to be those of the upstream. */
async function expectEqual({ service, upstream }: Club, known: readonly number[]): Promise<void> {
  const all = ['', ...known.map((id) => `/${id}`), '/1', '/999999999'];
  const here = await readContent(service.baseUrl, upstream.key, all);
  const there = await readContent(upstream.origin, upstream.key, all);
  expect(here).toEqual(there);
}

async function statusText({ perform }: TestMirror): Promise<string> {
  return String(await commandOutputs['mirror status'].toText(await perform('mirror status')));
}

/** Syncs as a person does; returns undefined while the upstream asks for a pause. */
async function syncByHand({ perform }: TestMirror): Promise<SyncResult | undefined> {
  try {
    const { results } = await perform('mirror sync');
    return results[0];
  } catch (error) {
    expect(error).toMatchObject({ code: 'sync_waits' });
    return undefined;
  }
}

/** Lets a minute pass as 100 ms for requests that get no answer; returns a function that ends it. */
function shortenTimeouts(): () => void {
  const { timeout } = AbortSignal;
  const spy = vi.spyOn(AbortSignal, 'timeout');
  spy.mockImplementation((ms) => timeout.call(AbortSignal, ms / 600));
  const restore = () => spy.mockRestore();
  onTestFinished(restore);
  return restore;
}

/** Changes an event, adds one and removes one. */
function changeUpstream({ upstream, time }: TestMirror): readonly number[] {
  const [changed, removed] = [idAt(3), idAt(5)];
  const event = upstream.events.get(changed) as StoredEvent;
  upstream.events.set(changed, { ...event, name: 'Renamed' });
  upstream.events.delete(removed);
  const createdAt = new Date(time.now()).toISOString();
  upstream.events.set(60_000, { ...event, id: 60_000, name: 'New', createdAt });
  return [changed, removed, 60_000];
}

/** Expects the next due syncs to bring all changes of the upstream, without a person. */
async function expectRecovery(club: Club): Promise<void> {
  const { syncAfter, perform } = club;
  const changed = changeUpstream(club);
  // Longer than the back-off after three failures.
  await syncAfter(70);
  // The second look at the removed event.
  await syncAfter(20);
  await expectEqual(club, [...changed, ...ids]);
  const { mirrors } = await perform('mirror status');
  expect(mirrors[0]).toMatchObject({ problem: null, question: null, events: 300 });
}

type FaultCase = {
  readonly begin: (club: Club) => void;
  /** The problem that `mirror status` names, and its words. */
  readonly code: string;
  readonly words: RegExp;
  readonly options?: UpstreamOptions;
};

/** Ends every fault. */
function endFaults({ upstream }: Club): void {
  upstream.fault = () => undefined;
  upstream.accounts.set(upstream.key, upstream.events);
  upstream.setCertificate('valid');
  for (const event of conferences) upstream.events.set(event.id, event);
}

/** Makes the upstream answer with a fault: always, or to requests of one kind. */
const answer =
  (fault: Fault, operation?: ReceivedRequest['operation']) =>
  ({ upstream }: Club) => {
    const isHit = (request: ReceivedRequest) =>
      operation === undefined || request.operation === operation;
    upstream.fault = (request) => (isHit(request) ? fault : undefined);
  };

const certificate = (name: 'expired' | 'wrong-host' | 'self-signed') =>
  ({
    begin: ({ upstream }) => upstream.setCertificate(name),
    code: 'not_trusted',
    words: /certificate of .* is not trusted/,
    options: { certificate: 'valid' },
  }) satisfies FaultCase;

const always = (name: keyof typeof faults, code: string, words: RegExp) =>
  ({ begin: answer(faults[name]), code, words }) satisfies FaultCase;

const notEvents = /answered with something other than events/;
const cutOff = /An answer of .* was cut off/;
const noAnswer = /did not answer in time/;
const tooLarge = /larger than 50 MB/;
const refersElsewhere = /refers to another address\. The key was not sent there/;

const cases: Readonly<Record<string, FaultCase>> = {
  timeout: always('timeout', 'timeout', noAnswer),
  'dripping headers': always('dripping headers', 'timeout', noAnswer),
  'dripping body': always('dripping body', 'timeout', noAnswer),
  reset: always('reset', 'unreachable', /cannot be reached/),
  'no HTTP': always('no HTTP', 'not_json', /something other than events/),
  'a reset in the body': always('reset in the body', 'truncated', cutOff),
  'a truncated body': always('truncated body', 'truncated', cutOff),
  'cut gzip': always('cut gzip', 'truncated', cutOff),
  'a gzip bomb': always('gzip bomb', 'too_large', tooLarge),
  'an endless body': always('endless body', 'too_large', tooLarge),
  'HTML with 200': always('HTML with 200', 'not_json', notEvents),
  'a captive portal': always('captive portal', 'redirected', refersElsewhere),
  'bad JSON': always('bad JSON', 'not_json', notEvents),
  '401': always('401', 'key_refused', /does not accept the key/),
  '403': always('403', 'forbidden', /does not give this key access/),
  '404': always('404', 'unexpected_status', /did not answer as a service for events does/),
  '429': always('429', 'too_many_requests', /asks for fewer requests/),
  '500': always('500', 'server_failed', /has a failure of its own/),
  '503': always('503', 'server_failed', /has a failure of its own/),
  'ids beyond 2^53': always('ids beyond 2^53', 'not_json', notEvents),
  'an empty list': always('empty list', 'list_empty', /is empty, although its events exist/),
  'a shuffled list': always('shuffled order', 'list_shuffled', /not in the agreed order/),
  'duplicate ids': always('duplicate ids', 'list_repeats', /repeats itself/),
  'a redirect to another origin': {
    begin: (club) => answer(redirectTo(`${club.elsewhere.baseUrl}v1/events`))(club),
    code: 'redirected',
    words: refersElsewhere,
  },
  'a list that continues at another origin': {
    begin(club) {
      const link = `<${club.elsewhere.baseUrl}v1/events?after=1>; rel="next"`;
      const change: Fault = (sent) => ({ ...sent, headers: { ...sent.headers, link } });
      answer(change, 'list')(club);
    },
    code: 'link_elsewhere',
    words: /continues at another address\. The key was not sent there/,
  },
  'an expired certificate': certificate('expired'),
  'a certificate of another host': certificate('wrong-host'),
  'a self-signed certificate': certificate('self-signed'),
  'the list of another account': {
    begin({ upstream }) {
      const others = generateConferences().slice(0, 250);
      upstream.accounts.set(upstream.key, new Map(others.map((event) => [event.id, event])));
    },
    code: 'other_account',
    words: /shows none of the events known here/,
  },
  'a list of another account from a cache': {
    begin(club) {
      const rest = new Map(generateConferences().map((event) => [event.id, event]));
      for (const { id } of conferences) rest.delete(id);
      const events = [...rest.values()]
        .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
        .slice(0, 200);
      const body = JSON.stringify({ events });
      const change: Fault = (sent) => ({ ...sent, headers: { ...sent.headers, link: '' }, body });
      answer(change, 'list')(club);
    },
    code: 'other_account',
    words: /shows none of the events known here/,
  },
  'a restored upstream': {
    begin({ upstream }) {
      for (const { id } of newestFirst.slice(0, 5)) upstream.events.delete(id);
    },
    code: 'upstream_restored',
    words: /lacks the newest events, as after the restore of a backup/,
  },
};

/** The faults of the short form: one of each layer. */
const fewCases = [
  'timeout',
  '429',
  'an empty list',
  'the list of another account',
  'a restored upstream',
];

describe('a mirror', () => {
  it.each(choose(Object.keys(cases), fewCases))(
    'keeps its answers during, and recovers from: %s',
    async (name) => {
      const { begin, code, words, options } = cases[name] as FaultCase;
      if (options?.certificate !== undefined) trustTestAuthority();
      const club = await openClub(options);
      const { elsewhere, syncAfter, perform } = club;
      const before = await readAnswers(club);
      begin(club);
      const restoreTimeouts = code === 'timeout' ? shortenTimeouts() : () => undefined;
      for (const sync of [() => syncAfter(20), () => syncByHand(club), () => syncAfter(120)]) {
        await sync();
        expect(await readAnswers(club)).toEqual(before);
        const { mirrors } = await perform('mirror status');
        expect(mirrors[0]).toMatchObject({ events: 300, problem: { code } });
        expect(await statusText(club)).toMatch(words);
      }
      expect(elsewhere.requests).toEqual([]);
      restoreTimeouts();
      endFaults(club);
      await expectRecovery(club);
    },
  );

  it('removes nothing while every event is a 404 and the list lacks one', {
    tags: 'long',
  }, async () => {
    const club = await openClub();
    const { upstream, perform, stored, syncAfter } = club;
    const before = await stored();
    upstream.events.delete(idAt(50));
    answer(faults['404'], 'byId')(club);
    await syncAfter(20);
    await syncByHand(club);
    await expect(perform('mirror verify')).rejects.toMatchObject({ code: 'sync_by_id_broken' });
    expect(await stored()).toEqual(before);
    expect(await statusText(club)).toMatch(/lists events that it does not show one by one/);
    endFaults(club);
    await expectRecovery(club);
  });

  it('keeps the last good version of events that it cannot read, and names them', {
    tags: 'long',
  }, async () => {
    const club = await openClub();
    const { perform, syncAfter, service, upstream } = club;
    const read = () => readContent(service.baseUrl, upstream.key, paths);
    const before = await read();
    answer(faults['wrong types'])(club);
    await syncAfter(20);
    await syncByHand(club);
    expect(await read()).toEqual(before);
    const { mirrors } = await perform('mirror status');
    expect(mirrors[0]).toMatchObject({ problem: null, question: null });
    expect(mirrors[0]?.unreadable).toHaveLength(300);
    expect(await statusText(club)).toMatch(
      /300 events cannot be read at the service, so not updated here:/,
    );
    endFaults(club);
    await expectRecovery(club);
    expect((await perform('mirror status')).mirrors[0]?.unreadable).toEqual([]);
  });

  it('a mirror begins with a list that has one unusual event, and claims no more than it knows', async () => {
    const events = conferences.slice(0, 150);
    const mirror = await openMirror({ events, hasLink: false });
    const { upstream, perform, stored, connection } = mirror;
    const [nowhere, postponed] = [events[40], events[90]] as [StoredEvent, StoredEvent];
    upstream.fault = () =>
      changeText((text) =>
        text.replaceAll(/\{"id":(\d+),[^{}]*\}/g, (event, id) => {
          if (Number(id) === nowhere.id)
            return event.replace(/"location":"[^"]*"/, '"location":null');
          if (Number(id) !== postponed.id) return event;
          return event.replace(/"status":"\w+"/, '"status":"postponed"');
        }),
      );
    await perform('mirror set', connection);
    expect((await stored()).get(nowhere.id)).toEqual({ ...nowhere, location: '' });
    expect((await stored()).size).toBe(149);
    const [status] = (await perform('mirror status')).mirrors;
    expect(status).toMatchObject({ problem: null, unreadable: [{ id: postponed.id }] });
    expect(status?.coverage.since).toBe(postponed.createdAt);
    const service = await serveForTest(mirror.home);
    const list = await fetchWithKey(service, '/v1/events', upstream.key);
    expect(list.headers.get('data-coverage')).toBe(`since=${postponed.createdAt}`);
    expect(list.headers.get('total-count')).toBeNull();
    const one = await fetchWithKey(service, `/v1/events/${postponed.id}`, upstream.key);
    expect([one.status, one.headers.get('data-as-of')]).toEqual([404, null]);
  });

  it('reads dates without milliseconds', async () => {
    const club = await openClub();
    answer(faults['dates without milliseconds'])(club);
    await club.syncAfter(20);
    const { mirrors } = await club.perform('mirror status');
    expect(mirrors[0]).toMatchObject({ problem: null, unreadable: [], events: 300 });
    const [first] = newestFirst;
    const createdAt = first?.createdAt.replace(/\d{3}Z$/, '000Z');
    expect((await club.stored()).get(idAt(0))?.createdAt).toBe(createdAt);
  });

  it('answers as each operation does if only events by id have registrationOpen', {
    tags: 'long',
  }, async () => {
    const club = await openClub();
    const { perform, syncAfter, upstream } = club;
    answer(faults['no registrationOpen'])(club);
    const [event] = newestFirst as [StoredEvent];
    await syncAfter(20);
    const history = () => perform('history');
    const { history: before } = await history();
    // By id, too: the events were confirmed a day ago.
    for (const minutes of [16, 25 * 60, 16]) await syncAfter(minutes);
    await perform('mirror verify');
    const [list, byId] = await readContent(club.service.baseUrl, upstream.key, [
      '',
      `/${event.id}`,
    ]);
    const { registrationOpen: _, ...listed } = event;
    expect(list?.[2].events[0]).toEqual(listed);
    expect(byId?.[2].event).toEqual(event);
    expect((await history()).history).toEqual(before);
    // `readContent` of the upstream passes through its fault, too.
    await expectEqual(club, ids);
  });

  const bulk = choose(1_000, 400);

  it(`takes a bulk import of ${bulk} events with one creation time in any order`, {
    tags: 'long',
  }, async () => {
    const club = await openClub({
      events: conferences.slice(0, 100),
      hasRandomTies: true,
      hasLink: false,
    });
    const { upstream, perform, syncAfter, time, stored } = club;
    await syncAfter(20);
    const createdAt = new Date(time.now()).toISOString();
    for (let id = 70_001; id <= 70_000 + bulk; id += 1) {
      upstream.events.set(id, { ...(conferences[0] as StoredEvent), id, createdAt });
    }
    const known = new Set<number>();
    for (let sync = 0; sync < choose(12, 3); sync += 1) {
      await syncAfter(20);
      const ids = [...(await stored()).keys()];
      expect(ids.length).toBeGreaterThanOrEqual(known.size);
      for (const id of ids) known.add(id);
      expect(ids).toHaveLength(known.size);
      const [here] = await readContent(club.service.baseUrl, upstream.key, ['']);
      expect(here?.[2].events).toHaveLength(200);
    }
    const { mirrors } = await perform('mirror status');
    expect(mirrors[0]).toMatchObject({ problem: null, question: null });
    expect(mirrors[0]?.coverage.since).not.toBeNull();
    // The search finds the others, and only then says that all are known.
    await perform('mirror add-ids', { ids: [`70001-${70_000 + bulk}`] });
    expect(await stored()).toEqual(upstream.events);
  });

  it('learns that a list is cut at 100', { tags: 'long' }, async () => {
    const club = await openClub({ events: conferences.slice(0, 150), hasLink: false });
    const { upstream, perform, syncAfter, stored } = club;
    const before = await stored();
    const since = async () => (await perform('mirror status')).mirrors[0]?.coverage.since;
    expect(await since()).toBeNull();
    answer(changeList((events) => events.slice(0, 100)))(club);
    for (const minutes of [20, 20, 20]) {
      await syncAfter(minutes);
      expect(await since()).not.toBeNull();
    }
    expect(await stored()).toEqual(before);
    await expectEqual(club, [...upstream.events.keys()]);
    expect((await perform('mirror status')).mirrors[0]).toMatchObject({ problem: null });
  });

  it('misses nothing after an event with a creation time in 2099', async () => {
    const club = await openClub({ hasLink: false, events: conferences.slice(0, 150) });
    const { upstream, perform, syncAfter, time, stored } = club;
    const [event] = newestFirst as [StoredEvent];
    upstream.events.set(80_000, { ...event, id: 80_000, createdAt: '2099-01-01T00:00:00.000Z' });
    await syncAfter(20);
    const createdAt = new Date(time.now()).toISOString();
    for (let id = 70_001; id <= 70_250; id += 1) {
      upstream.events.set(id, { ...event, id, createdAt });
    }
    await syncAfter(20);
    await expectEqual(club, [80_000]);
    expect((await stored()).has(80_000)).toBe(true);
    // 51 of them were on no list.
    const { mirrors } = await perform('mirror status');
    expect(mirrors[0]?.coverage.holes).toHaveLength(1);
  });

  it('a mirror loses no event by ten false 404s in each sync', { tags: 'long' }, async () => {
    // All upcoming, and some of them on no list: those are confirmed by id.
    const date = new Date(Date.parse(conferencesNow) + 20 * 86_400_000).toISOString();
    const used = choose(conferences, conferences.slice(-240));
    const events = used.map((event) => ({ ...event, date, status: 'active' as const }));
    const club = await openClub({ events: events.slice(-200), hasLink: false });
    const { upstream, perform, syncAfter, stored } = club;
    for (const event of events) upstream.events.set(event.id, event);
    await perform('mirror add-ids', { ids: events.map(({ id }) => `${id}`) });
    const listed = new Set(newestFirst.slice(0, 200).map(({ id }) => id));
    const before = await readAnswers(club);
    const random = createRandom(4);
    let lies = 0;
    let left = 0;
    upstream.fault = ({ id }) => {
      const isHit = id !== undefined && !listed.has(id) && left > 0 && random(4) === 0;
      if (!isHit) return undefined;
      left -= 1;
      lies += 1;
      return faults['404'];
    };
    // A week of them, or some hours.
    const syncs = choose(600, 5);
    for (let sync = 0; sync < syncs; sync += 1) {
      left = 10;
      await syncAfter(16);
    }
    printFigure(
      `${lies} false 404s in ${syncs} syncs: ${events.length - (await stored()).size} events lost`,
    );
    expect(lies).toBeGreaterThan(syncs);
    expect((await stored()).size).toBe(events.length);
    expect(await readAnswers(club)).toEqual(before);
    upstream.fault = () => undefined;
    await syncAfter(20);
    await expectEqual(club, ids);
  });

  it.each(choose([-3, 3], [3]))(
    'syncs with a local clock that is %i hours off',
    { tags: 'long' },
    async (hours) => {
      const club = await openClub();
      const { local, upstream, time, syncAfter, perform } = club;
      local.error = hours * 3_600_000;
      const changed = changeUpstream(club);
      await syncAfter(20);
      await syncByHand(club);
      await syncAfter(20);
      await expectEqual(club, [...changed, ...ids]);
      const { mirrors } = await perform('mirror status');
      expect(mirrors[0]).toMatchObject({ problem: null, question: null });
      const list = await fetchWithKey(club.service, '/v1/events', upstream.key);
      const asOf = Date.parse(list.headers.get('data-as-of') ?? '');
      // Never later than the time of the reading on this computer.
      const expected = time.now() + Math.min(0, local.error);
      expect(Math.abs(asOf - expected)).toBeLessThan(60_000);
    },
  );

  // The short form measures the transport alone.
  it.each(choose(['gzip bomb', 'endless body'] as const, []))(
    'a mirror needs less than 300 MB for “%s” in a process',
    async (name) => {
      const club = await openClub();
      answer(faults[name])(club);
      const args = ['--home', club.home.directory, 'mirror', 'sync', '--user', 'Chess'];
      const { memory, status, stdout } = await measureCommand(args);
      printFigure(`A sync with “${name}” takes ${memory.toFixed(0)} MiB`);
      expect(stdout).toMatch(tooLarge);
      expect(status).toBe(1);
      expect(memory).toBeLessThan(300);
      expect(await club.stored()).toEqual(club.upstream.events);
    },
  );
});
