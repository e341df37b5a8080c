import { existsSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Argument, Command, CommanderError, Option } from 'commander';
import {
  type ActionResult,
  argumentsUsedAs,
  type CommandName,
  catalogue,
  commandNames,
  commandOf,
} from '../actions/catalogue.ts';
import { asUsage, commandProblem, explain, type Problem } from '../base/errors.ts';
import { type Home, homeAt } from '../base/home.ts';
import {
  chooseHome,
  parseAllowedOrigin,
  parseEvery,
  parseMaxLag,
  parseMetrics,
  parsePort,
  parsePublicUrl,
  parseSyncEvery,
  type Setting,
  settings,
} from '../base/settings.ts';
import { version } from '../base/version.ts';
import { type ActionTools, thisMachine } from '../club/tools.ts';
import { isSameZone, systemZone } from '../dates/zone.ts';
import {
  type Arguments,
  argumentsOf,
  nameArgument,
  nameGiven,
  readSecret,
  requireExpectedFiles,
  withInput,
} from './arguments.ts';
import type { Shell } from './completion.ts';
import {
  createOutput,
  nameClub,
  type Output,
  outputError,
  ReaderGone,
  type Streams,
  wordForTerminal,
} from './output.ts';
import { commandOutputs } from './results/results.ts';
import type { CommandOutput } from './results/text.ts';
import type { ServeOptions } from './serve.ts';
import { nextSignal } from './signals.ts';
import type { WatchOptions } from './watch.ts';

type Invocation = Streams & {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin?: Readable;
  /** The umask of the person who runs the command. */
  readonly umask?: number;
};

type Tools = ActionTools & { readonly output: Output };

function optionOf({ flag, defaultText, help }: Setting): Option {
  return new Option(flag, `${help} (default: ${defaultText})`);
}

/** Collects the values of a repeatable option. */
function appendTo(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

/** The global options, and the club of the command, which the program stores beside them. */
type Globals = { readonly home?: string; readonly json?: boolean; readonly user?: string };

/** Creates the environment of actions from the global options. */
function toolsOf(program: Command, { stdout, stderr, env, umask }: Invocation): Tools {
  const { home, json = false, user } = program.opts<Globals>();
  const output = createOutput({ stdout, stderr }, { json, user });
  const isOption = program.getOptionValueSource('home') === 'cli';
  return {
    ...thisMachine,
    home: homeAt(chooseHome(isOption ? home : undefined, env)),
    write: output.write,
    onProgress: output.progress,
    onWait: output.waiting,
    umask,
    warn: (failure) => void wordForTerminal(failure).then(output.note),
    output,
  };
}

/** A failure that the output of its command has described. */
class ReportedFailure extends Error {}

/** Names the time zone of a result with times, if it is not that of this computer. */
function noteZone(result: object, output: Output): void {
  const { timeZone } = result as { readonly timeZone?: string };
  const here = systemZone(process.env['TZ']);
  if (timeZone === undefined || (here !== undefined && isSameZone(timeZone, here))) return;
  output.note(`Times are those of the time zone ${timeZone}.`);
}

/** Returns true if a service runs that makes the backups of a home. */
async function isServed(home: Home): Promise<boolean> {
  const { findServices } = await import('../service/registration.ts');
  return (await findServices(home.registration)).some(
    ({ state, demo }) => state === 'running' && !demo,
  );
}

/**
 * Makes the backup of the day after a change, if it is due and no service runs that will make it. A
 * failure is only noted: the change is stored.
 */
async function backUpAfterChange({ output, ...tools }: Tools): Promise<void> {
  const { home, now } = tools;
  const { createBackup, failureOf, isBackupDue } = await import('../store/backup-files.ts');
  const { compressBackups } = await import('../store/backup-rotation.ts');
  try {
    if (!isBackupDue(home, now())) return;
    if (await isServed(home)) return;
    const size = statSync(home.database, { throwIfNoEntry: false })?.size ?? 0;
    if (size > noticeableSize)
      output.note('The change is stored. Making the backup of the day ...');
    await compressBackups(home, now());
    createBackup(home, 'daily', now());
  } catch (error) {
    output.note(await wordForTerminal(failureOf('backup_failed', error)));
  }
}

/** Time in milliseconds for which a command waits for a folder that gives no sign of life. */
const folderTimeout = 5_000;

/** Copies a new backup to the chosen folders, if no service runs that will do it. Failures are noted. */
async function copyBackups({ output, ...tools }: Tools): Promise<void> {
  const { home, now } = tools;
  if (!existsSync(home.backupFolders)) return;
  const { findDueFolders } = await import('../outside/backup-folders.ts');
  try {
    if (findDueFolders(home, now()).length === 0 || (await isServed(home))) return;
    await catalogue['backup folder tick'].perform({ timeout: folderTimeout }, tools);
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined) throw error;
    output.note(await wordForTerminal(failure));
  }
}

