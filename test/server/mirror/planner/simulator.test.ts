import { describe, expect, it } from 'vitest';
import { latestTimestamp } from '../../../../db/mirror-model.ts';
import { type Rules, standardRules } from '../../../../server/mirror/planner/rules.ts';
import { choose } from '../../../support/long.ts';
import { Violation } from './invariants.ts';
import { simulate } from './simulator.ts';

const seeds = Number(process.env['SIMULATOR_SEEDS'] ?? choose(1_000, 250));

/** Small enough for the time limit of a test. */
const blockLength = 250;
const blocks = Array.from({ length: Math.ceil(seeds / blockLength) }, (_, index) => ({
  first: index * blockLength + 1,
  last: Math.min((index + 1) * blockLength, seeds),
}));

/** Enough seeds to find every mistake below. */
const seedsForMistakes = 1_000;

/** Returns the violation that a seed finds, if any. */
function findViolation(seed: number, rules: Rules): Violation | undefined {
  try {
    simulate(seed, { rules });
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error;
    throw error;
  }
}

const { limits } = standardRules;

/** Deliberate mistakes of the planner, each made for one simulation. */
const mistakes: Readonly<Record<string, () => Partial<Rules>>> = {
  'no probes': () => ({ usesProbes: false }),
  'a guard for each sync instead of over time': () => ({
    exceedsGuard: (_, removals, known) =>
      standardRules.exceedsGuard({ since: 0, removed: 0 }, removals, known),
  }),
  'two proofs without ten minutes between them': () => ({
    judgeNotFound: (suspect, at, _, origin) =>
      standardRules.judgeNotFound(suspect, at, true, origin),
  }),
  'a single proof': () => ({ judgeNotFound: () => 'proven' }),
  'a 404 of any shape': () => ({ isLearntNotFound: () => true }),
  'a list that always continues the one before': () => ({
    addProof: (proven, interval) =>
      standardRules.addProof(
        proven.map(({ after }) => ({ after, until: latestTimestamp })),
        interval,
      ),
  }),
  'a proof up to the newest creation time': () => {
    let newest = '';
    return {
      isReplaced(entry, event) {
        const createdAt = entry?.event.createdAt ?? '';
        if (createdAt > newest) newest = createdAt;
        return standardRules.isReplaced(entry, event);
      },
      proveList: (list) => ({ ...standardRules.proveList(list), until: newest }),
    };
  },
  'a full list as a complete one': () => ({
    proveList: (list) => standardRules.proveList({ ...list, isWhole: true }),
  }),
  'a proof that includes the oldest creation time': () => ({
    proveList: (list) => {
      const proof = standardRules.proveList(list);
      if (proof.after === '' || proof.after !== list.oldest) return proof;
      return { ...proof, after: new Date(Date.parse(list.oldest) - 1).toISOString() };
    },
  }),
  'a proof of events that cannot be read': () => ({
    proveList: (list) => standardRules.proveList({ ...list, readableTo: '' }),
  }),
  'one registrationOpen for both operations': () => ({
    rememberRegistration: (_, __, sent) => ({ list: sent ?? null, byId: sent ?? null }),
  }),
  'a revision without its digest': () => ({
    provesEvents: (version, digest, knownRevision) =>
      version.digest === digest || version.revision === knownRevision,
  }),
  'changes that no digest proves': () => ({
    provesEvents: (version, digest, knownRevision) =>
      version.digest === digest || (knownRevision !== null && version.revision !== knownRevision),
  }),
  'old answers of a cache': () => ({ isNewer: () => true }),
  'another event under a known id': () => ({ isReplaced: () => false }),
  'the list of another account': () => ({ provesAccount: false }),
  'no confirmations': () => ({ urgencyOf: () => 0 }),
  'a Retry-After that is not obeyed': () => ({
    delayAfter: (failures, _, random) => standardRules.delayAfter(failures, 0, random),
  }),
  'more than four requests at once': () => ({ limits: { ...limits, atOnce: 8 } }),
  'confirmations without a limit': () => ({ limits: { ...limits, ids: 100_000 } }),
};

describe('the planner of the mirror', () => {
  it.each(blocks)('keeps the invariants with the seeds $first to $last', ({ first, last }) => {
    const violations: string[] = [];
    for (let seed = first; seed <= last; seed++) {
      const violation = findViolation(seed, standardRules);
      if (violation !== undefined) violations.push(`seed ${seed}: ${violation.message}`);
    }
    expect(violations).toEqual([]);
  });
});

describe('the simulator', () => {
  it('the simulator gives the same result for the same seed', () => {
    expect(simulate(7)).toEqual(simulate(7));
  });

  it.each(Object.keys(mistakes))('finds a planner with %s', { tags: 'long' }, (name) => {
    const isFound = Array.from({ length: seedsForMistakes }).some((_, index) => {
      const rules = { ...standardRules, ...mistakes[name]?.() };
      return findViolation(index + 1, rules) !== undefined;
    });
    expect(isFound).toBe(true);
  });
});
