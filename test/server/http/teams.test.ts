import { describe, expect, it } from 'vitest';
import { editEvents } from '../../../db/event-edit.ts';
import { undoBatch } from '../../../db/history.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { closeStore, inSnapshot, type Writer } from '../../../db/open.ts';
import { readTeams, type StoredTeam, textOfTeam } from '../../../db/teams.ts';
import { insertUser } from '../../../db/users.ts';
import type { ActionName } from '../../../server/actions/catalogue.ts';
import { prepareSentEvents } from '../../../server/http/event-reads.ts';
import { RequestError } from '../../../server/http/problems.ts';
import { parseEventQuery } from '../../../server/http/query.ts';
import { addMember, createdAt, makeEvent, makeTestHome, openMemory } from '../../support/home.ts';
import { eachPage } from '../../support/list.ts';
import { choose } from '../../support/long.ts';
import { performHere } from '../../support/perform.ts';
import { createRandom } from '../../support/random.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

type Problem = { readonly code: string; readonly parameter: string; readonly detail: string };
type Body = Problem & {
  readonly events: readonly StoredEvent[];
  readonly removed: readonly number[];
};

const season = [
  makeEvent(1, { name: 'U15 training', location: 'Hall' }),
  makeEvent(2, { name: 'Board' }),
  makeEvent(3, { name: 'U15 – City', eventType: 'regional', status: 'cancelled' }),
  makeEvent(4, { name: 'Ü15 camp', eventType: null }),
];

async function serveClub(events = season) {
  const home = makeTestHome();
  const { key } = await addMember(home, 'Rovers', events);
  const service = await serveForTest(home);
  const perform = <Name extends ActionName>(name: Name, args: object) =>
    performHere<Name>(name, name === 'undo' ? args : { user: 'Rovers', ...args }, {
      home,
      onProgress: () => undefined,
    });
  await perform('team add', { name: 'U15', words: 'U15' });
  await perform('team add', { name: 'Gemütliche "Runde"', words: 'Board' });
  const ask = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetchWithKey(service, `/v1/events?${query}`, key, headers);
    const text = await answer.text();
    const body = (text === '' || !text.startsWith('{') ? {} : JSON.parse(text)) as Body;
    const revision = answer.headers.get('events-revision') ?? '';
    const ids = body.events?.map(({ id }) => id);
    return { ...body, status: answer.status, headers: answer.headers, text, revision, ids };
  };
  return { home, key, service, perform, ask };
}

