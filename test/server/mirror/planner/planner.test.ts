import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../../db/event-hash.ts';
import { coveredSince, eventOf, holesOf } from '../../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../../db/model.ts';
import { dayMs as day, minuteMs as minute } from '../../../../server/dates/units.ts';
import { plan } from '../../../../server/mirror/planner/planner.ts';
import {
  type Action,
  type Answer,
  createState,
  type Input,
  type MirrorState,
  type Request,
} from '../../../../server/mirror/planner/state.ts';
import { printFigure } from '../../../support/print.ts';
import { createRandom } from '../../../support/random.ts';

const start = Date.parse('2026-11-22T12:00:00.000Z');

function makeEvent(id: number, values: Partial<StoredEvent> = {}): StoredEvent {
  return {
    id,
    name: `Event ${id}`,
    date: '2026-01-01T12:00:00.000Z',
    location: '',
    description: null,
    status: 'active',
    eventType: null,
    registrationOpen: true,
    createdAt: new Date(start - day * 365 + id * minute).toISOString(),
    ...values,
  };
}

/** An online service that answers every request at once and truthfully. */
class Upstream {
  readonly events = new Map<number, StoredEvent>();
  readonly hasLink: boolean;
  /** True for another Club Events service. */
  readonly hasVersions: boolean;
  readonly changedIds: number[] = [];
  epoch = 'a';
  /** Epochs since whose revisions it can list the changes. */
  readonly knownEpochs = ['a'];
  now = start;

  constructor(count: number, { hasLink = false, hasVersions = false } = {}) {
    this.hasLink = hasLink || hasVersions;
    this.hasVersions = hasVersions;
    for (let id = 1; id <= count; id++) this.events.set(id, makeEvent(id));
  }

  change(id: number, event: StoredEvent | null): void {
    this.changedIds.push(id);
    if (event === null) this.events.delete(id);
    else this.events.set(id, event);
  }

  version() {
    if (!this.hasVersions) return null;
    const revision = `${this.epoch}.${this.changedIds.length}`;
    return { revision, digest: digestOf(this.events.values()) };
  }

  /** Answers with at most 200 changes; the link counts those before. */
  answerChanges(request: Extract<Request, { operation: 'changes' }>): Answer {
    const timing = { date: this.now, age: 0 };
    const [epoch, number] = request.since.split('.');
    if (!this.knownEpochs.includes(epoch ?? '')) return { kind: 'gone', request, timing };
    const from = request.url === null ? 0 : Number(new URL(request.url).searchParams.get('from'));
    const all = [...new Set(this.changedIds.slice(Number(number)))];
    const ids = all.slice(from, from + 200);
    const next = all.length > from + 200 ? `/v1/events?from=${from + 200}` : null;
    const events = ids.flatMap((id) => this.events.get(id) ?? []);
    const removed = ids.filter((id) => !this.events.has(id));
    const changes = { events, removed, unknownMembers: [], next, version: this.version() };
    return { kind: 'changes', request, timing, changes };
  }

  answer(request: Request): Answer {
    const timing = { date: this.now, age: 0 };
    if (request.operation === 'changes') return this.answerChanges(request);
    if (request.operation === 'byId') {
      const event = this.events.get(request.id);
      return event === undefined
        ? { kind: 'not_found', request, timing, shape: '404 application/json' }
        : { kind: 'event', request, timing, event, unknownMembers: [] };
    }
    const sorted = [...this.events.values()].sort((a, b) => b.id - a.id);
    const cursor =
      request.operation === 'page' ? Number(new URL(request.url).searchParams.get('before')) : null;
    const rest = sorted.filter(({ id }) => cursor === null || id < cursor);
    const events = rest.slice(0, 200);
    const etag = `"${hash('sha256', JSON.stringify(events))}"`;
    if (request.operation === 'list' && request.etag === etag) {
      return { kind: 'unchanged', request, timing, version: this.version() };
    }
    const hasNext = this.hasLink && rest.length > events.length;
    const next = hasNext ? `/v1/events?before=${events.at(-1)?.id}` : null;
    const version = this.version();
    const page = { events, unreadable: [], unknownMembers: [], next, etag, version };
    return { kind: 'page', request, timing, page };
  }
}

/** A mirror in memory, with all actions of its planner. */
class Mirror {
  readonly upstream: Upstream;
  state: MirrorState = createState('https://club.example/v1/', start);
  actions: Action[] = [];
  requests: Request[] = [];

  constructor(upstream: Upstream) {
    this.upstream = upstream;
  }

  /** Gives an input to the planner, and the answers to all requests that follow. */
  give(input: Input, answer = (request: Request): Answer => this.upstream.answer(request)): void {
    this.actions = [];
    this.requests = [];
    const inputs = [input];
    for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
      const actions = plan(this.state, next, { now: this.upstream.now, random: 0 });
      this.actions.push(...actions);
      for (const action of actions) {
        if (action.kind !== 'request') continue;
        this.requests.push(action.request);
        inputs.push(answer(action.request));
      }
    }
  }

  sync(minutes = 16): void {
    this.upstream.now += minutes * minute;
    this.give({ kind: 'tick' });
  }

  operations(): string[] {
    return this.requests.map((request) =>
      request.operation === 'byId' ? String(request.id) : request.operation,
    );
  }

  of<Kind extends Action['kind']>(kind: Kind): Extract<Action, { kind: Kind }>[] {
    return this.actions.filter(
      (action): action is Extract<Action, { kind: Kind }> => action.kind === kind,
    );
  }
}

function createMirror(
  count: number,
  options?: { readonly hasLink?: boolean; readonly hasVersions?: boolean },
): Mirror {
  const mirror = new Mirror(new Upstream(count, options));
  mirror.sync(0);
  return mirror;
}

