import { describe, expect, it } from 'vitest';
import { type Rules, standardRules } from '../../../../../server/actions/mirror/planner/rules.ts';
import { Violation } from './invariants.ts';
import { simulate } from './simulator.ts';

const seeds = Number(process.env['SIMULATOR_SEEDS'] ?? 10_000);

/** Small enough for the time limit of a test. */
const blockLength = 5_000;
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
  'no positive controls': () => ({ usesControls: false }),
  'a guard for each sync instead of over time': () => ({
    exceedsGuard: (_, removals, known) =>
      standardRules.exceedsGuard({ since: 0, removed: 0 }, removals, known),
  }),
  'two proofs without ten minutes between them': () => ({
    judgeAbsence: (suspicion, at, _, origin) =>
      standardRules.judgeAbsence(suspicion, at, true, origin),
  }),
  'a single proof': () => ({ judgeAbsence: () => 'proven' }),
  'a 404 of any shape': () => ({ isLearntAbsence: () => true }),
  'a list that always continues the one before': () => ({
    isContiguous: (_, previousAt) => previousAt !== null,
  }),
  'a horizon by the newest creation time': () => {
    let newest = '';
    return {
      isReplaced(item, event) {
        const createdAt = item?.event.createdAt ?? '';
        if (createdAt > newest) newest = createdAt;
        return standardRules.isReplaced(item, event);
      },
      isContiguous: (oldest) => oldest < newest,
    };
  },
  'a full list as a complete one': () => ({
    coverAfterList: (coverage) => ({ ...coverage, horizon: '', holes: [], oldestListed: '' }),
  }),
  'a horizon that includes its own creation time': () => ({
    coverAfterList: (coverage, list, previousAt, isContiguous) => {
      const after = standardRules.coverAfterList(coverage, list, previousAt, isContiguous);
      if (after.horizon === '' || after.horizon !== list.oldest) return after;
      return { ...after, horizon: new Date(Date.parse(list.oldest) - 1).toISOString() };
    },
  }),
  'no holes': () => ({
    coverAfterList: (...facts) => ({ ...standardRules.coverAfterList(...facts), holes: [] }),
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
  'the changes since a revision of another epoch': () => ({ canListChanges: () => true }),
  'old answers of a cache': () => ({ isNewer: () => true }),
  'another event under a known id': () => ({ isReplaced: () => false }),
  'the list of another account': () => ({ provesAccount: false }),
  'no confirmations': () => ({ dueGroup: () => undefined }),
  'a Retry-After that is not obeyed': () => ({
    delayAfter: (failures, _, random) => standardRules.delayAfter(failures, 0, random),
  }),
  'more than four requests at once': () => ({ limits: { ...limits, atOnce: 8 } }),
  'confirmations without a budget': () => ({
    limits: { ...limits, upcoming: 10_000, others: 10_000 },
  }),
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

  it.each([
    [235_766, 'a 304 of a cache as a proof of absence'],
    [307_929, 'a 304 for a page of future events'],
    [600_019, 'a learnt length of lists that was too short'],
  ])('keeps the invariants with the seed %i: %s', (seed) => {
    expect(findViolation(seed, standardRules)).toBeUndefined();
  });
});

describe('the simulator', () => {
  it('gives the same result for the same seed', () => {
    expect(simulate(7)).toEqual(simulate(7));
  });

  it.each(Object.keys(mistakes))('finds a planner with %s', (name) => {
    const isFound = Array.from({ length: seedsForMistakes }).some((_, index) => {
      const rules = { ...standardRules, ...mistakes[name]?.() };
      return findViolation(index + 1, rules) !== undefined;
    });
    expect(isFound).toBe(true);
  });
});
