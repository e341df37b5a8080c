import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import {
  type ClubCommand,
  changes,
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
  ...changes.filter(({ name }) => name === 'import' || name === 'key'),
  { name: 'export', args: ({ output }) => ['export', '--user', 'Chess', '--output', output] },
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

it('changes all or nothing when the disk fails, and says so in one sentence', async (context) => {
  const shim = buildShim(makeTestFolder());
  if (typeof shim === 'string') return context.skip(shim);
  const club = await makeFaultClub(makeTestFolder());
  const random = createRandom(18);
  const found = { trials: 0, failed: 0, unchanged: 0, complete: 0 };
  const run = startRunner(shim.library, join(club.folder, 'trials'));
  for (const command of commands) {
    const {
      operations,
      before,
      after,
      trial: whole,
    } = await recordCommand(shim.library, club, command);
    const wholeOutput = existsSync(whole.output) ? readFileSync(whole.output) : undefined;
    const all = faultsOf(operations);
    const some = Array.from({ length: 8 }, () => all[random(all.length)] as Fault);
    for (const fault of choose(all, some)) {
      const trial = await prepareTrial(club, command, `trials/${found.trials}`);
      const { folder, home, output } = trial;
      const result = await run(['--home', home, ...trial.args], fault);
      const title = `${command.name}, ${faultText(fault)}: ${JSON.stringify(result)}`;
      found.trials += 1;
      const state = await readClub(home, command).catch((error: unknown) => {
        throw new Error(`${title}: ${error}`);
      });
      if (result.status === 0) {
        expect(state, title).toBe(after);
      } else {
        found.failed += 1;
        expect([before, after], title).toContain(state);
        expect(result, title).toMatchObject({ status: 1, stdout: '' });
        expect(result.stderr, title).toMatch(/^[^\n]+\n$/);
        expect(result.stderr, title).not.toMatch(/please report/);
      }
      found[state === before && before !== after ? 'unchanged' : 'complete'] += 1;
      // A file is written whole or not at all.
      const written = existsSync(output) ? readFileSync(output) : undefined;
      if (result.status === 0) expect(written, title).toEqual(wholeOutput);
      else if (written !== undefined) expect(written, title).toEqual(wholeOutput);
      // A broken disk cannot remove a file either.
      const isDead = fault.kind === 'EIO' && fault.always;
      const names = [...readdirSync(home), ...readdirSync(folder)];
      const known = [...ownFiles, 'home', basename(output)];
      const left = names.filter((name) => !known.includes(name));
      if (!isDead) expect(left, title).toEqual([]);
      removeFolder(folder);
    }
  }
  expect(found.failed).toBeGreaterThan(0);
  printFigure(`disk faults: ${JSON.stringify(found)}; nothing else left behind`);
}, 7_200_000);
