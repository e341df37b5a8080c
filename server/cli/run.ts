import type { Writable } from 'node:stream';
import { CommanderError } from 'commander';
import { explain } from '../errors.ts';
import { outputError, ReaderGone } from './output.ts';
import { createProgram } from './program.ts';

/** Writes an error to stderr and returns the exit status (INTERFACE section 3). */
function reportError(error: unknown, stderr: Writable): 0 | 1 | 2 {
  // Commander has printed its own messages: help and version (status 0), or wrong usage.
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

/** Waits until all pending writes of a stream are flushed or have failed. */
function flush(stream: Writable): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()));
}

/** Runs a command line and sets the exit status of the process. */
export async function runCommandLine(
  process: NodeJS.Process,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const { stdout, stderr, env } = process;
  // Files in the data directory are for their owner only.
  process.umask(0o077);
  let failure: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error) => {
    failure ??= error;
  });
  // A failure of stderr cannot be reported anywhere.
  stderr.on('error', () => undefined);
  try {
    await createProgram({ stdout, stderr, env }).parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(error, stderr);
  }
  if (process.exitCode) return;
  // Commander does not wait for its output, such as the help.
  await flush(stdout);
  if (failure !== undefined) process.exitCode = reportError(outputError(failure), stderr);
}
