import type { Command, Option } from 'commander';

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
    '.SH EXIT STATUS',
    '.TP\n.B 0\nDone.',
    '.TP\n.B 1\nFailed; one sentence on standard error has the reason, and nothing is half done.',
    '.TP\n.B 2\nWrong usage.',
    '',
  ].join('\n');
}