describe('GET /v1/events?team', () => {
  it('has the events of the team, with the same members as without it', async () => {
    const { ask } = await serveClub();
    const all = await ask('');
    for (const name of ['U15', 'u15', '%C3%9C15', '+u15+']) {
      const { ids, headers, events } = await ask(`team=${name}`);
      expect(ids).toEqual([4, 3, 1]);
      expect(headers.get('total-count')).toBe('3');
      expect(headers.get('events-digest')).toBeNull();
      expect(headers.get('ignored-parameters')).toBeNull();
      expect(all.events).toEqual(expect.arrayContaining([...events]));
    }
    expect((await ask('team=gemutliche+%22runde%22')).ids).toEqual([2]);
  });

  it.each<[query: string, ids: readonly number[]]>([
    ['status=active', [4, 1]],
    ['eventType=none', [4]],
    ['eventType=regional,club', [3, 1]],
    ['q=cam', [4]],
    ['q=board', []],
    ['sort=date&order=asc', [1, 3, 4]],
    ['from=2026-05-02', []],
  ])('combines with %s', async (query, ids) => {
    const { ask } = await serveClub();
    const answer = await ask(`team=U15&${query}`);
    expect(answer.ids).toEqual(ids);
    expect(answer.headers.get('total-count')).toBe(String(ids.length));
  });

  it('refuses an unknown name with the names of the teams, before and after a change', async () => {
    const { ask, perform } = await serveClub();
    const names = 'There is no such team; the teams of the club are "U15", "Gemütliche "Runde"".';
    for (const query of [
      'team=U17',
      'team=',
      'team=U17&limit=2',
      'since=0123456789abcdef.1&team=x',
    ]) {
      expect(await ask(query)).toMatchObject({
        ...{ status: 400, code: 'invalid_parameter', parameter: 'team', detail: names },
      });
    }
    expect(await ask('team=U15&team=U15')).toMatchObject({ status: 400, parameter: 'team' });
    await perform('team remove', { name: 'U15' });
    expect(await ask('team=U15')).toMatchObject({
      ...{ status: 400, detail: expect.not.stringContaining('U15') },
    });
    await perform('team remove', { name: 'gemutliche "Runde"' });
    const none = 'The club has no teams; leave out the parameter "team".';
    expect(await ask('team=U15')).toMatchObject({ status: 400, detail: none });
  });

  it('pages through the team, and refuses the cursor of another team or of its earlier words', async () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      makeEvent(at + 1, { name: at % 3 === 0 ? 'U15 training' : 'Board' }),
    );
    const { ask, perform, service, key } = await serveClub(many);
    const seen: number[] = [];
    for await (const { events, total } of eachPage(service, '/v1/events?team=U15&limit=3', key)) {
      seen.push(...events.map(({ id }) => id));
      expect(total).toBe(10);
    }
    expect(seen).toEqual([28, 25, 22, 19, 16, 13, 10, 7, 4, 1]);
    const { headers } = await ask('team=U15&limit=3');
    const [, cursor] = /cursor=([^>]+)>/.exec(headers.get('link') ?? '') ?? [];
    const follow = (name: string) => ask(`team=${name}&limit=3&cursor=${cursor}`);
    expect((await follow('u15')).ids).toEqual([19, 16, 13]);
    const refused = { status: 400, parameter: 'cursor' };
    expect(await follow('gemutliche+"runde"')).toMatchObject(refused);
    await perform('team change', { name: 'U15', words: 'U15, Board' });
    expect(await follow('U15')).toMatchObject(refused);
    expect((await ask('team=U15')).headers.get('total-count')).toBe('30');
  });

  it('names what left the team in "removed", and asks for all after a change of the team', async () => {
    const { ask, perform } = await serveClub();
    const { revision } = await ask('team=U15');
    const since = (from: string) => ask(`since=${from}&team=U15`);
    expect(await since(revision)).toMatchObject({ status: 200, events: [], removed: [] });
    await perform('event edit', { id: 1, changes: { name: 'U17 training' } });
    const { batch } = await perform('event edit', { id: 2, changes: { name: 'Board and U15' } });
    await perform('event remove', { id: 3 });
    const changed = await since(revision);
    expect([changed.ids, changed.removed.toSorted()]).toEqual([[2], [1, 3]]);
    expect(changed.headers.get('events-digest')).toBeNull();
    await perform('undo', { id: batch });
    expect(await since(changed.revision)).toMatchObject({ events: [], removed: [2] });
    const before = await since(changed.revision);
    await perform('team change', { name: 'U15', without: 'camp' });
    expect(await since(before.revision)).toMatchObject({ status: 410, code: 'revision_gone' });
    // Another team stays as it is.
    const other = `since=${before.revision}&team=gemutliche+"runde"`;
    expect(await ask(other)).toMatchObject({ status: 200, events: [], removed: [] });
    const after = await ask('team=U15');
    expect(after.revision).not.toBe(before.revision);
    expect(await since(after.revision)).toMatchObject({ status: 200, events: [] });
    expect(await ask(`since=${after.revision}&team=U15&status=active`)).toMatchObject({
      ...{ status: 400, parameter: 'since' },
    });
  });

  it('keeps its tag while the events of the team are the same, and wakes a client that waits', async () => {
    const { ask, perform } = await serveClub();
    const etag = (await ask('team=U15')).headers.get('etag') ?? '';
    const asked = { 'If-None-Match': etag };
    await perform('event edit', { id: 2, changes: { name: 'Committee' } });
    expect((await ask('team=U15', asked)).status).toBe(304);
    const waits = ask('team=U15', { ...asked, Prefer: 'wait=50' });
    const follows = ask(`since=${(await ask('')).revision}&team=U15`, { Prefer: 'wait=50' });
    await perform('event edit', { id: 1, changes: { name: 'U15 run' } });
    expect((await waits).status).toBe(200);
    expect((await follows).ids).toEqual([1]);
    const { revision } = await ask('');
    const narrowed = ask(`since=${revision}&team=U15`, { Prefer: 'wait=50' });
    await perform('team change', { name: 'U15', words: 'run' });
    expect((await narrowed).status).toBe(410);
    expect((await ask('team=U15')).ids).toEqual([1]);
  });

  it('comes as a calendar and as CSV', async () => {
    const { ask } = await serveClub();
    for (const accept of ['text/calendar', 'text/csv']) {
      const { text } = await ask('team=U15', { Accept: accept });
      expect(text).toContain('U15 training');
      expect(text).not.toContain('Board');
    }
  });

  it('never shows the teams of another user', async () => {
    const { home, service, ask } = await serveClub();
    const { key } = await addMember(home, 'Chess', [makeEvent(1, { name: 'U15 open' })]);
    const answer = await fetchWithKey(service, '/v1/events?team=U15', key);
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toContain('U15');
    expect((await ask('team=U15')).ids).toEqual([4, 3, 1]);
  });
});

