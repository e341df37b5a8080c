import { cpus } from 'node:os';
import { type Figure, isReached, tableHead, tableRow } from './figure.ts';
import { generatorName } from './load.ts';
import { measureFelt } from './trials/felt.ts';
import { measureFirstAnswer } from './trials/first-answer.ts';
import { measureFirstLists } from './trials/first-lists.ts';
import { measureImport } from './trials/import.ts';
import { measureMemory } from './trials/memory.ts';
import { measurePages } from './trials/pages.ts';
import { measureRequests } from './trials/requests.ts';

/** The trials; each throws if a server answers wrongly. */
const trials: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  requests: measureRequests,
  'first-lists': measureFirstLists,
  pages: measurePages,
  'first-answer': measureFirstAnswer,
  import: measureImport,
  memory: measureMemory,
  felt: measureFelt,
};

async function runTrial(name: string): Promise<readonly Figure[]> {
  try {
    return (await trials[name]?.()) ?? [];
  } catch (error) {
    // The other trials are still worth running.
    return [{ what: `${name}: ${error}`, value: Number.NaN, unit: 'times', atLeast: 1 }];
  }
}

/** Runs trials and prints their figures as one table. Returns true if all targets are reached. */
async function runTrials(names: readonly string[]): Promise<boolean> {
  const unknown = names.find((name) => !Object.hasOwn(trials, name));
  if (unknown !== undefined) {
    throw new Error(`There is no trial "${unknown}"; there are ${Object.keys(trials).join(', ')}.`);
  }
  const machine = `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`;
  console.log(`${machine}, load by ${generatorName}\n\n${tableHead}`);
  let allReached = true;
  for (const name of names.length === 0 ? Object.keys(trials) : names) {
    const figures = await runTrial(name);
    for (const figure of figures) console.log(tableRow(figure));
    allReached &&= figures.every(isReached);
  }
  return allReached;
}

if (!(await runTrials(process.argv.slice(2)))) process.exitCode = 1;
