import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import {
  type ClubCommand,
  changes,
  exporting,
  makeFaultClub,
  prepareTrial,
  readClub,
  recordCommand,
} from '../support/fault-club.ts';
import { makeTestFolder, removeFolder } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { printFigure } from '../support/print.ts';
import { createRandom } from '../support/random.ts';
import { buildShim, type Fault, faultText, type Operation } from '../support/shim.ts';

const commands: readonly ClubCommand[] = [
  ...changes.filter(({ name }) => ['import', 'key', 'backup', 'restore'].includes(name)),
  exporting,
];

type Result = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Starts a process that runs command lines with faults below a folder. */
function startRunner(library: string, folder: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'disk-fault-runner.ts')], {
    env: { PATH: process.env['PATH'], TZ: 'UTC', LD_PRELOAD: library, FAULT_FOLDER: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (args: readonly string[], fault: Fault): Promise<Result> => {
    child.stdin.write(`${JSON.stringify({ args, fault: faultText(fault) })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`The process ended at ${args.join(' ')}, ${faultText(fault)}`);
    return JSON.parse(value as string) as Result;
  };
}

/** Returns every fault of a command. A write can be short; only some operations need space. */
function faultsOf(operations: readonly Operation[]): Fault[] {
  return operations.flatMap(({ kind }, index) => {
    const at = index + 1;
    const faults: Fault[] = [
      { at, kind: 'EIO' },
      { at, kind: 'EIO', always: true },
    ];
    if (!'OUD'.includes(kind))
      faults.push({ at, kind: 'ENOSPC' }, { at, kind: 'ENOSPC', always: true });
    if (kind === 'W') faults.push({ at, kind: 'short' }, { at, kind: 'short', always: true });
    return faults;
  });
}

/** Files that belong in a data directory, with the log of SQLite. */
const ownFiles = new Set(['events.sqlite', 'events.sqlite-wal', 'events.sqlite-shm', 'backups']);

/** A command that could not make the backup of the day says so, and goes on. */
const sentence = /^(No backup could be made\. [^\n]+\n)?[^\n]+\n$/;

const isBackup = (name: string) => /^backups\/[^.][^/]*\.sqlite(\.json)?$/.test(name);

it('changes all or nothing when the disk fails, and says so in one sentence', async (context) => {
  const shim = buildShim(makeTestFolder());
  if (typeof shim === 'string') return context.skip(shim);
  const club = await makeFaultClub(makeTestFolder());
  const random = createRandom(18);
  const found = { trials: 0, failed: 0, unchanged: 0, complete: 0 };
  const wrong: string[] = [];
  const run = startRunner(shim.library, join(club.folder, 'trials'));
  for (const command of commands) {
    const {
      operations,
      before,
      after,
      trial: whole,
    } = await recordCommand(shim.library, club, command);
    const hasOutput = existsSync(whole.output);
    const wholeOutput = hasOutput ? readFileSync(whole.output) : Buffer.of();
    const all = faultsOf(operations);
    const kinds = Object.values(Object.groupBy(all, ({ kind, always }) => `${kind} ${always}`));
    // The last fault of a kind comes when most is done.
    const some = kinds.map((faults = [], index) =>
      index % 2 === found.trials % 2 ? faults.at(-1) : faults[random(faults.length)],
    );
    for (const fault of choose(all, some as Fault[])) {
      const trial = await prepareTrial(club, command, `trials/${found.trials}`);
      const { folder, home, output } = trial;
      const result = await run(['--home', home, ...trial.args], fault);
      const title = `${command.name}, ${faultText(fault)}: ${JSON.stringify(result)}`;
      found.trials += 1;
      const state = await readClub(home, command).catch(String);
      const written = existsSync(output) ? readFileSync(output) : undefined;
      const names = [
        ...readdirSync(home, { recursive: true, encoding: 'utf8' }),
        ...readdirSync(folder),
      ];
      const known = [...ownFiles, 'home', basename(output)];
      const left = names.filter((name) => !known.includes(name) && !isBackup(name));
      // A broken disk cannot remove a file either.
      const isDead = fault.kind === 'EIO' && fault.always;
      const isDone = result.status === 0;
      const rules = {
        'changed all or nothing': state === after || (!isDone && state === before),
        'exits with 0 or 1': isDone || (result.status === 1 && result.stdout === ''),
        'fails in one sentence': isDone || sentence.test(result.stderr),
        'does not fail as a mistake of the program': !result.stderr.includes('please report'),
        'writes the file whole or not': written?.equals(wholeOutput) ?? (!isDone || !hasOutput),
        'leaves nothing behind': isDead || left.length === 0,
      };
      if (!isDone) found.failed += 1;
      found[state === before && before !== after ? 'unchanged' : 'complete'] += 1;
      for (const [rule, holds] of Object.entries(rules))
        if (!holds) wrong.push(`${title}: not so: ${rule}; ${left}; ${state.slice(0, 200)}`);
      removeFolder(folder);
    }
  }
  expect(wrong).toEqual([]);
  expect(found.failed).toBeGreaterThan(0);
  printFigure(`disk faults: ${JSON.stringify(found)}; nothing else left behind`);
}, 7_200_000);