/** Returns the answers of an upstream whose lists leave `registrationOpen` out. */
function hideRegistration({ upstream }: Mirror): (request: Request) => Answer {
  return (request) => {
    const answer = upstream.answer(request);
    if (answer.kind !== 'page') return answer;
    const events = answer.page.events.map(({ registrationOpen: _, ...event }) => event);
    return { ...answer, page: { ...answer.page, events } };
  };
}

describe('discovery', () => {
  it('learns the 404 of the upstream between two probes', () => {
    const mirror = createMirror(3);
    // The newest and the oldest event prove that the list is of this account.
    expect(mirror.operations()).toEqual(['list', '3', '1', '3', '1000000003', '3']);
    expect(mirror.state.source.absenceShape).toBe('404 application/json');
    expect(coveredSince(mirror.state.source.coverage)).toBe('');
  });

  it('needs one request if nothing changed', () => {
    const mirror = createMirror(3);
    mirror.sync();
    expect(mirror.operations()).toEqual(['list']);
    expect(mirror.of('store')).toEqual([]);
    expect(mirror.of('receipt')).toEqual([]);
  });

  it('reads 6,831 events with 35 list requests and one receipt', () => {
    const mirror = createMirror(6_831, { hasLink: true });
    expect(mirror.operations().filter((name) => name === 'list' || name === 'page')).toHaveLength(
      35,
    );
    expect(mirror.of('receipt').map(({ changes }) => changes.length)).toEqual([6_831]);
    expect(mirror.state.entries.size).toBe(6_831);
    expect(coveredSince(mirror.state.source.coverage)).toBe('');
  });

  it('calls a full list complete only above its oldest event', () => {
    const mirror = createMirror(500);
    expect(coveredSince(mirror.state.source.coverage)).toBe(makeEvent(301).createdAt);
  });

  it('calls a list complete after a longer one disproves the length that it learnt', () => {
    const mirror = createMirror(30);
    const { source } = mirror.state;
    const oldestListed = makeEvent(28).createdAt;
    const last = { after: oldestListed, until: oldestListed, oldest: oldestListed, entries: 3 };
    const coverage = { ...source.coverage, cap: 3, proven: [last], last };
    mirror.state.source = { ...source, coverage };
    const createdAt = new Date(mirror.upstream.now + minute).toISOString();
    mirror.upstream.events.set(31, makeEvent(31, { createdAt }));
    mirror.sync();
    expect(coveredSince(mirror.state.source.coverage)).toBe(makeEvent(1).createdAt);
    mirror.sync();
    expect(coveredSince(mirror.state.source.coverage)).toBe('');
  });

  it('finds a new event below a page of events that are created in the future', () => {
    const mirror = createMirror(100, { hasLink: true });
    const createdAt = '2099-01-01T00:00:00.000Z';
    for (let id = 1_001; id <= 1_200; id++) {
      mirror.upstream.events.set(id, makeEvent(id, { createdAt }));
    }
    mirror.sync();
    const { now } = mirror.upstream;
    const present = new Date(now + minute).toISOString();
    mirror.upstream.events.set(101, makeEvent(101, { createdAt: present }));
    mirror.sync();
    expect(mirror.state.entries.has(101)).toBe(true);
  });

  it('records a hole after more new events than a list has', () => {
    const mirror = createMirror(500);
    const importedAt = mirror.upstream.now + 10 * minute;
    for (let id = 501; id <= 800; id++) {
      const createdAt = new Date(importedAt + id).toISOString();
      mirror.upstream.events.set(id, makeEvent(id, { createdAt }));
    }
    mirror.sync();
    const oldest = new Date(importedAt + 601).toISOString();
    expect(holesOf(mirror.state.source.coverage).map(({ to }) => to)).toEqual([oldest]);
    expect(coveredSince(mirror.state.source.coverage)).toBe(oldest);
  });

  it('heals a hole when a good list covers it again', () => {
    const mirror = createMirror(500);
    const before = coveredSince(mirror.state.source.coverage);
    const createdAt = new Date(mirror.upstream.now + 10 * minute).toISOString();
    mirror.upstream.events.set(501, makeEvent(501, { createdAt }));
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = mirror.upstream.answer(request);
      if (answer.kind !== 'page') return answer;
      return { ...answer, page: { ...answer.page, events: answer.page.events.slice(0, 1) } };
    });
    expect(coveredSince(mirror.state.source.coverage)).toBe(createdAt);
    mirror.sync();
    expect(holesOf(mirror.state.source.coverage)).toEqual([]);
    expect(coveredSince(mirror.state.source.coverage)).toBe(before);
  });

  it('records a hole also if the clock of the upstream was set forward for one list', () => {
    const mirror = createMirror(500);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = mirror.upstream.answer(request);
      const timing = { date: mirror.upstream.now + 5 * 60 * minute, age: 0 };
      return { ...answer, timing } as Answer;
    });
    for (let id = 501; id <= 800; id++) {
      const createdAt = new Date(mirror.upstream.now + 60 * minute + id).toISOString();
      mirror.upstream.events.set(id, makeEvent(id, { createdAt }));
    }
    mirror.sync(6 * 60);
    expect(holesOf(mirror.state.source.coverage)).toHaveLength(1);
  });

  it('does not follow a Link to another origin', () => {
    const mirror = createMirror(500, { hasLink: true });
    mirror.upstream.now += day;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = mirror.upstream.answer(request);
      if (answer.kind !== 'page') return answer;
      return { ...answer, page: { ...answer.page, next: 'https://evil.example/v1/events' } };
    });
    expect(mirror.operations()).toEqual(['list']);
    expect(mirror.of('stop').map(({ problem }) => problem.code)).toEqual(['link_elsewhere']);
  });

  it('looks up an id that a script asked for', () => {
    const mirror = createMirror(500);
    mirror.give({ kind: 'want', ids: [7, 9_999] });
    mirror.sync();
    expect(mirror.state.entries.get(7)?.event).toEqual(makeEvent(7));
    expect(mirror.state.notFound.has(9_999)).toBe(true);
    expect(mirror.state.source.wanted).toEqual([]);
  });
});

