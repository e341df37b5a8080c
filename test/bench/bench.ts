import { cpus } from 'node:os';
import { holds, showFigures, type Trial } from './figure.ts';
import { generatorName } from './load.ts';
import { trial as commits } from './trials/commits.ts';
import { trial as firstAnswer } from './trials/first-answer.ts';
import { trial as importing } from './trials/import.ts';
import { trial as pages } from './trials/pages.ts';
import { trial as peers } from './trials/peers.ts';
import { trial as requests } from './trials/requests.ts';
import { trial as sizes } from './trials/sizes.ts';
import { trial as users } from './trials/users.ts';
import { trial as writer } from './trials/writer.ts';

const trials: Readonly<Record<string, Trial>> = {
  'first-answer': firstAnswer,
  requests,
  peers,
  commits,
  writer,
  sizes,
  users,
  pages,
  import: importing,
};

/** `npm run bench`, or `npm run bench -- requests sizes`: measures, and prints one table. */
async function runTrials(names: readonly string[]): Promise<boolean> {
  const unknown = names.find((name) => !Object.hasOwn(trials, name));
  if (unknown !== undefined) {
    throw new Error(`There is no trial "${unknown}"; there are ${Object.keys(trials).join(', ')}.`);
  }
  const [processor] = cpus();
  const machine = `${processor?.model}, ${cpus().length} cores, Node ${process.version}`;
  console.log(`${machine}, loads by ${generatorName}\n`);
  console.log('| what | measured | asked | reached |\n|---|---|---|---|');
  let allHold = true;
  for (const name of names.length === 0 ? Object.keys(trials) : names) {
    const trial = trials[name] as Trial;
    try {
      const figures = await trial.measure();
      console.log(showFigures(trial, figures));
      allHold &&= figures.every(holds);
    } catch (error) {
      // The others are still worth knowing.
      console.log(`| **${trial.title}** | ${(error as Error).message} | | NO |`);
      allHold = false;
    }
  }
  return allHold;
}

if (!(await runTrials(process.argv.slice(2)))) process.exitCode = 1;
