import { asUsage, Problem } from '../base/errors.ts';
import type { CommandCode, ProblemCode } from '../messages/message.ts';

export type CommandOption = {
  readonly flag: string;
  readonly help: string;
  /** The heading of the option in the help. */
  readonly group?: string;
  readonly required?: true;
  /** True if the option may be repeated; its value is then a list. */
  readonly repeatable?: true;
  /** The only values, which a shell completes. */
  readonly values?: readonly string[];
  /** The argument of the action; by default, that of the name of the option. */
  readonly as?: string;
  /** Returns the value for the action, unchecked. */
  readonly read?: (given: unknown) => unknown;
};

/** The command of an action: its operands and options, from which its arguments are made. */
export type Command = {
  readonly operand?: string;
  readonly help: string;
  /** Command lines for the help, without the name of the program; by default, the name of the action. */
  readonly examples?: readonly string[];
  readonly options?: readonly CommandOption[];
  /** Returns false if these options need no key or password on standard input. */
  readsInput?(options: Readonly<Record<string, unknown>>): boolean;
  /** Returns the arguments that the operand gives; by default, those with its names. */
  readOperand?(
    operand: unknown,
    options: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** Returns the unchecked arguments of the action; by default, the operand and all options. */
  toArguments?(operand: unknown, options: Readonly<Record<string, unknown>>): unknown;
};

export const user: CommandOption = {
  flag: '--user <name>',
  help: 'the club whose events are meant',
  required: true,
};

export const optionalUser: CommandOption = {
  flag: '--user <name>',
  help: 'the club whose copy is meant (default: all copies)',
};

export const keyOptions: readonly CommandOption[] = [
  { flag: '--label <text>', help: 'the purpose of the key' },
  {
    flag: '--expires <date>',
    help: 'its last day, to the end of that day in the time zone of the club, or an exact time',
  },
];

/** Parses an id. Throws a problem with the code `invalid`. */
export function toId(text: unknown, invalid: ProblemCode | CommandCode): number {
  const id = /^\d+$/.test(String(text)) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw asUsage(new Problem(invalid, { text: String(text) }));
}

/** Returns a function that reads an operand that is an id. */
export const idOf = (invalid: ProblemCode | CommandCode) => (text: unknown) => ({
  id: text === undefined ? undefined : toId(text, invalid),
});

export const timeZone: CommandOption = {
  flag: '--time-zone <zone>',
  help: 'the zone of times without an offset (default: that of the club)',
};

/** Returns options under a heading of the help. */
export function inGroup(
  group: string,
  options: readonly CommandOption[],
): readonly CommandOption[] {
  return options.map((option) => ({ ...option, group }));
}
