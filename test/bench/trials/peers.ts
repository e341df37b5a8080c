import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../ask.ts';
import {
  type Candidate,
  candidateFile,
  requirePeer,
  serving,
  startCandidate,
} from '../candidate.ts';
import { type Compared, type Contender, compare, contend } from '../compare.ts';
import type { Figure, Trial } from '../figure.ts';
import { keyOf, withHome } from '../fill.ts';
import { describeLoad, keepAnswers } from '../kept.ts';
import type { Target } from '../load.ts';

const users = 20;
const eventsEach = 1_000;
const connections = 16;

/** How many times as many requests a second as each peer the service has to answer. */
const asked = {
  list: { fastify: 15, 'json-server': 35, 'soul-cli': 35, directus: 35 },
  one: { fastify: 1.2 },
} as const;

/** How peers are asked for the newest 200 events of the first user; Fastify is asked as ours is. */
const lists: Readonly<Record<string, string>> = {
  'json-server': '/events?userId=1&_sort=-createdAt&_page=1&_per_page=200',
  'soul-cli': '/api/tables/events/rows?_filters=user_id:1&_ordering=-created_at&_limit=200',
  directus: '/items/events?filter[user_id][_eq]=1&sort=-created_at&limit=200',
};

type Request = keyof typeof asked;
type Contenders = Readonly<Record<string, Contender>>;

function figuresOf(request: Request, compared: Readonly<Record<string, Compared>>): Figure[] {
  const what = describeLoad(request, connections);
  const perSecond = (name: string) => compared[name]?.perSecond ?? Number.NaN;
  const ratios = Object.entries(asked[request]).map(([name, atLeast]): Figure => {
    const value = perSecond('ours') / perSecond(name);
    return { what: `${what}: ours against ${name}`, value, unit: 'times', atLeast };
  });
  const each = Object.entries(compared).flatMap(([name, { perSecond, cpu }]): Figure[] => [
    { what: `${what}: requests a second of ${name}`, value: perSecond, unit: '/s' },
    { what: `${what}: processor time of ${name}`, value: cpu, unit: 'µs' },
  ]);
  return [...ratios, ...each];
}

type Told = Readonly<Record<string, unknown>>;

/** What every server tells of its events under the same names, whatever else it adds to them. */
async function askForEvents({ url, headers }: Target): Promise<{ url: string; events: string }> {
  const { status, body } = await ask(url, headers);
  if (status !== 200) throw new Error(`${url} was answered with ${status}.`);
  const answer = JSON.parse(String(body)) as { event?: Told; events?: Told[]; data?: Told[] };
  const events = answer.events ?? answer.data ?? [answer.event];
  const members = ['name', 'date', 'location', 'description', 'status'];
  const told = events.map((event) => members.map((member) => event?.[member]));
  return { url, events: JSON.stringify(told) };
}

/** Throws unless all answer with the same events, in the same order. */
async function requireSameEvents(contenders: Contenders): Promise<void> {
  const targets = Object.values(contenders).map(({ target }) => target);
  const [first, ...others] = await Promise.all(targets.map(askForEvents));
  const wrong = others.find(({ events }) => events !== first?.events);
  if (wrong === undefined) return;
  throw new Error(`${wrong.url} was not answered with the same events as ${first?.url}.`);
}

async function measureAll(
  { ours, ...peers }: Readonly<Record<string, Candidate>> & { readonly ours: Candidate },
  folder: string,
): Promise<Figure[]> {
  const { requests } = await keepAnswers(ours.url, folder);
  const figures: Figure[] = [];
  for (const request of Object.keys(asked) as Request[]) {
    const asOurs = requests[request];
    const against = (candidate: Candidate, path = asOurs.path) =>
      contend(candidate, { ...asOurs, path });
    const contenders = Object.fromEntries([
      ['ours', against(ours)],
      ...Object.entries(peers)
        .filter(([name]) => name in asked[request])
        .map(([name, candidate]) => [name, against(candidate, lists[name])]),
    ]) as Contenders;
    await requireSameEvents(contenders);
    figures.push(...figuresOf(request, await compare(contenders, connections)));
  }
  return figures;
}

export const trial: Trial = {
  title: 'The whole service against what a user might pick instead',
  measure: async () => {
    const names = Object.keys(asked.list);
    names.forEach(requirePeer);
    return await withHome(users, eventsEach, async (home) => {
      await using started = new AsyncDisposableStack();
      const start = async (args: readonly string[]) => started.use(await startCandidate(args));
      const ours = await start(serving(home));
      const peers: Record<string, Candidate> = {};
      for (const name of names) {
        const folder = join(home.directory, name);
        mkdirSync(folder);
        // Directus takes the key as its own token, so that one header is right for all.
        peers[name] = await start(candidateFile(`${name}.js`, home.database, folder, keyOf(0)));
      }
      return await measureAll({ ours, ...peers }, home.directory);
    });
  },
};
