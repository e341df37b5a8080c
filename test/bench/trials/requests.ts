import { join } from 'node:path';
import {
  findRequests,
  type RequestName,
  requestTitles,
  requireSameAnswer,
  saveAnswers,
} from '../answers.ts';
import {
  candidateArguments,
  cli,
  findBase,
  missingFastify,
  serviceArguments,
  startCandidate,
} from '../candidate.ts';
import { compareRates } from '../compare.ts';
import type { Figure } from '../figure.ts';
import { createClub, makeEvents, withFolder } from '../fill.ts';
import type { Target } from '../load.ts';

const leastOfBase = 0.95;
const leastOfKoa = 0.9;
const leastTimesFastify = 6;
const eventCount = 20_000;
const names = Object.keys(requestTitles) as readonly RequestName[];

type Targets = Readonly<Record<RequestName, Target>>;

/** Compares requests per second with an earlier commit, the packages alone, and Fastify. */
export function measureRequests(): Promise<Figure[]> {
  return withFolder(async (folder) => {
    await using stack = new AsyncDisposableStack();
    const start = async (args: readonly string[]) => stack.use(await startCandidate(args));
    const events = makeEvents(eventCount);

    async function startService(command: string, name: string) {
      const home = join(folder, name);
      const key = createClub(command, home, events);
      const { url } = await start(serviceArguments(home, command));
      return { home, requests: await findRequests(url, key) };
    }

    const { home, requests } = await startService(cli, 'current');
    const database = join(home, 'events.sqlite');
    const answers = await saveAnswers(requests, folder);
    const targetsAt = (url: string) =>
      mapRequests((name) => ({ ...requests[name].target, url: url + requests[name].path }));
    const current = mapRequests((name) => requests[name].target);
    const koa = targetsAt((await start(candidateArguments('koa.js', answers, database))).url);
    const base = findBase();
    const earlier = 'cli' in base ? (await startService(base.cli, 'base')).requests : undefined;
    const others = {
      koa,
      ...(earlier && { base: mapRequests((name) => earlier[name].target) }),
    };
    const figures = await compareAll(current, others);
    if ('missing' in base) figures.push({ what: 'against the base', leftOut: base.missing });
    const leftOut = missingFastify();
    if (leftOut !== undefined) return [...figures, { what: 'list against Fastify', leftOut }];
    const fastify = targetsAt((await start(candidateArguments('fastify.js', database))).url);
    const rates = await compareRates({ current: current.list, fastify: fastify.list }, 16);
    const value = rates.current / rates.fastify;
    const what = `${describe('list', 16)}, against Fastify`;
    return [...figures, { what, value, unit: 'times', atLeast: leastTimesFastify }];
  });
}

function mapRequests(targetOf: (name: RequestName) => Target): Targets {
  return Object.fromEntries(names.map((name) => [name, targetOf(name)])) as Targets;
}

function describe(name: RequestName, connections: number): string {
  return `${requestTitles[name]}, ${connections} connection${connections === 1 ? '' : 's'}`;
}

async function compareAll(
  current: Targets,
  { koa, base }: { readonly koa: Targets; readonly base?: Targets },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of names) {
    await requireSameAnswer(current[name], koa[name]);
    if (base) await requireSameAnswer(current[name], base[name]);
    for (const connections of [1, 16]) {
      const targets: Readonly<Record<string, Target>> = {
        current: current[name],
        koa: koa[name],
        ...(base && { base: base[name] }),
      };
      const rates = await compareRates(targets, connections);
      const ratio = (other: string) =>
        (rates['current'] ?? Number.NaN) / (rates[other] ?? Number.NaN);
      const what = describe(name, connections);
      if (base) {
        const value = ratio('base');
        figures.push({
          what: `${what}, against the base`,
          value,
          unit: 'times',
          atLeast: leastOfBase,
        });
      }
      const value = ratio('koa');
      figures.push({
        what: `${what}, against Koa alone`,
        value,
        unit: 'times',
        atLeast: leastOfKoa,
      });
    }
  }
  return figures;
}