/** Size in bytes from which a person or script notices the time of a backup. */
const noticeableSize = 50_000_000;

async function runAction(
  name: CommandName,
  args: Arguments,
  { output, ...tools }: Tools,
): Promise<void> {
  let hasWritten = false;
  const onWritten = () => {
    hasWritten = true;
  };
  try {
    await requireExpectedFiles(name, args, tools);
    const result = await catalogue[name].perform(args, { ...tools, onWritten });
    await printResult(name, args, result, output);
  } finally {
    if (hasWritten) await backUpAfterChange({ output, ...tools });
    if (catalogue[name].effect !== 'read') await copyBackups({ output, ...tools });
  }
}

/** Prints the result of an action, with its notes. Throws if it is a failure. */
async function printResult(
  name: CommandName,
  args: unknown,
  result: ActionResult<CommandName>,
  output: Output,
): Promise<void> {
  const spec = commandOutputs[name] as CommandOutput;
  const text = await spec.toText(result);
  try {
    const value = output.json ? await spec.toJson?.(result) : undefined;
    if (text !== undefined) await output.result(value ?? result, text);
  } catch (error) {
    const describe =
      spec.toUnprinted ?? (catalogue[name].effect === 'read' ? undefined : spec.toText);
    const change = await describe?.(result);
    if (change !== undefined) output.note(change);
    throw error;
  }
  for (const note of (await spec.toNotes?.(result)) ?? []) output.note(note);
  // Not for a zone that the command names.
  if (!output.json && Object(args).timeZone === undefined) noteZone(result, output);
  if (catalogue[name].hasFailed(result as never)) throw new ReportedFailure();
}

/** The groups in the name of a command: `hub` and `hub key` of `hub key list`. */
type GroupsIn<Name extends string> = Name extends `${infer Group} ${infer Rest}`
  ? Group | `${Group} ${GroupsIn<Rest>}`
  : never;

/** Commands that are only groups; `backup` is also a command of its own. */
type GroupName = Exclude<GroupsIn<CommandName>, CommandName>;

const groupHelps: Readonly<Record<GroupName, string>> = {
  user: 'club accounts',
  key: 'keys of clubs',
  event: 'events by hand',
  season: 'the next season',
  team: 'teams, which are stored filters of the events',
  message: 'texts for members, to send by messenger or e-mail',
  'days-off': 'holidays, which are never events',
  follow: 'calendars at an address, such as that of a league',
  mirror: 'copies of an online service or of another computer',
  'mirror key': 'keys of an online service',
  proposal: 'proposed changes, to another computer of the club and from it',
  publish: 'files that are kept up to date, in a folder or in a web space',
  'backup folder': 'folders, such as on another disk, that get each new backup',
  hub: 'the record of a hub, which several nodes follow',
  'hub key': 'keys of the record',
};

/** Returns the command of groups, such as `user` for `user add`; creates it if necessary. */
function groupOf(program: Command, names: readonly string[]): Command {
  return names.reduce(
    (parent, name, index) =>
      parent.commands.find((command) => command.name() === name) ??
      parent
        .command(name)
        .description(groupHelps[names.slice(0, index + 1).join(' ') as GroupName]),
    program,
  );
}

/** Adds to a command its required options as part of its usage, and its examples. */
function completeHelp(command: Command, examples: readonly string[], operand = ''): void {
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  command.usage([operand, ...required, '[options]'].filter(Boolean).join(' '));
  const lines = examples.map((example) => `  club-events ${example}`);
  command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
}

/** The only values of options. */
const onlyValues = new WeakMap<Option, readonly string[]>();

/** Returns the only values of an option; undefined if there are others. */
export function valuesOf(option: Option): readonly string[] | undefined {
  return onlyValues.get(option);
}

/** Throws `option_value_unknown` if a value is not one of the only ones of an option. */
function requireKnown(option: Option, text: string): void {
  const values = valuesOf(option);
  if (values === undefined || values.includes(text)) return;
  const flag = option.long ?? option.flags;
  throw asUsage(commandProblem('option_value_unknown', { flag, text, values: values.join(', ') }));
}

