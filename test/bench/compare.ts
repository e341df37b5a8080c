import { median } from '../support/measure.ts';
import type { Candidate } from './candidate.ts';
import { type Load, load, type PathTarget, type Target } from './load.ts';

export const rounds = 5;
export const seconds = Number(process.env['BENCH_SECONDS'] ?? 5);

/** Medians of several runs. */
export type Compared = Pick<Load, 'perSecond' | 'p99'> & {
  /** Processor time a request, in microseconds. */
  readonly cpu: number;
};

export type Contender = { readonly candidate: Candidate; readonly target: Target };

/** A candidate that is asked for a path. */
export function contend(candidate: Candidate, { path, ...rest }: PathTarget): Contender {
  return { candidate, target: { url: candidate.url + path, ...rest } };
}

async function runOnce({ candidate, target }: Contender, connections: number) {
  const before = candidate.cpuSeconds();
  const result = await load(target, connections, seconds);
  return { ...result, cpu: ((candidate.cpuSeconds() - before) * 1e6) / result.requests };
}

/** Measures candidates in turns, so that what the machine does meanwhile falls on all of them. */
export async function compare<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  connections: number,
): Promise<Readonly<Record<Name, Compared>>> {
  const names = Object.keys(contenders) as Name[];
  const runs = new Map<Name, Awaited<ReturnType<typeof runOnce>>[]>(
    names.map((name) => [name, []]),
  );
  for (const name of names) await load(contenders[name].target, connections, 1);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) runs.get(name)?.push(await runOnce(contenders[name], connections));
  }
  const middle = (name: Name, of: keyof Compared) =>
    median((runs.get(name) ?? []).map((run) => run[of]));
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        perSecond: middle(name, 'perSecond'),
        p99: middle(name, 'p99'),
        cpu: middle(name, 'cpu'),
      },
    ]),
  ) as Record<Name, Compared>;
}
