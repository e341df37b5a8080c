import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { homeAt } from '../../server/base/home.ts';
import { callCommand } from '../support/command.ts';
import { damageEvents } from '../support/damage.ts';
import { copyHome, makeFaultClub, trialsOf } from '../support/fault-club.ts';
import { makeFolder, removeFolder } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { requirePlace } from '../support/place.ts';
import { printFigure } from '../support/print.ts';
import { createRandom } from '../support/random.ts';
import {
  buildShim,
  type Fault,
  faultText,
  readOperations,
  startCommandRunner,
} from '../support/shim.ts';

const folder = makeFolder();
const count = choose(60, 2, 200);

afterAll(() => removeFolder(folder));

it(`restores everything after each of ${count} restores over a damaged file that met a disk fault`, {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'file operations that fail');
  const club = await makeFaultClub(folder);
  damageEvents(homeAt(club.home).database);
  const trials = trialsOf(club);
  const runner = startCommandRunner(buildShim(folder), trials);
  const run = (home: string, ...command: string[]) => callCommand(['--home', home, ...command]);
  const exportFrom = (home: string) => run(home, 'export', '--user', 'Chess', '--format', 'json');
  const restoreOf = (home: string) => ['--home', home, 'restore', club.backup];
  const whole = copyHome(club.home, join(trials, 'whole'));
  const log = join(folder, 'operations');
  expect((await runner.run(restoreOf(whole), { log })).status).toBe(0);
  const expected = (await exportFrom(whole)).stdout;
  const operations = readOperations(log).length;
  const random = createRandom(15);
  const wrong: string[] = [];
  let failed = 0;
  for (let number = 0; number < count; number += 1) {
    const place = join(trials, `trial ${number}`);
    const home = copyHome(club.home, place);
    const always = random(3) === 0;
    const kind = random(2) === 0 ? 'EIO' : 'ENOSPC';
    const fault: Fault = { at: random(operations) + 1, kind, always };
    const first = await runner.run(restoreOf(home), { fault });
    if (first.status !== 0) failed += 1;
    const left = readdirSync(homeAt(home).backups).filter((name) => name.startsWith('.'));
    // In this process, as in a window: these commands leave nothing that disturbs the restore.
    await run(home, 'check');
    await exportFrom(home);
    const restores = [];
    for (let again = 0; again < 2; again += 1) restores.push(await callCommand(restoreOf(home)));
    const rules = {
      'fails in one plain sentence':
        first.status === 0 ||
        (/^[^\n]+\n$/.test(first.stderr) &&
          !/is damaged|error code|please report/.test(first.stderr)),
      // An EIO can meet the removal itself; the file goes with the first backup of another program.
      'leaves no temporary file': left.length === 0 || kind === 'EIO',
      'is followed by restores that succeed': restores.every(({ status }) => status === 0),
      'is followed by the events of the backup': (await exportFrom(home)).stdout === expected,
    };
    for (const [rule, holds] of Object.entries(rules)) {
      const texts = [first, ...restores].map(({ stderr }) => stderr);
      if (!holds) wrong.push(`${faultText(fault)}: not so: ${rule}; ${left}; ${texts}`);
    }
    removeFolder(place);
  }
  runner.stop();
  printFigure(`${count} restores with disk faults: ${failed} failed; the next restored everything`);
  expect(wrong).toEqual([]);
  expect(failed).toBeGreaterThan(0);
});