describe('removal', () => {
  it('needs ten minutes by the local clock if that of the upstream jumps ahead', () => {
    const mirror = createMirror(3);
    const { upstream } = mirror;
    let ahead = 0;
    const answer = (request: Request): Answer => {
      const found = upstream.answer(request);
      return { ...found, timing: { date: upstream.now + ahead, age: 0 } } as Answer;
    };
    upstream.events.delete(2);
    upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, answer);
    expect(mirror.state.entries.get(2)?.suspect).not.toBeNull();
    // The computer wakes after two minutes.
    ahead = 60 * minute;
    upstream.now += 2 * minute;
    mirror.give({ kind: 'tick', isWake: true }, answer);
    expect(mirror.operations()).toContain('2');
    expect(mirror.of('remove')).toEqual([]);
    upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, answer);
    expect(mirror.of('remove')).toMatchObject([{ id: 2 }]);
  });

  it('needs two proofs that are ten minutes apart', () => {
    const mirror = createMirror(20);
    mirror.upstream.events.delete(5);
    mirror.sync();
    expect(mirror.of('remove')).toEqual([]);
    mirror.sync();
    expect(mirror.of('remove').map(({ id }) => id)).toEqual([5]);
    expect(mirror.of('receipt')).toMatchObject([{ changes: [{ id: 5, after: null }] }]);
  });

  it('takes no 404 as a proof for an event on the list of the same sync', () => {
    const mirror = createMirror(20);
    const { upstream } = mirror;
    const answer = upstream.answer.bind(upstream);
    upstream.answer = (request) =>
      request.operation === 'byId' && request.id === 5
        ? { ...answer({ ...request, id: 99 }), request }
        : answer(request);
    mirror.give({ kind: 'sync', round: 'all' });
    expect(mirror.of('remove')).toEqual([]);
    expect(mirror.of('suspect')).toEqual([]);
    expect(mirror.state).toMatchObject({ run: null, source: { problem: null } });
  });

  it('takes the second proof at once when a person asked for the sync', () => {
    const mirror = createMirror(20);
    mirror.upstream.events.delete(5);
    mirror.give({ kind: 'sync', round: 'due' });
    expect(mirror.of('remove').map(({ id }) => id)).toEqual([5]);
  });

  it('proves nothing if the probe fails', () => {
    const mirror = createMirror(20);
    mirror.upstream.events.delete(5);
    for (let round = 0; round < 3; round++) {
      mirror.upstream.now += 7 * 60 * minute;
      mirror.give({ kind: 'tick' }, (request) => {
        const answer = mirror.upstream.answer(request);
        if (request.operation !== 'byId') return answer;
        const { timing } = answer as Extract<Answer, { kind: 'event' }>;
        return { kind: 'not_found', request, timing, shape: '404 application/json' };
      });
      expect(mirror.of('stop').map(({ problem }) => problem.code)).toEqual(['by_id_broken']);
    }
    expect(mirror.state.entries.size).toBe(20);
  });

  it('removes nothing while ten events a sync give a false 404', () => {
    const random = createRandom(1);
    const mirror = createMirror(300);
    const upcoming = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const id of upcoming) {
      mirror.upstream.events.set(id, makeEvent(id, { date: '2026-12-01T12:00:00.000Z' }));
    }
    mirror.give({ kind: 'want', ids: upcoming });
    mirror.sync();
    for (let round = 0; round < 50; round++) {
      const falseIds = new Set(Array.from({ length: 10 }, () => 1 + random(60)));
      mirror.upstream.now += 17 * minute;
      mirror.give({ kind: 'tick' }, (request) => {
        const answer = mirror.upstream.answer(request);
        const isFalse = request.operation === 'byId' && falseIds.has(request.id);
        if (!isFalse || answer.kind !== 'event') return answer;
        const { timing } = answer;
        return { kind: 'not_found', request, timing, shape: '404 application/json' };
      });
    }
    expect(mirror.operations()).toContain('1');
    expect(mirror.state.entries.size).toBe(260);
  });

  it('keeps the first proof after an older answer of a cache', () => {
    const mirror = createMirror(20);
    mirror.upstream.events.delete(5);
    mirror.sync();
    const proof = mirror.state.entries.get(5)?.suspect;
    expect(proof).toMatchObject({ since: mirror.upstream.now, by: 'list' });
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      if (request.operation !== 'byId' || request.id !== 5) return mirror.upstream.answer(request);
      const timing = { date: start, age: mirror.upstream.now - start };
      return { kind: 'event', request, timing, event: makeEvent(5), unknownMembers: [] };
    });
    expect(mirror.operations()).toContain('5');
    expect(mirror.state.entries.get(5)?.suspect).toEqual(proof);
    expect(mirror.state.source.falseAbsenceAt).toBeNull();
  });

  it('asks a person before it removes more than a fifth of the events', () => {
    const mirror = createMirror(40);
    for (let id = 1; id <= 11; id++) mirror.upstream.events.delete(id);
    mirror.sync();
    mirror.sync();
    expect(mirror.of('ask')).toMatchObject([{ question: { kind: 'removals', reason: 'guard' } }]);
    expect(mirror.state.entries.size).toBe(40);
    mirror.give({ kind: 'sync', round: 'due', confirmsRemovals: true });
    expect(mirror.state.entries.size).toBe(29);
    expect(mirror.state.source.question).toBeNull();
  });
});

