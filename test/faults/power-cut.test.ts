import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareUserReads } from '../../db/users.ts';
import { listBackups } from '../../server/backups.ts';
import { homeAt } from '../../server/home.ts';
import { withReader } from '../../server/store.ts';
import {
  changes,
  exporting,
  firstStarts,
  makeFaultClub,
  type Recording,
  readClub,
  recordCommand,
} from '../support/fault-club.ts';
import { makeTestFolder, prepareDatabase, removeFolder } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { chooseRemains, readFolder, writeAfterCut } from '../support/power-cut.ts';
import { printFigure } from '../support/print.ts';
import { createRandom } from '../support/random.ts';
import { buildShim, readOperations, runWithShim } from '../support/shim.ts';

const cuts = choose(2_000, 20);

it(`keeps every acknowledged change in ${cuts} power cuts`, async (context) => {
  const shim = buildShim(makeTestFolder());
  if (typeof shim === 'string') return context.skip(shim);
  const club = await makeFaultClub(makeTestFolder());
  const commands = [...changes, exporting, ...firstStarts];
  const recordings = await Promise.all(
    commands.map((command) => recordCommand(shim.library, club, command)),
  );
  const random = createRandom(18);
  const found = { before: 0, after: 0 };
  for (let cut = 0; cut < cuts; cut += 1) {
    const recording = recordings[cut % recordings.length] as Recording;
    const { command, before, after, trial, operations, files } = recording;
    // Every third cut comes after the acknowledgement.
    const count = cut % 3 === 0 ? operations.length : random(operations.length);
    const remain = chooseRemains(random);
    const to = join(club.folder, `cut ${cut}`);
    writeAfterCut(files, operations.slice(0, count), { from: trial.folder, to, remain, random });
    const title = `${command.name}, ${count} of ${operations.length}, unsynced: ${remain}`;
    const state = await readClub(join(to, 'home'), command).catch((error: unknown) => {
      throw new Error(`${title}: ${error}`);
    });
    const output = join(to, basename(trial.output));
    // A file appears whole.
    if (existsSync(output)) expect(readFileSync(output), title).toEqual(readFileSync(trial.output));
    const [made, kept] = [trial.home, join(to, 'home')].map((home) => listBackups(homeAt(home)));
    // Expired ones may be there again.
    if (count === operations.length)
      expect(kept, title).toEqual(expect.arrayContaining(made ?? []));
    const isBefore = count < operations.length && state === before;
    expect(state, title).toBe(isBefore ? before : after);
    found[isBefore ? 'before' : 'after'] += 1;
    removeFolder(to);
  }
  printFigure(
    `${cuts} power cuts in ${commands.length} commands: ${JSON.stringify(found)}; 0 lost or torn`,
  );
}, 7_200_000);

/** Cuts the power of a program that adds users; counts the acknowledged ones that are lost. */
async function countLost(library: string, synchronous?: string): Promise<number> {
  const folder = makeTestFolder();
  const { database } = prepareDatabase(homeAt(join(folder, 'home')));
  const files = readFolder(folder);
  const acknowledged = join(folder, 'acknowledged');
  const log = join(makeTestFolder(), 'log');
  const program = join(import.meta.dirname, 'acknowledge.ts');
  const args = [
    program,
    database,
    acknowledged,
    ...(synchronous === undefined ? [] : [synchronous]),
  ];
  const { status, stderr } = await runWithShim(args, { library, folder, log });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const operations = readOperations(log);
  const acknowledgements = operations.flatMap(({ kind, path }, index) =>
    kind === 'W' && path === acknowledged ? [index + 1] : [],
  );
  const random = createRandom(18);
  let lost = 0;
  for (let cut = 0; cut < choose(500, 30); cut += 1) {
    // Every second cut comes right after an acknowledgement.
    const at = cut % 2 === 0 ? acknowledgements[random(acknowledgements.length)] : undefined;
    const length = at ?? random(operations.length + 1);
    const before = operations.slice(0, length);
    const count = acknowledgements.filter((index) => index <= length).length;
    const to = join(folder, `cut ${cut}`);
    const remain = chooseRemains(random);
    writeAfterCut(files, before, { from: folder, to, remain, random });
    const found = await withReader(homeAt(join(to, 'home')), (db) => prepareUserReads(db).all());
    lost += Math.max(0, count - found.length);
    removeFolder(to);
  }
  return lost;
}

describe('a user that a program has added', () => {
  it('is there after a power cut', async (context) => {
    const shim = buildShim(makeTestFolder());
    if (typeof shim === 'string') return context.skip(shim);
    expect(await countLost(shim.library)).toBe(0);
  });

  it('can be lost in a power cut with the setting synchronous = NORMAL', async (context) => {
    const shim = buildShim(makeTestFolder());
    if (typeof shim === 'string') return context.skip(shim);
    const lost = await countLost(shim.library, 'NORMAL');
    printFigure(`power cuts with synchronous = NORMAL, the control: ${lost} lost`);
    expect(lost).toBeGreaterThan(0);
  });
});
