import { lstatSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { BrokenRule } from '../actions/action.ts';
import { argumentsUsedAs, type CommandName, catalogue, commandOf } from '../actions/catalogue.ts';
import type { CommandOption } from '../actions/options.ts';
import { asUsage, commandProblem, Problem, packProblem, unpackProblem } from '../base/errors.ts';
import type { ActionTools } from '../club/tools.ts';
import { type CommandCode, displayText } from '../messages/message.ts';
import { parseWebUrl } from '../web/address.ts';
import type { Output } from './output.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** Returns the name of an option in its command line, in the values of commander and in its action. */
function namesOf({ flag, as }: CommandOption) {
  const option = new Option(flag);
  const attribute = option.attributeName();
  return { flag: option.long ?? flag, attribute, argument: as ?? attribute };
}

/** Returns the unchecked arguments of an action: by default, the operands, all options and a secret. */
export function argumentsOf(
  name: CommandName,
  command: Command,
  operand: unknown,
  options: Arguments,
): Arguments {
  const spec = commandOf(name);
  if (spec.toArguments !== undefined) return Object(spec.toArguments(operand, options));
  const operands = command.registeredArguments.map((argument, index) => [
    argument.name(),
    command.processedArgs[index],
  ]);
  const entries = spec.options.flatMap((option): [string, unknown][] => {
    const { attribute, argument } = namesOf(option);
    const value = options[attribute];
    if (value === undefined) return [];
    return [[argument, option.read === undefined ? value : option.read(value)]];
  });
  const secrets = argumentsUsedAs(name, 'password', 'scriptKey', 'syncKey');
  return {
    ...(spec.readOperand?.(operand, options) ?? Object.fromEntries(operands)),
    ...Object.fromEntries(entries),
    ...Object.fromEntries(secrets.map((secret) => [secret, options['standardInput']])),
  };
}

/** Finds the option or operand of an argument, such as `limit` or `files.0`, and its text. */
function findGiven(
  name: CommandName,
  command: Command,
  field: string,
): { readonly flag?: string; readonly text?: string } {
  const path = field.split('.');
  // Parts of an address may be secret.
  const addresses = argumentsUsedAs(name, 'address', 'keyAddress', 'webSpace');
  const isSecret = path.some((part) => addresses.includes(part));
  const index = Number(path.at(-1));
  const option = commandOf(name)
    .options.map(namesOf)
    .find(({ argument }) => path.includes(argument));
  const place = command.registeredArguments.findIndex((each) => path.includes(each.name()));
  const texts: readonly unknown[] =
    option === undefined ? command.args : [command.opts()[option.attribute]].flat();
  const text = texts.at(Number.isNaN(index) ? (option === undefined ? place : -1) : index);
  return {
    ...(option && { flag: option.flag }),
    ...(!isSecret && text !== undefined && { text: String(text) }),
  };
}

/** The codes of the command line for a value that breaks a rule of its schema. */
const ruleCodes = {
  empty: 'argument_empty',
  long: 'argument_too_long',
  small: 'argument_too_small',
  large: 'argument_too_large',
  number: 'argument_not_number',
} as const satisfies Partial<Record<BrokenRule, CommandCode>>;

/** Adds to the problem of an argument its option or operand, as a person gave it. */
export function nameArgument(error: unknown, name: CommandName, command: Command): unknown {
  if (!(error instanceof Problem && error.isUsage)) return error;
  const { field, rule } = error.values;
  if (typeof field !== 'string') return error;
  const { flag = '', text } = findGiven(name, command, field);
  const given = [flag, quote(text)].filter(Boolean).join(' ') || field;
  const code =
    error.code === 'arguments_invalid'
      ? (Object(ruleCodes)[String(rule)] ?? error.code)
      : error.code;
  const values = { ...error.values, flag, given, ...(text !== undefined && { text }) };
  return asUsage(new Problem(code, values, error));
}

const quote = (text: string | undefined) => (text === undefined ? '' : `"${displayText(text)}"`);

/** Begins the sentence of wrong usage with the option and its value, if it does not name them. */
export function nameGiven(sentence: string, { isUsage, values: { flag, text } }: Problem): string {
  if (!isUsage) return sentence;
  const option = String(flag ?? '');
  const value = typeof text === 'string' ? quote(text) : '';
  if (sentence.includes(option) && sentence.includes(value)) return sentence;
  const given = sentence.includes(value) ? option : [option, value].filter(Boolean).join(' ');
  return `${given}: ${sentence}`;
}

/** The name that stands for standard input, or for standard output in the place of a file to write. */
const streamName = '-';

function statsOf(read: typeof lstatSync | typeof statSync, path: string): Stats | undefined {
  try {
    return read(path, { throwIfNoEntry: false });
  } catch {
    // The action says why it cannot be used.
    return undefined;
  }
}

/** Returns true for a pipe with a name, which may never send anything, unlike that of a running command. */
const isNamedPipe = (path: string) =>
  statsOf(lstatSync, path)?.isFIFO() === true && !/^\/dev\/(fd\/|stdin$)/.test(resolve(path));

/** Throws a problem for an address in the place of a file, which names the option for addresses. */
function requireNoAddress(name: CommandName, path: string): void {
  // The import names the command that follows a calendar.
  if (name === 'import' || parseWebUrl(path) === null) return;
  const [argument] = argumentsUsedAs(name, 'address', 'webSpace');
  const option = commandOf(name)
    .options.map(namesOf)
    .find((each) => each.argument === argument);
  throw asUsage(
    option === undefined
      ? commandProblem('path_is_address', { path })
      : commandProblem('path_needs_option', { path, flag: option.flag }),
  );
}

/**
 * Throws a problem for a name that is no file to read or to write, and for a file of another kind one
 * that names the right command. A format that is given says what the file is.
 */
export async function requireExpectedFiles(
  name: CommandName,
  values: Arguments,
  tools: ActionTools,
): Promise<void> {
  const pathsOf = (...uses: Parameters<typeof argumentsUsedAs>[1][]) =>
    argumentsUsedAs(name, ...uses).flatMap((argument) => values[argument] ?? []) as string[];
  const written = pathsOf('output', 'openedOutput');
  const files = pathsOf('file');
  for (const path of [...written, ...files]) requireNoAddress(name, path);
  if (written.includes(streamName)) throw asUsage(commandProblem('output_not_streamed'));
  for (const path of [...files, ...pathsOf('ids')]) {
    if (path === streamName) throw asUsage(commandProblem('input_not_read'));
    if (isNamedPipe(path)) throw asUsage(commandProblem('path_is_pipe', { path }));
  }
  const { refuses } = catalogue[name];
  if (refuses.length === 0) return;
  for (const path of files) {
    if (statsOf(statSync, path)?.isDirectory())
      throw asUsage(commandProblem('path_is_folder', { path }));
  }
  const { requireOtherKinds } = await import('../import/kinds.ts');
  await requireOtherKinds(files, values['format'] === undefined ? refuses : [], tools);
}

/**
 * Runs an import or a restore with a copy of standard input in the place of "-". Other commands need the
 * name of their file: a mirror reads it again, and days off from there replace those before.
 */
export async function withInput(
  name: CommandName,
  values: Arguments,
  { stdin, output }: { readonly stdin: Readable | undefined; readonly output: Output },
  run: (values: Arguments) => Promise<void>,
): Promise<void> {
  const isRead = name === 'import' || name === 'restore';
  const files = argumentsUsedAs(name, 'file').filter((argument) =>
    [values[argument]].flat().includes(streamName),
  );
  if (!isRead || files.length === 0 || stdin === undefined) return run(values);
  explainEnd('file', stdin, output);
  const { readCopy } = await import('../import/reading.ts');
  const shown = 'standard input';
  await readCopy(shown, stdin, async (copy) => {
    const fill = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(fill) : value === streamName ? copy : value;
    const filled = files.map((argument) => [argument, fill(values[argument])]);
    try {
      await run({ ...values, ...Object.fromEntries(filled) });
    } catch (error) {
      if (!(error instanceof Problem && error.values['path'] === copy)) throw error;
      // The copy is gone when a person reads its name.
      throw unpackProblem({ ...packProblem(error), values: { ...error.values, path: shown } });
    }
  });
}

/** Explains on a terminal how to end standard input. */
function explainEnd(kind: 'key' | 'password' | 'file', stdin: Readable, output: Output): void {
  const end = process.platform === 'win32' ? 'Enter, Ctrl+Z and Enter' : 'Enter and Ctrl+D';
  if ('isTTY' in stdin && stdin.isTTY) output.note(`Paste the ${kind}, then press ${end}.`);
}

/** Reads a secret from standard input to its end. */
export async function readSecret(
  kind: 'key' | 'password',
  stdin: Readable,
  output: Output,
): Promise<string> {
  explainEnd(kind, stdin, output);
  const text = await readText(stdin);
  // Spaces around a key never count; those of a password do, but not the end of its line.
  return kind === 'password' ? text.replace(/\r?\n$/, '') : text;
}
