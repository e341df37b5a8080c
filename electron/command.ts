/** The commands of the command line, and the options that may come before one. */
export const commandWords = [
  'serve',
  'url',
  'user',
  'key',
  'import',
  'export',
  'history',
  'undo',
  'check',
  'help',
  '--help',
  '-h',
  '--version',
  '-V',
  '--home',
  '--json',
] as const;

/**
 * The arguments that follow the program itself: in a package it is the executable, else Electron
 * with the folder of the application.
 */
export function argumentsOf({
  argv,
  isPackaged,
}: {
  readonly argv: readonly string[];
  readonly isPackaged: boolean;
}): readonly string[] {
  return argv.slice(isPackaged ? 1 : 2);
}

/** Whether the program was started as `club-events COMMAND …` rather than for its window. */
export function isCommand([first]: readonly string[]): boolean {
  return commandWords.some((word) => word === first || (first?.startsWith(`${word}=`) ?? false));
}

/** Runs the command, as the command line of a checkout does; gives its exit status. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const { runCommandLine } = await import('../server/cli/run.ts');
  await runCommandLine(process, args);
  // What is still on its way to a pipe would be lost.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  return Number(process.exitCode ?? 0);
}
