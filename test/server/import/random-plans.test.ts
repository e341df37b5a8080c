import { describe, expect, it } from 'vitest';
import { choose } from '../../support/long.ts';
import { createRandom } from '../../support/random.ts';
import { judge, type Verdict } from './club-files/verdict.ts';
import { makePlan, type Plan } from './random-plans.ts';

const count = choose(1000, 100);

/** Returns a plan as a person sees it, and how its events differ. */
function describeVerdict({ name, text }: Plan, { why, lines }: Verdict): string {
  return [name, text, why, ...lines.map((line) => `- ${line}`)].join('\n');
}

describe('random plans', () => {
  it('random plans are read as their writer means them, or asked about', {
    tags: 'long',
  }, async () => {
    const random = createRandom(20_261_129);
    const verdicts: (readonly [Plan, Verdict])[] = [];
    for (let number = 0; number < count; number += 1) {
      const plan = makePlan(number, random);
      verdicts.push([plan, await judge(plan.name, plan.content, plan.expected)]);
    }
    const wrong = verdicts.filter(([, { kind }]) => kind === 'wrong');
    const asked = verdicts.filter(([, { kind }]) => kind === 'asked');
    const sums = `${count} plans: ${wrong.length} wrong, ${asked.length} asked`;
    const texts = wrong.slice(0, 10).map(([plan, verdict]) => describeVerdict(plan, verdict));
    expect(texts.join('\n\n'), sums).toBe('');
    expect(asked.length, sums).toBeLessThanOrEqual(count / 4);
  });
});
