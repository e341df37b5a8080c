import { statSync } from 'node:fs';

/** The options of the command line that may come before a command. */
const leadingOptions = ['--help', '-h', '--version', '-V', '--home', '--json'];

/**
 * Returns the arguments that follow the program itself: in a package it is the executable, else
 * Electron with the folder of the application.
 */
export function argumentsOf({
  argv,
  isPackaged,
}: {
  readonly argv: readonly string[];
  readonly isPackaged: boolean;
}): readonly string[] {
  const args = argv.slice(isPackaged ? 1 : 2);
  // An AppImage puts the one in front where the system has no sandbox; the other keeps Chromium
  // from reading what follows, such as `--type`, as a switch of its own.
  const first = args.findIndex((argument) => !['--no-sandbox', '--'].includes(argument));
  return first === -1 ? [] : args.slice(first);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A path through a file or into a folder of others names nothing to open either.
    return false;
  }
}

/**
 * Returns whether the program was started as `club-events COMMAND …` rather than for its window: by
 * any first word that is neither an option, nor a URL to open, nor a file that exists. The launcher
 * in packaging/command-line.ts has the same rule.
 */
export function isCommand([first]: readonly string[]): boolean {
  if (first === undefined) return false;
  if (first.startsWith('-')) return leadingOptions.includes(first) || first.startsWith('--home=');
  if (/^(file|club-events):/.test(first)) return false;
  // A file named like a command must not keep the command from running.
  return /^[a-z-]+$/.test(first) || !isFile(first);
}

/** Runs a command as the command line of a checkout does, and returns its exit status. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const { runCommandLine } = await import('../server/cli/run.ts');
  await runCommandLine(process, args);
  // Output on its way to a pipe would be lost.
  const streams = [process.stdout, process.stderr];
  await Promise.all(streams.map((stream) => new Promise((done) => stream.write('', done))));
  return Number(process.exitCode ?? 0);
}
