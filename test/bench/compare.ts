import { median } from '../support/measure.ts';
import { load, type Target } from './load.ts';

const rounds = 11;
/** Seconds per load. */
export const seconds = Number(process.env['BENCH_SECONDS'] ?? 1);

/**
 * Loads servers by turns, so that other work of the machine affects all of them. Returns the median
 * requests per second of each.
 */
export async function compareRates<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  connections: number,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(targets) as Name[];
  const rates = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (const name of names) await load(targets[name], connections, 1);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      rates.get(name)?.push(await load(targets[name], connections, seconds));
    }
  }
  const medians = names.map((name) => [name, median(rates.get(name) ?? [])]);
  return Object.fromEntries(medians) as Record<Name, number>;
}
