import { Writable } from 'node:stream';
import { type Command, CommanderError } from 'commander';
import { createProgram } from '../../server/cli/program.ts';

/** Splits a command as a shell does. */
export const wordsOf = (command: string) =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Lists the commands in a sentence of the command line, each without its quotes. */
export const commandsIn = (sentence: string) =>
  [...sentence.matchAll(/"(club-events [^"]*)"|'(club-events [^']*)'/g)].map(
    ([, double, single]) => double ?? single ?? '',
  );

/** Returns true for a command that does nothing of its own, such as `user`. */
export const isGroup = ({ commands, options }: Command) =>
  commands.length > 0 && options.length === 0;

function disarm(command: Command): Command {
  command.commands.forEach(disarm);
  return isGroup(command) ? command : command.action(() => undefined);
}

/** Returns the reason for which the program refuses a printed command; undefined if it accepts it. */
export async function findRefusal(printed: string): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_piece, _encoding, done) => done() });
  const program = createProgram({ stdout: nowhere, stderr: nowhere, env: {} });
  try {
    program.commands.forEach(disarm);
    await program.parseAsync(wordsOf(printed).slice(1), { from: 'user' });
    return undefined;
  } catch (error) {
    // The help.
    if (error instanceof CommanderError && error.exitCode === 0) return undefined;
    return (error as Error).message;
  }
}
