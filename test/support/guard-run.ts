import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';

/** The variable by which the guardian knows the processes of a run. */
const runVariable = 'TEST_RUN';

/** Returns the mark of this run, for a program that gets an environment of its own. */
export function markOfRun(): Readonly<Record<string, string>> {
  const mark = process.env[runVariable];
  return mark === undefined ? {} : { [runVariable]: mark };
}

/** Starts a process that ends what this run leaves behind when it is interrupted or killed. */
export function setup({ config }: TestProject): void {
  // Other systems do not show the environment of a process in a file.
  if (!existsSync('/proc/self/environ')) return;
  const mark = `${process.pid}-${Date.now()}`;
  process.env[runVariable] = mark;
  const ownFolder =
    process.env['TEST_FOLDER'] === undefined ? config.env['TEST_FOLDER'] : undefined;
  const args = [join(import.meta.dirname, 'guardian.ts'), `${runVariable}=${mark}`];
  const guardian = spawn(process.execPath, ownFolder ? [...args, ownFolder] : args, {
    // A group of its own, so that Ctrl+C does not reach it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'] },
  });
  guardian.unref();
  (guardian.stdin as unknown as { unref(): void }).unref();
}