/** Returns the names of a command and its groups, such as `user add`. */
function pathOf(command: Command): string {
  const above = command.parent?.parent ? `${pathOf(command.parent)} ` : '';
  return `${above}${command.name()}`;
}

/** Adds to the help of a group the first example of each of its commands. */
function addExamplesToGroups(program: Command): void {
  for (const group of program.commands.flatMap((each) => [each, ...each.commands])) {
    const name = pathOf(group);
    if (group.commands.length === 0 || Object.hasOwn(commandOutputs, name)) continue;
    const lines = commandNames
      .filter((action) => action.startsWith(`${name} `))
      .map((action) => `  club-events ${commandOf(action).examples[0]}`);
    group.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
  }
  const lines = [
    'serve --demo',
    'import season.xlsx --user "Chess Club" --dry-run',
    'import --help',
  ];
  const examples = lines.map((line) => `  club-events ${line}`);
  program.addHelpText('after', ['', 'Examples:', ...examples].join('\n'));
}

function addAction(
  program: Command,
  name: CommandName,
  tools: () => Tools,
  stdin: Readable | undefined,
): void {
  const spec = commandOf(name);
  const names = name.split(' ');
  const command = groupOf(program, names.slice(0, -1)).command(names.at(-1) ?? '');
  command.description(spec.help);
  if (spec.operand !== undefined) command.arguments(spec.operand);
  for (const { flag, help, group, required = false, repeatable, values } of spec.options) {
    const text = required ? `${help} (required)` : help;
    const option = new Option(flag, text).makeOptionMandatory(required);
    if (values !== undefined) onlyValues.set(option, values);
    if (group !== undefined) option.helpGroup(group);
    if (repeatable) option.argParser(appendTo);
    command.addOption(option);
    command.on(`option:${option.name()}`, (value: string) => requireKnown(option, value));
  }
  completeHelp(command, spec.examples, spec.operand);
  const readsPassword = argumentsUsedAs(name, 'password').length > 0;
  const readsSecret = readsPassword || argumentsUsedAs(name, 'scriptKey', 'syncKey').length > 0;
  command.action(async () => {
    const { processedArgs: operands } = command;
    const operand = operands.length > 1 ? operands : operands[0];
    // With global options: `--json` makes an import return details.
    const options = command.optsWithGlobals<Record<string, unknown>>();
    const { output, ...rest } = tools();
    // A secret on the command line would be in the list of processes.
    const needsSecret =
      options['keyStdin'] === true || (readsSecret && spec.readsInput?.(options) !== false);
    const kind = readsPassword ? 'password' : 'key';
    const standardInput = needsSecret && stdin ? await readSecret(kind, stdin, output) : undefined;
    const run = async () => {
      try {
        const args = argumentsOf(name, command, operand, { ...options, standardInput });
        await withInput(name, args, { stdin, output }, (values) =>
          runAction(name, values, { output, ...rest }),
        );
      } catch (error) {
        throw nameArgument(error, name, command);
      }
    };
    const { every } = options;
    if (typeof every === 'string') await repeat(parseEvery(every), run, output);
    else await run();
  });
}

/**
 * Runs a command until a signal, with a pause after each time. Neither a known failure ends it, nor a
 * result that lists failures.
 */
async function repeat(pause: number, run: () => Promise<void>, output: Output): Promise<void> {
  const ending = new AbortController();
  void nextSignal().then(() => ending.abort());
  while (!ending.signal.aborted) {
    try {
      await run();
    } catch (error) {
      const failure = explain(error);
      const isKnown = failure !== undefined || error instanceof ReportedFailure;
      if (!isKnown || failure?.isUsage) throw error;
      if (failure !== undefined) output.note(await wordForTerminal(failure));
    }
    await delay(pause, undefined, ending).catch(() => undefined);
  }
}

function addServe(program: Command, tools: () => Tools): void {
  const command = program
    .command('serve')
    .description('run the service in the foreground; the first line of output is its base URL')
    .addOption(optionOf(settings.port).argParser(parsePort))
    .addOption(optionOf(settings.host))
    .addOption(optionOf(settings.publicUrl).argParser(parsePublicUrl))
    .addOption(
      optionOf(settings.allowOrigin).argParser((text, earlier: string[] | undefined) =>
        appendTo(parseAllowedOrigin(text), earlier),
      ),
    )
    .addOption(optionOf(settings.syncEvery).argParser(parseSyncEvery))
    .addOption(optionOf(settings.hub))
    .addOption(optionOf(settings.maxLag).argParser(parseMaxLag))
    .addOption(optionOf(settings.metrics).argParser(parseMetrics))
    .addOption(optionOf(settings.acceptRecord))
    .addOption(optionOf(settings.demo))
    .action(async (options: ServeOptions) => {
      // Loaded on demand: its libraries take a quarter of the start time of other commands.
      const { serve } = await import('./serve.ts');
      await serve(options, tools());
    });
  completeHelp(command, ['serve', 'serve --demo', 'serve --port 28471 --sync-every 60']);
}