describe('the removal of many events', () => {
  /** Removes 120 of 150 events of the upstream. */
  function removeMost(): Mirror {
    const mirror = createMirror(150);
    for (let id = 1; id <= 120; id++) mirror.upstream.events.delete(id);
    mirror.upstream.now += 16 * minute;
    return mirror;
  }

  it('the removal of many events is one question for a person, whose consent covers all of them', () => {
    const mirror = removeMost();
    mirror.give({ kind: 'sync', round: 'due' });
    expect(mirror.of('remove')).toEqual([]);
    const [{ question } = {}] = mirror.of('ask');
    expect(question).toMatchObject({ kind: 'removals', reason: 'guard' });
    expect(question?.kind === 'removals' && question.ids).toHaveLength(120);
    mirror.give({ kind: 'sync', round: 'due', confirmsRemovals: true });
    expect(mirror.state.entries.size).toBe(30);
    expect(mirror.of('receipt').map(({ changes }) => changes.length)).toEqual([120]);
    mirror.sync();
    expect(mirror.operations()).toEqual(['list']);
    expect(mirror.state.source.question).toBeNull();
  });

  it('the removal of many events is one question with the true number without a person, too', () => {
    const mirror = removeMost();
    mirror.give({ kind: 'tick' });
    mirror.sync();
    const [{ question } = {}] = mirror.of('ask');
    expect(question?.kind === 'removals' && question.ids).toHaveLength(120);
    expect(mirror.state.entries.size).toBe(150);
  });
});

describe('an event that cannot be read', () => {
  /** Returns the answers of an upstream whose events with these ids cannot be read. */
  function spoil({ upstream }: Mirror, ...ids: readonly number[]): (request: Request) => Answer {
    return (request) => {
      const answer = upstream.answer(request);
      if (answer.kind === 'event' && ids.includes(answer.event?.id ?? 0)) {
        return { ...answer, event: null };
      }
      if (answer.kind !== 'page') return answer;
      const isSpoilt = ({ id }: StoredEvent): boolean => ids.includes(id);
      const events = answer.page.events.filter((event) => !isSpoilt(event));
      const unreadable = answer.page.events
        .filter(isSpoilt)
        .map(({ id, createdAt }) => ({ id, createdAt }));
      return { ...answer, page: { ...answer.page, events, unreadable } };
    };
  }

  it('keeps its last good version, and is named until it can be read', () => {
    const mirror = createMirror(3);
    for (const id of [1, 2]) mirror.upstream.change(id, makeEvent(id, { name: 'Renamed' }));
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, spoil(mirror, 2));
    expect(mirror.state.entries.get(1)?.event.name).toBe('Renamed');
    expect(mirror.state.entries.get(2)?.event).toEqual(makeEvent(2));
    expect(mirror.state.source).toMatchObject({ problem: null, unreadable: [2] });
    expect(mirror.of('suspect')).toEqual([]);
    expect(coveredSince(mirror.state.source.coverage)).toBe('');
    mirror.sync();
    expect(mirror.state.entries.get(2)?.event.name).toBe('Renamed');
    expect(mirror.state.source.unreadable).toEqual([]);
  });

  it('an event that cannot be read is no longer named after it was removed', () => {
    const mirror = createMirror(3);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, spoil(mirror, 2));
    mirror.upstream.change(2, null);
    mirror.give({ kind: 'sync', round: 'due' });
    expect(mirror.state.entries.has(2)).toBe(false);
    expect(mirror.state.source.unreadable).toEqual([]);
  });

  it('an event that cannot be read is not removed by a 404 while the list has it', () => {
    const mirror = createMirror(3);
    const answer = spoil(mirror, 2);
    for (let round = 0; round < 3; round++) {
      mirror.upstream.now += 16 * minute;
      mirror.give({ kind: 'sync', round: 'all' }, (request) =>
        request.operation === 'byId' && request.id === 2
          ? { ...mirror.upstream.answer({ ...request, id: 99 }), request }
          : answer(request),
      );
    }
    expect(mirror.state.entries.has(2)).toBe(true);
  });

  it('makes no full list complete', () => {
    const mirror = createMirror(200);
    const oldest = makeEvent(1).createdAt;
    expect(coveredSince(mirror.state.source.coverage)).toBe(oldest);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, spoil(mirror, 100));
    expect(coveredSince(mirror.state.source.coverage)).toBe(oldest);
    expect(mirror.state.source.coverage.last).toMatchObject({ entries: 200 });
  });

  it('leaves the time before it unproven if it is unknown', () => {
    const mirror = createMirror(3);
    mirror.upstream.now += 16 * minute;
    const createdAt = new Date(mirror.upstream.now - minute).toISOString();
    mirror.upstream.events.set(4, makeEvent(4, { createdAt }));
    mirror.give({ kind: 'tick' }, spoil(mirror, 4));
    expect(coveredSince(mirror.state.source.coverage)).toBe(createdAt);
    expect(mirror.state.source.unreadable).toEqual([4]);
    mirror.sync();
    expect(coveredSince(mirror.state.source.coverage)).toBe('');
  });

  it.each([
    ['an unknown creation time', null],
    ['a creation time in the future', '2099-01-01T00:00:00.000Z'],
  ])('an event that cannot be read with %s leaves a hole until it can be read', (_, createdAt) => {
    const mirror = createMirror(3);
    mirror.upstream.events.set(4, makeEvent(4, { createdAt: createdAt ?? makeEvent(4).createdAt }));
    for (let round = 0; round < 2; round++) {
      mirror.upstream.now += 16 * minute;
      mirror.give({ kind: 'tick' }, (request) => {
        const answer = spoil(mirror, 4)(request);
        if (answer.kind !== 'page') return answer;
        return { ...answer, page: { ...answer.page, unreadable: [{ id: 4, createdAt }] } };
      });
      const since = createdAt ?? '9999-12-31T23:59:59.999Z';
      expect(coveredSince(mirror.state.source.coverage)).toBe(since);
    }
    expect(mirror.state.source.coverage.proven).toHaveLength(2);
    mirror.sync();
    expect(coveredSince(mirror.state.source.coverage)).toBe('');
  });

  it('an event that cannot be read with an unknown creation time hides no later hole', () => {
    const mirror = createMirror(500);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = mirror.upstream.answer(request);
      if (answer.kind !== 'page') return answer;
      const events = answer.page.events.slice(0, 199);
      const unreadable = [{ id: 999, createdAt: null }];
      return { ...answer, page: { ...answer.page, events, unreadable } };
    });
    mirror.sync();
    const importedAt = mirror.upstream.now + 10 * minute;
    for (let id = 501; id <= 800; id++) {
      const createdAt = new Date(importedAt + id).toISOString();
      mirror.upstream.events.set(id, makeEvent(id, { createdAt }));
    }
    mirror.sync();
    const oldest = new Date(importedAt + 601).toISOString();
    expect(coveredSince(mirror.state.source.coverage)).toBe(oldest);
    expect(mirror.state.source.coverage.backdates).toBe(false);
  });

  it('proves nothing if all events of a full list are so', () => {
    const mirror = createMirror(500);
    const { proven } = mirror.state.source.coverage;
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, spoil(mirror, ...mirror.state.entries.keys()));
    expect(mirror.state.entries.size).toBe(200);
    expect(mirror.state.source.unreadable).toHaveLength(200);
    expect(mirror.state.source.coverage.proven[0]).toEqual(proven[0]);
    expect(coveredSince(mirror.state.source.coverage)).toBe('9999-12-31T23:59:59.999Z');
  });
});

