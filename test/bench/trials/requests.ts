import { type Candidate, candidateFile, serving, startCandidate } from '../candidate.ts';
import { type Compared, compare, contend } from '../compare.ts';
import type { Figure, Trial } from '../figure.ts';
import { withHome } from '../fill.ts';
import {
  describeLoad,
  keepAnswers,
  type RequestName,
  type Requests,
  requireSame,
} from '../kept.ts';

const users = 20;
const eventsEach = 1_000;

/** What is asked for of each request, as a share of what the limit answers. */
const asked = {
  list: { 1: 0.86, 16: 0.72 },
  one: { 1: 0.75, 16: 0.66 },
  unchanged: { 1: 0.87, 16: 0.71 },
} as const;
const slowest = 2.5;
const largest = 1.4;

type Compare = Readonly<Record<'l0' | 'l1' | 'koa' | 'versioned' | 'ours', Compared>>;

function figuresOf(request: RequestName, connections: 1 | 16, compared: Compare): Figure[] {
  const { l0, l1, koa, versioned, ours } = compared;
  const ofL0 = ({ perSecond }: Compared) => perSecond / l0.perSecond;
  const what = describeLoad(request, connections);
  const p99 = Math.max(ours.p99, 1) / Math.max(l0.p99, 1);
  return [
    { what, value: ofL0(ours), unit: 'of L0', atLeast: asked[request][connections] },
    { what: `${what}: L1`, value: ofL0(l1), unit: 'of L0' },
    { what: `${what}: the packages alone`, value: ofL0(koa), unit: 'of L0' },
    { what: `${what}: the packages and the version`, value: ofL0(versioned), unit: 'of L0' },
    { what: `${what}: p99`, value: p99, unit: 'times', atMost: slowest },
    { what: `${what}: processor time`, value: ours.cpu, unit: 'µs' },
    { what: `${what}: processor time of L0`, value: l0.cpu, unit: 'µs' },
  ];
}

async function measureAll(
  candidates: Readonly<Record<keyof Compare, Candidate>>,
  requests: Requests,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const request of Object.keys(asked) as RequestName[]) {
    await requireSame(candidates.l0.url, candidates.ours.url, requests[request]);
    const against = (candidate: Candidate) => contend(candidate, requests[request]);
    const { l0, l1, koa, versioned, ours } = candidates;
    const contenders = {
      l0: against(l0),
      l1: against(l1),
      koa: against(koa),
      versioned: against(versioned),
      ours: against(ours),
    };
    for (const connections of [1, 16] as const) {
      figures.push(...figuresOf(request, connections, await compare(contenders, connections)));
    }
  }
  const memory = candidates.ours.peakMegabytes() / candidates.l0.peakMegabytes();
  const megabytes = candidates.ours.peakMegabytes();
  return [
    ...figures,
    { what: 'peak memory', value: memory, unit: 'times', atMost: largest },
    { what: 'peak memory itself', value: megabytes, unit: 'MB' },
  ];
}

export const trial: Trial = {
  title: 'The whole service against bare node:http with the same bytes (L0)',
  measure: () =>
    withHome(users, eventsEach, async (home) => {
      await using ours = await startCandidate(serving(home));
      const { requests, file } = await keepAnswers(ours.url, home.directory);
      await using l0 = await startCandidate(candidateFile('l0.js', file));
      await using l1 = await startCandidate(candidateFile('l1.js', file, home.database));
      await using koa = await startCandidate(candidateFile('koa.js', file));
      await using versioned = await startCandidate(candidateFile('koa.js', file, home.database));
      return await measureAll({ l0, l1, koa, versioned, ours }, requests);
    }),
};
