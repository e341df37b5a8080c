import { CommanderError } from 'commander';
import { explain } from '../errors.ts';
import { createProgram } from './program.ts';

/** The exit status for an error, after its sentence went to stderr (INTERFACE section 3). */
function reportError(error: unknown): 0 | 1 | 2 {
  // Commander has printed its own: help and version, which are no errors, or a wrong usage.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const explained = explain(error);
  if (explained === undefined) {
    const trace = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`Club Events failed; please report this:\n${trace}\n`);
    return 1;
  }
  process.stderr.write(`${explained.message}\n`);
  return explained.code === 'wrong_usage' ? 2 : 1;
}

/** Runs the command in these arguments of the process, and sets its exit status. */
export async function runCommandLine(
  process: NodeJS.Process,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const { stdout, stderr, env } = process;
  // Whatever is made in the data directory is for its owner alone.
  process.umask(0o077);
  // A reader that has seen enough, as in `… | head -1`, is no failure.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await createProgram({ stdout, stderr, env }).parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = reportError(error);
  }
}
