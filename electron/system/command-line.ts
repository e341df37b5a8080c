import { statSync } from 'node:fs';

/** Options that may precede a command. */
const leadingOptions = ['--help', '-h', '--version', '-V', '--home', '--json'];

/**
 * Returns the arguments after the program. In a package that is the executable; otherwise it is
 * Electron and the folder of the application.
 */
export function argumentsOf(props: {
  readonly argv: readonly string[];
  readonly isPackaged: boolean;
}): readonly string[] {
  const { argv, isPackaged } = props;
  const args = argv.slice(isPackaged ? 1 : 2);
  // An AppImage adds `--no-sandbox` where the system has no sandbox. `--` keeps Chromium from
  // reading later arguments, such as `--type`, as its own switches.
  const first = args.findIndex((argument) => !['--no-sandbox', '--'].includes(argument));
  return first === -1 ? [] : args.slice(first);
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // An inaccessible path names no file to open.
    return false;
  }
}

/**
 * Returns whether the program was started as `club-events COMMAND …` rather than for its window.
 * The launcher in electron/packaging/add-command-line.ts follows the same rule.
 */
export function isCommand([first]: readonly string[]): boolean {
  if (first === undefined) return false;
  if (first.startsWith('-')) return leadingOptions.includes(first) || first.startsWith('--home=');
  if (/^(file|club-events):/.test(first)) return false;
  // A file named like a command must not keep the command from running.
  return /^[a-z-]+$/.test(first) || !isFile(first);
}

/** Runs a command like the command line of a checkout and returns its exit status. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const { runCommandLine } = await import('../../server/cli/program.ts');
  await runCommandLine(process, args);
  // The caller exits next, which would lose output that is still on its way to a pipe.
  const streams = [process.stdout, process.stderr];
  await Promise.all(streams.map((stream) => new Promise((done) => stream.write('', done))));
  return Number(process.exitCode ?? 0);
}
