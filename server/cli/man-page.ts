import { basename } from 'node:path';
import type { Command, Option } from 'commander';
import { homeAt } from '../base/home.ts';
import { settings } from '../base/settings.ts';

/** Escapes a text for roff: backslashes, hyphens, and a dot or quote at the start of a line. */
function toRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}

function optionLines(options: readonly Option[]): string[] {
  return options.flatMap(({ flags, description, envVar }) => {
    const text = envVar === undefined ? description : `${description}; also ${envVar}`;
    return ['.TP', `\\fB${toRoff(flags)}\\fR`, toRoff(text)];
  });
}

/** Returns the examples of a command: the last part of its help. */
function examplesOf(command: Command): string[] {
  const pieces: string[] = [];
  command.configureOutput({ writeOut: (text) => pieces.push(text) }).outputHelp();
  const examples = pieces.join('').split('\nExamples:\n')[1] ?? '';
  return examples
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim());
}

function commandLines(command: Command, path: string): string[] {
  const helper = command.createHelp();
  const below = command.commands.flatMap((each) => commandLines(each, `${path} ${each.name()}`));
  const isGroup = command.commands.length > 0 && command.options.length === 0;
  if (isGroup) return below;
  const options = helper.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    `.SS ${toRoff(`${path} ${command.usage()}`.trim())}`,
    toRoff(command.description()),
    ...optionLines(options),
    '.PP',
    '.nf',
    ...examplesOf(command).map((line) => `.RS 4\n${toRoff(line)}\n.RE`),
    '.fi',
    ...below,
  ];
}

/** Composes an entry with the name in bold. */
const entry = ([name, text]: readonly [name: string, text: string]) =>
  `.TP\n.B ${toRoff(name)}\n${toRoff(text)}`;

const home = homeAt('.');

const files = [
  ['~/.local/share/club-events', 'The data directory on Linux; XDG_DATA_HOME moves it.'],
  ['~/Library/Application Support/club-events', 'The data directory on macOS.'],
  [basename(home.database), 'In the data directory: all clubs, with their events and history.'],
  [basename(home.backups), 'In the data directory: the backups.'],
  [basename(home.logs), 'In the data directory: the logs of the service and of the window.'],
] as const;

const variables = [
  [settings.home.env, `The place of ${settings.home.help}; an empty one counts as not set.`],
  ['TZ', 'The time zone of this computer, for a new club and for the times of results.'],
  ['HTTPS_PROXY', 'The proxy for addresses of the web, but never for this computer.'],
  ['NO_PROXY', 'The hosts that are reached without a proxy.'],
  ['PGHOST', 'The PostgreSQL of a hub; also the other variables of libpq.'],
] as const;

/** Composes the manual page of all commands, for man(1). */
export function composeManPage(program: Command, version: string): string {
  const globals = program.options;
  return [
    `.TH CLUB\\-EVENTS 1 "" "Club Events ${toRoff(version)}" "User Commands"`,
    '.SH NAME',
    "club\\-events \\- a club's events on this computer",
    '.SH SYNOPSIS',
    '.B club\\-events',
    '[\\fIoptions\\fR] \\fIcommand\\fR ...',
    '.SH DESCRIPTION',
    toRoff(program.description()),
    'Without a command, the packages of the desktop open the window.',
    '.SH OPTIONS',
    ...optionLines(globals),
    '.SH COMMANDS',
    ...program.commands.flatMap((each) => commandLines(each, each.name())),
    '.SH FILES',
    ...files.map(entry),
    '.SH ENVIRONMENT',
    ...variables.map(entry),
    '.SH EXIT STATUS',
    entry(['0', 'Done.']),
    entry([
      '1',
      'Failed; one sentence on standard error has the reason, and nothing is half done.',
    ]),
    entry(['2', 'Wrong usage.']),
    '',
  ].join('\n');
}