describe('identity', () => {
  it('stops at the list of another account', () => {
    const mirror = createMirror(3);
    const other = new Upstream(0);
    for (let id = 101; id <= 103; id++) other.events.set(id, makeEvent(id));
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => other.answer(request));
    expect(mirror.of('ask')).toMatchObject([
      { question: { kind: 'reset', code: 'other_account' } },
    ]);
    expect([...mirror.state.entries.keys()].sort()).toEqual([1, 2, 3]);
  });

  /** Answers with the list of another account, as a cache that ignores the key. */
  function listOfOthers(mirror: Mirror, age = 0): (request: Request) => Answer {
    const other = new Upstream(0);
    for (let id = 101; id <= 103; id++) other.events.set(id, makeEvent(id));
    return (request) => {
      if (request.operation === 'byId') return mirror.upstream.answer(request);
      const timing = { date: mirror.upstream.now, age };
      return { ...other.answer(request), timing } as Answer;
    };
  }

  it.each([
    ['with events that this key does not show', 0, 'other_account'],
    ['from a cache', 500_000, 'answer_outdated'],
  ])('stores no list without a known event %s', (_, age, code) => {
    const mirror = createMirror(3);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, listOfOthers(mirror, age));
    expect(mirror.of('stop').map(({ problem }) => problem.code)).toEqual([code]);
    expect([...mirror.state.entries.keys()].sort()).toEqual([1, 2, 3]);
  });

  it('stores no first list whose events this key does not show', () => {
    const mirror = new Mirror(new Upstream(3));
    mirror.give({ kind: 'tick' }, listOfOthers(mirror));
    expect(mirror.of('stop')).toMatchObject([{ problem: { code: 'by_id_broken', id: 103 } }]);
    expect(mirror.state.entries.size).toBe(0);
  });

  it('stores no list without a known event whose events have other values', () => {
    const mirror = createMirror(3);
    mirror.upstream.now += 16 * minute;
    for (let id = 101; id <= 103; id++) {
      mirror.upstream.events.set(id, makeEvent(id, { name: 'Other' }));
    }
    mirror.give({ kind: 'tick' }, listOfOthers(mirror));
    expect(mirror.of('stop')).toMatchObject([{ problem: { code: 'other_account' } }]);
    expect(mirror.of('store')).toEqual([]);
  });

  it('does not recognise its account by the id of an event that cannot be read', () => {
    const mirror = createMirror(3);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = listOfOthers(mirror)(request);
      if (answer.kind !== 'page') return answer;
      return { ...answer, page: { ...answer.page, unreadable: [{ id: 3, createdAt: null }] } };
    });
    expect(mirror.of('stop')).toMatchObject([{ problem: { code: 'other_account' } }]);
  });

  it('takes a list of new events only, if the service shows them and an earlier one', () => {
    const mirror = createMirror(3);
    for (let id = 1_001; id <= 1_200; id++) mirror.upstream.events.set(id, makeEvent(id));
    mirror.sync();
    expect(mirror.operations().slice(0, 4)).toEqual(['list', '1200', '1001', '3']);
    expect(mirror.state.entries.size).toBe(203);
  });

  it.each([
    ['stops at events of another account among known ones', true, 3],
    ['takes new events although known ones are missing', false, 5],
  ])('%s', (_, areOthers, size) => {
    const mirror = createMirror(3);
    const other = new Upstream(1);
    for (let id = 101; id <= 103; id++) other.events.set(id, makeEvent(id));
    if (!areOthers) for (const id of [2, 3]) mirror.upstream.events.delete(id);
    if (!areOthers) mirror.upstream.events.set(101, makeEvent(101));
    if (!areOthers) mirror.upstream.events.set(102, makeEvent(102));
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) =>
      areOthers && request.operation !== 'byId'
        ? { ...other.answer(request) }
        : mirror.upstream.answer(request),
    );
    const codes = mirror.of('stop').map(({ problem }) => problem.code);
    expect(codes).toEqual(areOthers ? ['other_account'] : []);
    // The two that are missing wait for their second proof.
    expect(mirror.state.entries.size).toBe(size);
  });

  it('names events that are not those of the digest', () => {
    const mirror = createMirror(3, { hasVersions: true });
    mirror.upstream.now += 16 * minute;
    const answer = (request: Request): Answer => {
      const each = mirror.upstream.answer(request);
      if (each.kind !== 'page') return each;
      return { ...each, page: { ...each.page, version: { revision: 'a.9', digest: '0' } } };
    };
    mirror.give({ kind: 'sync', round: 'all' }, answer);
    expect(mirror.state.source.problem?.code).toBe('digest_differs');
    mirror.sync();
    expect(mirror.state.source.problem).toBeNull();
  });

  it('stops at a known id with another creation time', () => {
    const mirror = createMirror(3);
    mirror.upstream.events.set(
      2,
      makeEvent(2, { createdAt: makeEvent(2).createdAt.replace('00.000Z', '01.000Z') }),
    );
    mirror.sync();
    expect(mirror.of('stop')).toMatchObject([{ problem: { code: 'event_replaced', id: 2 } }]);
    expect(mirror.of('store')).toEqual([]);
  });
});

