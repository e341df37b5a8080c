import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { teamMatcher } from '../../../db/team-filter.ts';
import {
  type ActionName,
  type ActionResult,
  catalogue,
} from '../../../server/actions/catalogue.ts';
import { type ActionTools, thisMachine } from '../../../server/club/tools.ts';
import { readCopyBytes } from '../../../server/copy/club-copy.ts';
import { findCopyInPage } from '../../../server/copy/page.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { filterEvents } from '../../../server/ui/data/event-queries.ts';
import { addMember, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { withUser } from '../../support/mirror.ts';
import { startTestService } from '../../support/service.ts';
import { callTool, connectAssistant } from '../mcp/assistant.ts';

// Each kind of event and of change crossed with each way in which the events of a team come out.

const user = 'Rovers';

async function openHome(zone: string) {
  const home = makeTestHome();
  const { key } = await addMember(home, user, [], { zone });
  let at = Date.parse('2026-11-19T08:00:00Z');
  const tools = {
    ...thisMachine,
    home,
    now: () => new Date(at),
    systemTimeZone: () => zone,
    write: async () => undefined,
    onProgress: () => undefined,
  } as ActionTools;
  const run = async <Name extends ActionName>(
    name: Name,
    args: object = {},
    write: (piece: string | Uint8Array) => unknown = () => undefined,
  ) => {
    at += 60_000;
    const all = await withUser(name, user, args);
    const own = { ...tools, write: async (piece: string | Uint8Array) => void write(piece) };
    return (await catalogue[name].perform(all, own)) as ActionResult<Name>;
  };
  return { home, key, run };
}

type Club = Awaited<ReturnType<typeof openHome>>;

/** Adds an event, and the same one of another team whose note names this team. */
async function addTwo({ run }: Club, event: object, more: object = {}) {
  const { event: own } = await run('event add', { event: { ...event, name: 'U15 Cup' }, ...more });
  const other = { description: 'Not for U15', location: 'U15 hall', ...event, name: 'U17 Cup' };
  await run('event add', { event: other, ...more });
  return own.id;
}

const date = '2027-03-05T19:00';

/** Events and changes, each with the number of events of the team. */
const cases: Readonly<Record<string, readonly [number, (club: Club) => Promise<unknown>]>> = {
  'an event': [1, (club) => addTwo(club, { date })],
  'a series': [3, (club) => addTwo(club, { date }, { repeat: 'every Fri, 3 times' })],
  'several days': [1, (club) => addTwo(club, { date }, { end: '7 March 2027 15:00' })],
  'a whole day': [1, (club) => addTwo(club, { date: '2027-03-05' })],
  'a draft': [1, (club) => addTwo(club, { date, status: 'draft' })],
  'a cancelled event': [
    1,
    async (club) =>
      club.run('event cancel', { id: await addTwo(club, { date }), reason: 'U17 first' }),
  ],
  'a new name': [
    0,
    async (club) =>
      club.run('event edit', { id: await addTwo(club, { date }), changes: { name: 'U16 Cup' } }),
  ],
  'a name that came back': [
    1,
    async (club) => {
      const id = await addTwo(club, { date });
      const { batch } = await club.run('event edit', { id, changes: { name: 'U16 Cup' } });
      await club.run('undo', { id: batch });
    },
  ],
  'a removed event': [
    0,
    async (club) => club.run('event remove', { id: await addTwo(club, { date }) }),
  ],
  'other words of the team': [
    2,
    async (club) => {
      await addTwo(club, { date });
      await club.run('team change', { name: 'U15', words: 'U15, U17' });
    },
  ],
  'another name of the team': [
    1,
    async (club) => {
      await addTwo(club, { date });
      await club.run('team change', { name: 'U15', newName: 'Youth' });
      const { batch } = await club.run('team change', { name: 'Youth', newName: 'ü15' });
      expect(batch).toBeDefined();
    },
  ],
  'a change of the team that was undone': [
    1,
    async (club) => {
      await addTwo(club, { date });
      const { batch } = await club.run('team change', { name: 'U15', words: 'U17' });
      await club.run('undo', { id: batch });
    },
  ],
};

/** Reads the team over HTTP; `since` has the number of the changes that a client would read. */
async function readHttp({ home, key }: Club) {
  const { baseUrl, close } = await startTestService(home);
  onTestFinished(() => close());
  const ask = async (query: string, accept = 'application/json') => {
    const headers = { Authorization: `Bearer ${key}`, Accept: accept };
    const answer = await fetch(`${baseUrl}/v1/events?${query}`, { headers });
    expect(answer.status, query).toBe(200);
    return answer;
  };
  const list = await ask('team=U15');
  const { events } = (await list.json()) as { events: readonly StoredEvent[] };
  expect(list.headers.get('total-count')).toBe(String(events.length));
  const revision = list.headers.get('events-revision');
  const news = await (await ask(`team=U15&since=${revision}`)).json();
  expect(news).toEqual({ events: [], removed: [] });
  const calendar = await (await ask('team=U15', 'text/calendar')).text();
  return { events, calendar: calendar.match(/^BEGIN:VEVENT/gm)?.length ?? 0 };
}

const idsOf = (events: readonly unknown[]) =>
  events.map((event) => (event as StoredEvent).id).toSorted((one, other) => one - other);

describe.each(choose(['Europe/Berlin', 'America/New_York', 'Pacific/Apia'], ['Pacific/Apia']))(
  'in %s',
  (zone) => {
    const all = Object.entries(cases);
    const some = choose(
      all,
      all.filter((_, at) => at % 3 === 0),
    );
    it.each(some)('%s is in each output of its team', async (_, [count, act]) => {
      const club = await openHome(zone);
      const { run } = club;
      await run('team add', { name: 'U15', words: 'U15' });
      const folder = makeTestFolder();
      const files = { ics: 'u15.ics', html: 'u15.html', json: 'u15.json' };
      for (const name of Object.values(files)) {
        await run('publish add', { output: join(folder, name), team: 'u15', drafts: true });
      }
      await run('publish add', { output: join(folder, 'all.json') });
      await act(club);
      const { events, calendar } = await readHttp(club);
      const ids = idsOf(events);
      expect(ids).toHaveLength(count);
      expect(calendar).toBe(count);

      const exported = async (format: string) => {
        let text = '';
        await run('export', { format, team: 'U15' }, (piece) => {
          text += piece;
        });
        return text;
      };
      expect(idsOf(JSON.parse(await exported('json')).events)).toEqual(ids);
      // A sheet of the window has the events that its filter lets pass.
      let all = '';
      await run('export', { format: 'json' }, (piece) => {
        all += piece;
      });
      const [team] = (await run('team list')).teams;
      if (team === undefined) return expect.unreachable();
      const filter = { statuses: [], types: [], bounds: { from: null, to: null }, ids: null };
      const byDate = (one: StoredEvent, other: StoredEvent) => (one.date < other.date ? -1 : 1);
      const printed = filterEvents(JSON.parse(all).events.toSorted(byDate), {
        ...filter,
        clock: zoneNamed(zone),
        inTeam: teamMatcher(team),
      });
      expect(idsOf(printed)).toEqual(ids);
      expect((await exported('ics')).match(/^BEGIN:VEVENT/gm)?.length ?? 0).toBe(count);
      expect((await exported('csv')).trim().split('\n')).toHaveLength(count + 1);

      await run('publish now');
      const { files: written } = await run('publish list');
      expect(written.map(({ state }) => state)).toEqual(written.map(() => 'current'));
      const read = (name: string) => readFileSync(join(folder, name), 'utf8');
      expect(read(files.ics).match(/^BEGIN:VEVENT/gm)?.length ?? 0).toBe(count);
      expect(read(files.html).match(/<li id="event-/g)?.length ?? 0).toBe(count);
      const copy = readCopyBytes(readFileSync(join(folder, files.json)));
      expect(idsOf(copy?.events ?? [])).toEqual(ids);
      expect(copy?.head.complete).toBe(false);

      // The whole page of the club marks the same events for "?only=U15".
      let page = '';
      await run('export', { format: 'html' }, (piece) => {
        page += piece;
      });
      expect(page.match(/ data-teams="0" class/g)?.length ?? 0).toBe(count);
      expect(findCopyInPage(page)).toHaveProperty('json');

      const client = await connectAssistant(club.home, { zone });
      const { content } = await callTool(client, 'list_events', { team: 'U15' });
      expect(idsOf(content['events'] as readonly unknown[])).toEqual(ids);
      const refused = await callTool(client, 'list_events', { team: 'Nobody' });
      expect(refused.text).toMatch(/^The teams of the club are \["(U15|ü15)"\]\.$/);

      // A copy on another computer, and a backup in an empty home, have the same team.
      const second = await openHome(zone);
      await second.run('mirror set', { file: join(folder, 'all.json') });
      expect(idsOf((await readHttp(second)).events)).toEqual(ids);
      const { output } = await run('backup');
      await run('team remove', { name: 'U15' }).then(
        () => expect.unreachable(),
        (error) => expect(error).toMatchObject({ code: 'team_used' }),
      );
      const third = await openHome(zone);
      await third.run('user remove', { name: user });
      await third.run('restore', { file: output });
      const listed = await third.run('team list');
      expect(listed.teams).toMatchObject([{ events: count }]);
    });
  },
);

it('follows the teams of its file: new, changed and removed ones, and has none of its own', async () => {
  const first = await openHome('Europe/Berlin');
  const second = await openHome('Europe/Berlin');
  const file = join(makeTestFolder(), 'all.json');
  await addTwo(first, { date });
  await first.run('team add', { name: 'U15', words: 'U15' });
  await first.run('team add', { name: 'U17', words: 'U17' });
  await first.run('publish add', { output: file });
  await second.run('mirror set', { file });
  const teamsOf = async ({ run }: Club) => (await run('team list')).teams;
  expect(await teamsOf(second)).toEqual(await teamsOf(first));
  await expect(second.run('team add', { name: 'X', words: 'x' })).rejects.toMatchObject({
    code: 'user_mirrored',
  });
  const output = join(makeTestFolder(), 'u15.ics');
  await second.run('publish add', { output, team: 'U15' });
  // Two names change places, a name moves to another team, and a third one comes.
  await first.run('team change', { name: 'U15', newName: 'Youth' });
  await first.run('team change', { name: 'U17', newName: 'U15' });
  await first.run('team add', { name: 'U17', words: 'Cup', place: 'hall' });
  await first.run('publish now');
  await second.run('mirror sync');
  expect(await teamsOf(second)).toEqual(await teamsOf(first));
  // The file has the events of the team that it was made for, whatever its name.
  await second.run('publish now');
  expect(readFileSync(output, 'utf8')).toContain('SUMMARY:U15 Cup');
  expect((await second.run('publish list')).files).toMatchObject([{ team: 'Youth' }]);
  for (const name of ['Youth', 'U15', 'U17']) await first.run('team remove', { name });
  await first.run('publish now');
  await second.run('mirror sync');
  expect(await teamsOf(second)).toEqual([]);
  // Its last content stays, with the reason.
  await second.run('publish now');
  const { files } = await second.run('publish list');
  expect(files).toMatchObject([
    { state: 'failed', team: '', failure: { problem: { code: 'publish_team_gone' } } },
  ]);
  expect(readFileSync(output, 'utf8')).toContain('SUMMARY:U15 Cup');
  const { baseUrl, close } = await startTestService(second.home);
  onTestFinished(() => close());
  const headers = { Authorization: `Bearer ${second.key}` };
  expect((await fetch(`${baseUrl}/v1/events?team=U15`, { headers })).status).toBe(400);
});

it('changes the team of a file, and refuses an unknown one', async () => {
  const { run } = await openHome('Europe/Berlin');
  await run('event add', { event: { name: 'U15 Cup', date } });
  await run('event add', { event: { name: 'U17 Cup', date } });
  await run('team add', { name: 'U15', words: 'U15' });
  const output = join(makeTestFolder(), 'dates.ics');
  const { id, events } = await run('publish add', { output });
  expect(events).toBe(2);
  expect(await run('publish change', { id, team: 'U15' })).toMatchObject({
    events: 1,
    team: 'U15',
  });
  const unknown = { code: 'team_unknown' };
  await expect(run('publish change', { id, team: 'U19' })).rejects.toMatchObject(unknown);
  await expect(run('export', { format: 'csv', team: 'U19' })).rejects.toMatchObject(unknown);
  expect((await run('publish preview', { team: 'U15' })).events).toBe(1);
  expect(await run('publish change', { id, team: '' })).toMatchObject({ events: 2, team: null });
  await run('team remove', { name: 'U15' });
});