/** Parses the seconds that a command may wait. Throws `wait_invalid`. */
function parseWait(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= 86_400)) throw asUsage(commandProblem('wait_invalid', { text }));
  return seconds;
}

function addUrl(program: Command, tools: () => Tools): void {
  const command = program
    .command('url')
    .description('print the base URL of the service that runs on this data directory')
    .option('--wait <seconds>', 'wait at most this long for a service that starts (default: 0)')
    .action(async ({ wait = '0' }: { readonly wait?: string }) => {
      const { home, output } = tools();
      const seconds = parseWait(wait);
      const { findService } = await import('../service/registration.ts');
      const service = await findService(home.registration, seconds * 1_000);
      if (service === undefined) throw commandProblem('no_service', { path: home.directory });
      await output.result(service, service.baseUrl);
    });
  completeHelp(command, ['url', 'url --wait 30']);
}

type AssistantOptions = {
  readonly user?: string;
  readonly propose?: boolean;
  readonly bundle?: string;
};

function addMcp(program: Command, tools: () => Tools): void {
  const command = program
    .command('mcp')
    .description('let an assistant read the events: a Model Context Protocol server on stdio')
    .option('--user <name>', 'the club that it may read (default: all clubs)')
    .option('--propose', 'let it propose changes to the clubs that allow it; a person decides')
    .option('--bundle <file>', 'write an .mcpb file that adds it to an assistant, and end')
    .action(async ({ user, propose, bundle }: AssistantOptions) => {
      const { output, ...used } = tools();
      if (bundle !== undefined) {
        const written = await catalogue['mcp bundle'].perform(
          { user, propose, output: bundle },
          used,
        );
        const { output: path } = written;
        const text = `Wrote ${path}. Open it with the assistant; what the assistant reads leaves this computer.`;
        return await output.result(written, text);
      }
      // Loaded on demand: its package would double the start time of other commands.
      const { serveAssistant } = await import('../mcp/server.ts');
      const warn = ({ message }: Error) => output.note(message);
      await serveAssistant({ ...used, warn }, { only: user, propose });
    });
  completeHelp(command, ['mcp', 'mcp --user "Chess Club" --bundle chess-club.mcpb']);
}

function addCompletion(program: Command, tools: () => Tools): void {
  const command = program
    .command('completion')
    .description('print the completion of this command line for a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action(async (shell: Shell) => {
      const { output } = tools();
      const { composeCompletion } = await import('./completion.ts');
      const script = composeCompletion(program, shell, valuesOf);
      await output.result({ shell, script }, script.trimEnd());
    });
  completeHelp(
    command,
    [
      'completion bash > ~/.local/share/bash-completion/completions/club-events',
      'completion fish > ~/.config/fish/completions/club-events.fish',
    ],
    '<shell>',
  );
}

/** Adds the help of a command by its whole name, and the list of codes. */
function addHelp(program: Command, tools: () => Tools): void {
  const command = program
    .helpCommand(false)
    .command('help')
    .description('show the help of a command, or with "codes" every code of an error')
    .argument('[command...]', 'a command, such as "user add"')
    .action(async (names: readonly string[]) => {
      if (names.join(' ') === 'codes') {
        const { output } = tools();
        const { listCodes } = await import('../messages/messages.ts');
        const { codes, findings } = listCodes();
        const lines = [
          'Failures:',
          ...codes.map(({ code, detail }) => `  ${code}: ${detail}`),
          '',
          'Findings of doctor:',
          ...findings.map(({ code, detail, remedy }) =>
            `  ${code}: ${detail} ${remedy ?? ''}`.trimEnd(),
          ),
        ];
        return await output.result({ codes, findings }, lines.join('\n'));
      }
      const found = names.reduce((parent, name) => {
        const below = parent.commands.find((each) => each.name() === name);
        if (below !== undefined) return below;
        throw asUsage(commandProblem('usage_wrong', { reason: `unknown command '${name}'` }));
      }, program);
      found.outputHelp();
    });
  completeHelp(command, ['help user add', 'help codes', 'help codes --json'], '[command...]');
}

