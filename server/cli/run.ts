import type { Writable } from 'node:stream';
import { CommanderError } from 'commander';
import { explain } from '../errors.ts';
import { outputError, ReaderGone } from './output.ts';
import { createProgram } from './program.ts';

/** The exit status for an error, after its sentence went to stderr (INTERFACE section 3). */
function reportError(error: unknown, stderr: Writable): 0 | 1 | 2 {
  // Commander has printed its own: help and version, which are no errors, or a wrong usage.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ReaderGone) return 0;
  const explained = explain(error);
  if (explained === undefined) {
    const trace = error instanceof Error ? error.stack : String(error);
    stderr.write(`Club Events failed; please report this:\n${trace}\n`);
    return 1;
  }
  stderr.write(`${explained.message}\n`);
  return explained.code === 'wrong_usage' ? 2 : 1;
}

/** Waits until everything on its way to a stream was delivered or has failed. */
function settle(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** Runs the command in these arguments of the process, and sets its exit status. */
export async function runCommandLine(
  process: NodeJS.Process,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const { stdout, stderr, env } = process;
  // Whatever is made in the data directory is for its owner alone.
  process.umask(0o077);
  let failure: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error) => {
    failure ??= error;
  });
  // There is nowhere left to report it.
  stderr.on('error', () => undefined);
  try {
    await createProgram({ stdout, stderr, env }).parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(error, stderr);
  }
  if (process.exitCode) return;
  // Nothing waited for text such as the help.
  await settle(stdout);
  if (failure !== undefined) process.exitCode = reportError(outputError(failure), stderr);
}