describe('equality', () => {
  it('shows registrationOpen in the operations that send it', () => {
    const mirror = new Mirror(new Upstream(1));
    const omitInLists = hideRegistration(mirror);
    mirror.give({ kind: 'tick' }, omitInLists);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, omitInLists);
    const entry = mirror.state.entries.get(1);
    expect(entry && 'registrationOpen' in eventOf(entry, 'list')).toBe(false);
    expect(entry && eventOf(entry, 'byId')).toEqual(makeEvent(1));
    expect(mirror.of('receipt')).toEqual([]);
  });

  it('asks by id for an event that a list without registrationOpen changed', () => {
    const mirror = new Mirror(new Upstream(5));
    const omitInLists = hideRegistration(mirror);
    // Events of the past, which are confirmed once a month.
    for (let id = 1; id <= 5; id++) {
      mirror.upstream.events.set(id, makeEvent(id, { date: '2020-01-01T00:00:00.000Z' }));
    }
    mirror.give({ kind: 'tick' }, omitInLists);
    const changed = makeEvent(2, { date: '2020-01-01T00:00:00.000Z', name: 'Renamed' });
    mirror.upstream.events.set(2, { ...changed, registrationOpen: false });
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, omitInLists);
    expect(mirror.operations()).toEqual(['list', '5', '2']);
    expect(mirror.state.entries.get(2)?.event).toMatchObject({
      name: 'Renamed',
      registrationOpen: false,
    });
  });

  it('asks for a hundred events in a sync: changed ones, then those that wait for the longest time', () => {
    const mirror = new Mirror(new Upstream(200));
    const omitInLists = hideRegistration(mirror);
    const upcoming = { date: '2026-12-01T12:00:00.000Z' };
    for (let id = 1; id <= 200; id++) mirror.upstream.events.set(id, makeEvent(id, upcoming));
    const sync = () => {
      mirror.upstream.now += 16 * minute;
      mirror.give({ kind: 'tick' }, omitInLists);
      // After the list and the probe.
      return mirror.operations().slice(2);
    };
    mirror.give({ kind: 'tick' }, omitInLists);
    const first = new Set(mirror.operations());
    expect(sync()).toHaveLength(100);
    mirror.upstream.events.set(7, makeEvent(7, { ...upcoming, name: 'Renamed' }));
    const [changed, ...others] = sync();
    expect(changed).toBe('7');
    expect(others).toHaveLength(99);
    expect(others.filter((id) => !first.has(id))).toEqual([]);
  });

  it('asks for near events each day, although thousands of past ones wait', () => {
    const mirror = new Mirror(new Upstream(2_000, { hasLink: true }));
    const omitInLists = hideRegistration(mirror);
    const near = ['400', '800', '1200'];
    for (const id of near.map(Number)) {
      mirror.upstream.events.set(id, makeEvent(id, { date: '2026-12-20T12:00:00.000Z' }));
    }
    const asked = new Set<string>();
    const sync = () => {
      mirror.upstream.now += 16 * minute;
      mirror.give({ kind: 'tick' }, omitInLists);
      const ids = mirror.operations().filter((operation) => /^\d+$/.test(operation));
      for (const id of ids) if (mirror.upstream.events.has(Number(id))) asked.add(id);
      return ids;
    };
    expect(sync()).toEqual(expect.arrayContaining(near));
    // Past events are asked for once; near ones again and again.
    for (let day = 0; day < 25; day++) {
      mirror.upstream.now += 24 * 60 * minute;
      expect(sync().slice(0, 5), `day ${day}`).toEqual(expect.arrayContaining(near));
    }
    expect(asked.size).toBe(2_000);
  });

  it('hides a registrationOpen that no operation sends any more, without further requests', () => {
    const mirror = createMirror(1);
    mirror.give({ kind: 'sync', round: 'all' });
    const { registrationOpen: _, ...event } = makeEvent(1);
    mirror.upstream.events.set(1, event);
    mirror.give({ kind: 'sync', round: 'all' });
    expect(mirror.of('receipt')).toEqual([]);
    mirror.sync(60 * 24 * 40);
    expect(mirror.operations()).toEqual(['list']);
    const entry = mirror.state.entries.get(1);
    expect(entry && eventOf(entry, 'list')).toEqual(event);
    expect(entry && eventOf(entry, 'byId')).toEqual(event);
  });
});