function addWatch(program: Command, tools: () => Tools): void {
  const command = program
    .command('watch')
    .description('print each change of a club as a line of JSON, or give it to a command')
    .argument('[argument...]', 'arguments of the command; after "--" if one begins with a dash')
    .requiredOption('--user <name>', 'the club whose events are watched (required)')
    .option('--exec <command>', 'a program that runs for each change, with the line as its input')
    .option('--name <text>', 'the name under which the position is kept (default: the command)')
    .action(async (args: string[], options: WatchOptions) => {
      const { watch } = await import('./watch.ts');
      await watch(options, args, tools());
    });
  completeHelp(
    command,
    [
      'watch --user "Chess Club"',
      'watch --user "Chess Club" --exec python3 react.py',
      'watch --user "Chess Club" --exec powershell -- -File react.ps1',
    ],
    '[argument...]',
  );
}

export function createProgram(invocation: Invocation): Command {
  const program = new Command('club-events')
    .description("A club's events on this computer, for scripts that also read them online.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => invocation.stdout.write(text),
      writeErr: (text) => invocation.stderr.write(text),
      // Wrong usage is reported like any other failure.
      outputError: () => undefined,
    })
    .configureHelp({ showGlobalOptions: true })
    .addOption(optionOf(settings.home).env(settings.home.env))
    .addOption(optionOf(settings.json));
  program.hook('preAction', (_, command) => {
    program.setOptionValue('user', command.opts<Globals>().user);
  });
  const tools = () => toolsOf(program, invocation);
  addServe(program, tools);
  addUrl(program, tools);
  addWatch(program, tools);
  for (const name of commandNames) {
    addAction(program, name, tools, invocation.stdin);
  }
  addMcp(program, tools);
  addCompletion(program, tools);
  addHelp(program, tools);
  addExamplesToGroups(program);
  return program;
}

/** Returns the problem of an error; wrong usage has the words of commander. */
async function problemOf(error: unknown, home: () => Home): Promise<Problem> {
  if (error instanceof CommanderError) {
    // Commander has printed the commands of a group, as none of them was given.
    if (error.code === 'commander.help') return asUsage(commandProblem('command_missing'));
    const reason = error.message
      .replace(/^error: /, '')
      .replace(/\s+/g, ' ')
      .replace(/\.$/, '');
    return asUsage(commandProblem('usage_wrong', { reason }));
  }
  const explained = explain(error);
  if (explained !== undefined) return explained;
  const { findContentProblem } = await import('../club/check-store.ts');
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return (await findContentProblem(home())) ?? commandProblem('internal', { reason });
}

/**
 * Writes an error to stderr and, with `--json`, its code to stdout. Returns the exit status
 * (INTERFACE section 3).
 */
async function reportError(
  error: unknown,
  {
    home,
    ...streams
  }: Streams & {
    readonly json: boolean;
    readonly user: string | undefined;
    readonly home: () => Home;
  },
): Promise<0 | 1 | 2> {
  // The help or the version.
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof ReaderGone) return 0;
  if (error instanceof ReportedFailure) return 1;
  const failure = await problemOf(error, home);
  const { json, user } = streams;
  const detail = nameGiven(nameClub(await wordForTerminal(failure), user), failure);
  createOutput(streams, streams).note(detail);
  const { code, isUsage } = failure;
  if (json) streams.stdout.write(`${JSON.stringify({ error: { code, detail } })}\n`);
  return isUsage ? 2 : 1;
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
  const { stdin, stdout, stderr, env } = process;
  // Files in the data directory are for their owner only.
  const umask = process.umask(0o077);
  let failure: NodeJS.ErrnoException | undefined;
  stdout.on('error', (error) => {
    failure ??= error;
  });
  // A failure of stderr cannot be reported anywhere.
  stderr.on('error', () => undefined);
  const invocation = { stdin, stdout, stderr, env, umask };
  const program = createProgram(invocation);
  const report = (error: unknown) => {
    const { json = false, user } = program.opts<Globals>();
    const home = () => toolsOf(program, invocation).home;
    return reportError(error, { stdout, stderr, json, user, home });
  };
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = await report(error);
  }
  if (process.exitCode) return;
  // Commander does not wait for its output, such as the help.
  await flush(stdout);
  if (failure !== undefined) process.exitCode = await report(outputError(failure));
}