const tokens = ['U15', 'U 15', 'Board', 'Herren 1', 'Cup', 'camp'];

/** Tells whether an event is in a team, in another way than the program: none of these words goes on. */
function isInTeam({ words, without, place, eventType }: StoredTeam, event: StoredEvent): boolean {
  const has = (text: string, choices: string) =>
    choices
      .split(',')
      .filter((choice) => choice.trim() !== '')
      .some((choice) => ` ${text} `.toLowerCase().includes(` ${choice.trim().toLowerCase()} `));
  return (
    has(event.name, words) &&
    !has(event.name, without) &&
    (place === '' || has(event.location, place)) &&
    (eventType === null || (event.eventType ?? 'none') === eventType)
  );
}

/** A client that follows a team: it reads all once, then only changes. */
type Follower = {
  readonly name: string;
  revision?: string;
  readonly events: Map<number, StoredEvent>;
};

function prepareFollowing(db: Writer) {
  const sent = prepareSentEvents(db);
  const readAll = (userId: number, name: string) => {
    const events: StoredEvent[] = [];
    let cursor: string | undefined;
    let revision: string | undefined;
    do {
      const query = { team: name, limit: '3', ...(cursor !== undefined && { cursor }) };
      const parsed = parseEventQuery(`${new URLSearchParams(query)}`);
      const page = inSnapshot(db, () => sent.page(userId, parsed));
      events.push(...page.events);
      revision ??= page.revision;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return { events, revision };
  };
  const follow = (userId: number, follower: Follower): 'read' | 'followed' | 'unknown' => {
    const { name, events } = follower;
    try {
      if (follower.revision !== undefined) {
        let next: string | undefined = follower.revision;
        let revision: string | undefined;
        while (next !== undefined) {
          const query = { since: next, team: name, limit: '2' };
          const parsed = parseEventQuery(`${new URLSearchParams(query)}`);
          if (parsed.since === undefined) throw new Error('no revision');
          const page = sent.changes(userId, parsed.since, parsed);
          for (const event of page.events) events.set(event.id, event);
          for (const id of page.removed) events.delete(id);
          revision ??= page.revision;
          next = page.next;
        }
        if (revision !== undefined) follower.revision = revision;
        return 'followed';
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      events.clear();
      delete follower.revision;
      if (error.code === 'malformed_team') return 'unknown';
      expect(error.code).toBe('revision_gone');
    }
    try {
      const all = readAll(userId, name);
      for (const event of all.events) events.set(event.id, event);
      if (all.revision !== undefined) follower.revision = all.revision;
    } catch (error) {
      if (error instanceof RequestError && error.code === 'malformed_team') return 'unknown';
      throw error;
    }
    return 'read';
  };
  return { readAll, follow };
}

it('gives a client that follows a team the events of a fresh read, through all changes', {
  tags: 'long',
}, () => {
  const db = openMemory();
  const { readAll, follow } = prepareFollowing(db);
  const reached = { read: 0, followed: 0, unknown: 0, undone: 0, empty: 0, full: 0 };
  for (let seed = 1; seed <= choose(500, 40); seed += 1) {
    const random = createRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
    const some = (list: readonly string[], most: number) =>
      Array.from({ length: random(most + 1) }, () => pick(list));
    const nameOf = () => ['Event', ...some(tokens, 3)].join(' ');
    const userId = insertUser(db, `Club ${seed}`, createdAt) ?? 0;
    const batches: number[] = [];
    const followers: Follower[] = ['A', 'B'].map((name) => ({ name, events: new Map() }));
    const ids: number[] = [];
    const now = () => new Date(Date.UTC(2026, 0, 1, 0, 0, batches.length)).toISOString();
    const edit = (change: Parameters<typeof editEvents>[2]) => {
      const { batch } = editEvents(db, { userId, now: now() }, change);
      if (batch !== undefined) batches.push(batch);
    };
    const setTeam = (before: StoredTeam | undefined, after: object | undefined) => {
      const next = after && textOfTeam({ ...(before ?? {}), ...after } as StoredTeam);
      const old = before ? textOfTeam(before) : null;
      edit(({ set }) => set({ setting: 'team', before: old, after: next ?? null }));
    };
    const filterOf = () => ({
      words: [pick(tokens), ...some(tokens, 1)].join(', '),
      without: random(3) === 0 ? pick(tokens) : '',
      place: random(4) === 0 ? 'Hall' : '',
      eventType: pick([null, null, null, 'club', 'none'] as const),
    });
    const steps: readonly (() => void)[] = [
      () =>
        edit(({ add }) => {
          for (let at = random(3); at >= 0; at -= 1) {
            const location = pick(['Hall', 'Field', '']);
            const values = { name: nameOf(), date: createdAt, location };
            ids.push(add({ ...values, eventType: pick(['club', null]) })?.id ?? 0);
          }
        }),
      () =>
        edit(({ read, change }) => {
          const id = pick([...ids, 0]);
          if (read(id))
            change(id, pick([{ name: nameOf() }, { location: 'Hall' }, { eventType: null }]));
        }),
      () =>
        edit(({ read, remove }) => {
          const id = pick([...ids, 0]);
          if (read(id)) remove(id);
        }),
      () => {
        if (batches.length === 0) return;
        const outcome = undoBatch(db, pick(batches), now());
        if (outcome.kind !== 'undone') return;
        batches.push(outcome.batch);
        reached.undone += 1;
      },
      () => {
        const name = pick(['A', 'B', 'a']);
        const mark = { letters: 'A', colour: 1, position: 1 };
        setTeam(undefined, { id: 1 + random(1_000_000), name, ...mark, ...filterOf() });
      },
      () => {
        const team = pick([undefined, ...readTeams(db, userId)]);
        if (team) setTeam(team, pick([filterOf(), { name: pick(['A', 'B', 'b']) }, undefined]));
      },
    ];
    for (let step = 0; step < 24; step += 1) {
      pick([...steps, ...steps.slice(0, 3)])();
      const follower = pick(followers);
      const outcome = follow(userId, follower);
      reached[outcome] += 1;
      const team = readTeams(db, userId).find(
        ({ name }) => name.toLowerCase() === follower.name.toLowerCase(),
      );
      expect(outcome === 'unknown', `seed ${seed}`).toBe(team === undefined);
      if (team === undefined) continue;
      const byId = (one: StoredEvent, other: StoredEvent) => one.id - other.id;
      const fresh = readAll(userId, follower.name).events.toSorted(byId);
      expect([...follower.events.values()].toSorted(byId), `seed ${seed}`).toEqual(fresh);
      const stored = prepareSentEvents(db).page(userId, parseEventQuery('limit=200')).events;
      const own = stored.filter((event) => isInTeam(team, event)).toSorted(byId);
      expect(fresh, `seed ${seed}`).toEqual(own);
      reached[own.length === 0 ? 'empty' : 'full'] += 1;
    }
  }
  closeStore(db);
  for (const [outcome, times] of Object.entries(reached))
    expect(times, outcome).toBeGreaterThan(choose(100, 40));
});