describe('another Club Events service', () => {
  const rename = (id: number): StoredEvent => makeEvent(id, { name: 'Renamed' });

  function createTwin(count = 1_000): Mirror {
    const mirror = createMirror(count, { hasVersions: true });
    mirror.sync();
    expect(mirror.operations()).toEqual(['list']);
    return mirror;
  }

  it('confirms all events with one request if nothing changed', () => {
    const mirror = createTwin();
    mirror.sync(40 * 24 * 60);
    expect(mirror.operations()).toEqual(['list']);
    const times = [...mirror.state.entries.values()].map(({ confirmedAt }) => confirmedAt);
    expect(new Set(times)).toEqual(new Set([mirror.upstream.now]));
    expect(mirror.of('receipt')).toEqual([]);
  });

  it('learns of old changes from one more request', () => {
    const mirror = createTwin();
    mirror.upstream.change(5, rename(5));
    mirror.sync();
    expect(mirror.operations()).toEqual(['list', 'changes']);
    expect(mirror.of('receipt')).toMatchObject([{ changes: [{ id: 5, after: rename(5) }] }]);
    mirror.sync();
    expect(mirror.operations()).toEqual(['list']);
  });

  it('reads all pages of changes before it stores any', () => {
    const mirror = createTwin();
    for (let id = 1; id <= 300; id++) mirror.upstream.change(id, rename(id));
    mirror.sync();
    expect(mirror.operations()).toEqual(['list', 'changes', 'changes']);
    expect(mirror.of('receipt').map(({ changes }) => changes.length)).toEqual([300]);
  });

  it('removes an old event after a second proof only', () => {
    const mirror = createTwin();
    mirror.upstream.change(5, null);
    mirror.sync();
    expect(mirror.operations()).toEqual(['list', 'changes', '1000', '5', '1000']);
    expect(mirror.of('remove')).toEqual([]);
    mirror.sync();
    expect(mirror.operations()).toEqual(['list', '1000', '5', '1000']);
    expect(mirror.of('remove').map(({ id }) => id)).toEqual([5]);
    mirror.sync();
    expect(mirror.operations()).toEqual(['list']);
  });

  it('another Club Events service asks a person before it removes more than a fifth of the events', () => {
    const mirror = createTwin(300);
    for (let id = 1; id <= 61; id++) mirror.upstream.change(id, null);
    mirror.sync();
    mirror.sync();
    const [{ question } = {}] = mirror.of('ask');
    expect(question).toMatchObject({ kind: 'removals', reason: 'guard' });
    expect(question?.kind === 'removals' && question.ids).toHaveLength(61);
    expect(mirror.state.entries.size).toBe(300);
    mirror.give({ kind: 'sync', round: 'due', confirmsRemovals: true });
    expect(mirror.state.entries.size).toBe(239);
  });

  it.each([
    ['changes that the digest does not prove', { digest: digestOf([]) }],
    ['changes without a digest', null],
  ])('reads the list to its end after %s', (_, version) => {
    const mirror = createTwin();
    mirror.upstream.change(5, rename(5));
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = mirror.upstream.answer(request);
      if (answer.kind !== 'changes') return answer;
      const { changes } = answer;
      const wrong = version === null ? null : { revision: 'a.1', ...version };
      return { ...answer, changes: { ...changes, events: [rename(6)], version: wrong } };
    });
    const pages = ['page', 'page', 'page', 'page'];
    expect(mirror.operations()).toEqual(['list', 'changes', 'list', ...pages]);
    expect(mirror.of('receipt')).toMatchObject([{ changes: [{ id: 5 }] }]);
    mirror.sync();
    expect(mirror.operations()).toEqual(['list']);
  });

  it('reads the list to its end if a digest is of its first page only', () => {
    const mirror = createMirror(0, { hasVersions: true });
    for (let id = 1; id <= 300; id++) mirror.upstream.change(id, makeEvent(id));
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = mirror.upstream.answer(request);
      if (answer.kind !== 'page') return answer;
      const version = { revision: 'a.300', digest: digestOf(answer.page.events) };
      return { ...answer, page: { ...answer.page, version } };
    });
    expect(mirror.state.entries.size).toBe(300);
  });

  it('sends no conditional request if the digest could be of the first page only', () => {
    const mirror = createTwin(5);
    expect(mirror.requests).toEqual([expect.objectContaining({ operation: 'list', etag: null })]);
    const large = createTwin(300);
    const etag = expect.any(String);
    expect(large.requests).toEqual([expect.objectContaining({ operation: 'list', etag })]);
  });

  it('another Club Events service does not follow the link of changes to another origin', () => {
    const mirror = createTwin();
    mirror.upstream.change(5, rename(5));
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = mirror.upstream.answer(request);
      if (answer.kind !== 'changes') return answer;
      const changes = { ...answer.changes, next: 'https://evil.example/v1/events' };
      return { ...answer, changes };
    });
    const urls = mirror.requests.map((request) => ('url' in request ? request.url : null));
    expect(urls.filter((url) => url?.includes('evil'))).toEqual([]);
    expect(mirror.state.entries.get(5)?.event).toEqual(rename(5));
  });

  it('learns of changes from a node of a hub, where each push has another epoch', () => {
    const mirror = createTwin();
    for (const epoch of ['b', 'c']) {
      mirror.upstream.epoch = epoch;
      mirror.upstream.knownEpochs.push(epoch);
      mirror.upstream.change(5, { ...rename(5), location: epoch });
      mirror.sync();
      expect(mirror.operations()).toEqual(['list', 'changes']);
      expect(mirror.state.entries.get(5)?.event.location).toBe(epoch);
    }
  });

  it('reads the list to its end if the service has lost the epoch', () => {
    const mirror = createTwin();
    mirror.upstream.epoch = 'b';
    mirror.upstream.knownEpochs.splice(0, 1, 'b');
    mirror.upstream.change(5, rename(5));
    mirror.sync();
    expect(mirror.operations()).toEqual([
      'list',
      'changes',
      'list',
      'page',
      'page',
      'page',
      'page',
    ]);
    expect(mirror.state.entries.get(5)?.event).toEqual(rename(5));
    mirror.sync();
    expect(mirror.operations()).toEqual(['list']);
  });

  it('forgets the revision after two failures of the request for changes', () => {
    const mirror = createTwin();
    mirror.upstream.change(5, rename(5));
    const fail = (request: Request): Answer =>
      request.operation === 'changes'
        ? { kind: 'failure', request, code: 'server_failed', retryAfter: null }
        : mirror.upstream.answer(request);
    for (const failures of [1, 2]) {
      mirror.upstream.now += 40 * minute;
      mirror.give({ kind: 'tick' }, fail);
      expect(mirror.of('stop')).toMatchObject([{ problem: { code: 'server_failed' } }]);
      expect(mirror.state.source.failures).toBe(failures);
    }
    mirror.upstream.now += day;
    mirror.give({ kind: 'tick' }, fail);
    expect(mirror.state.source.problem).toBeNull();
    expect(mirror.state.entries.get(5)?.event).toEqual(rename(5));
  });

  it('reads the list to its end if a digest is of events with a hidden registrationOpen', () => {
    const mirror = new Mirror(new Upstream(300, { hasVersions: true }));
    const hide = hideRegistration(mirror);
    mirror.give({ kind: 'tick' }, hide);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, hide);
    expect(mirror.state.source.revision).toBeNull();
    expect(mirror.operations().slice(0, 3)).toEqual(['list', 'list', 'page']);
  });
});

describe('failures', () => {
  it('obeys Retry-After, also when a person asks for a sync', () => {
    const mirror = createMirror(3);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => ({
      kind: 'failure',
      request,
      code: 'too_many_requests',
      retryAfter: 120 * minute,
    }));
    mirror.upstream.now += 119 * minute;
    mirror.give({ kind: 'sync', round: 'due' });
    expect(mirror.requests).toEqual([]);
    mirror.upstream.now += minute;
    mirror.give({ kind: 'tick' });
    expect(mirror.operations()).toEqual(['list']);
  });

  it.each([
    ['five seconds', 5_000, 5_000],
    ['a week', 7 * day, day],
  ])('lets a person wait as long as the upstream asked, at most a day: %s', (_, asked, waits) => {
    const mirror = createMirror(3);
    const fail = (code: 'server_failed' | 'too_many_requests', retryAfter: number | null) => {
      mirror.upstream.now = Math.max(mirror.upstream.now, mirror.state.source.nextAt);
      mirror.give({ kind: 'tick' }, (request) => ({ kind: 'failure', request, code, retryAfter }));
    };
    for (let failure = 0; failure < 3; failure += 1) fail('server_failed', null);
    fail('too_many_requests', asked);
    const failedAt = mirror.upstream.now;
    mirror.upstream.now += waits - 1;
    mirror.give({ kind: 'sync', round: 'due' });
    expect(mirror.requests).toEqual([]);
    mirror.upstream.now += 1;
    // The scheduler waits longer after each failure.
    expect(mirror.state.source.nextAt - failedAt).toBeGreaterThanOrEqual(120 * minute);
    mirror.give({ kind: 'sync', round: 'due' });
    expect(mirror.operations()).toEqual(['list']);
  });

  it('syncs early when the network returns', () => {
    const mirror = createMirror(3);
    mirror.upstream.now += 30_000;
    mirror.give({ kind: 'tick', isWake: true });
    expect(mirror.requests).toEqual([]);
    mirror.upstream.now += 30_000;
    mirror.give({ kind: 'tick' });
    expect(mirror.requests).toEqual([]);
    mirror.give({ kind: 'tick', isWake: true });
    expect(mirror.operations()).toEqual(['list']);
  });

  it('waits after a sync that was killed', () => {
    const mirror = createMirror(3);
    mirror.upstream.now += 16 * minute;
    const clock = { now: mirror.upstream.now, random: 0 };
    plan(mirror.state, { kind: 'tick' }, clock);
    mirror.state.run = null;
    mirror.sync(14);
    expect(mirror.requests).toEqual([]);
    mirror.sync(1);
    expect(mirror.operations()).toEqual(['list']);
  });

  it('syncs with a local clock that is three hours slow', () => {
    const mirror = createMirror(3);
    mirror.upstream.events.set(4, makeEvent(4));
    const clock = { now: start - 180 * minute, random: 0 };
    const actions = plan(mirror.state, { kind: 'tick' }, clock);
    expect(actions.filter(({ kind }) => kind === 'request')).toHaveLength(1);
  });

  it('learns the difference of the clocks from a refused answer, too', () => {
    const mirror = createMirror(3);
    mirror.upstream.now += 16 * minute;
    mirror.give({ kind: 'tick' }, (request) => {
      const answer = mirror.upstream.answer({ ...request, etag: null } as Request);
      if (answer.kind !== 'page') return answer;
      const timing = { date: mirror.upstream.now + 300 * minute, age: 0 };
      const events = answer.page.events.toReversed();
      return { ...answer, timing, page: { ...answer.page, events } };
    });
    expect(mirror.of('stop')).toMatchObject([{ problem: { code: 'list_shuffled' } }]);
    expect(mirror.state.source.clockOffset).toBe(300 * minute);
  });
});

describe('the cost of the planner', { tags: 'long' }, () => {
  /** Returns the processor time in ms for the confirmation of all events, one by one. */
  function measureRound(count: number): number {
    const mirror = createMirror(count, { hasLink: true });
    const start = process.cpuUsage();
    mirror.give({ kind: 'sync', round: 'all' });
    const { user, system } = process.cpuUsage(start);
    expect(mirror.operations().length).toBeGreaterThan(count);
    return (user + system) / 1_000;
  }

  it('the cost of the planner is less than 5 s of processor time for 16,000 confirmations', {
    tags: 'long',
  }, () => {
    const spent = measureRound(16_000);
    printFigure(`16,000 confirmations take ${(spent / 1_000).toFixed(1)} s of processor time`);
    expect(spent).toBeLessThan(5_000);
  });
});
