import type { Command, Option } from 'commander';

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

/** A word that a shell can complete, with its help. */
type Word = { readonly text: string; readonly help: string };

/** The value of an option or operand: some words, the name of a file or folder, or anything. */
type Value = readonly Word[] | 'file' | 'folder' | 'any';

/** The completion of one command. */
type Completion = {
  /** Such as `user add`; empty for the program itself. */
  readonly path: string;
  /** Commands below this one. */
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** The options that take a value. */
  readonly values: readonly (readonly [flags: readonly string[], value: Value])[];
  readonly operand: Value;
};

const plainWords = (texts: readonly string[]): Word[] => texts.map((text) => ({ text, help: '' }));

/** Returns the kind of a value by its name in the help, such as `<file>`. */
function kindOf(name: string): Value {
  if (/file/i.test(name)) return 'file';
  return /dir|folder/i.test(name) ? 'folder' : 'any';
}

function flagsOf({ short, long }: Option): string[] {
  return [long, short].filter((flag) => flag !== undefined);
}

/** Returns the known values of an option, for completion. */
type ValuesOf = (option: Option) => readonly string[] | undefined;

/** Lists a command and those below it, as the help shows them. */
function describeCommands(
  command: Command,
  valuesOf: ValuesOf,
  above = '',
  globals: readonly Option[] = [],
): Completion[] {
  const isProgram = command.parent === null;
  const path = isProgram ? '' : `${above} ${command.name()}`.trim();
  const helper = command.createHelp();
  const options = [...helper.visibleOptions(command), ...globals];
  const operand = command.registeredArguments[0];
  const below = command.commands.flatMap((each) =>
    describeCommands(each, valuesOf, path, isProgram ? command.options : globals),
  );
  const own: Completion = {
    path,
    commands: helper
      .visibleCommands(command)
      .map((each) => ({ text: each.name(), help: each.description() })),
    options: options.flatMap((option) =>
      flagsOf(option).map((text) => ({ text, help: option.description })),
    ),
    values: options
      .filter(({ required, optional }) => required || optional)
      .map((option) => {
        const values = valuesOf(option);
        const value = values === undefined ? kindOf(option.flags) : plainWords(values);
        return [flagsOf(option), value];
      }),
    operand:
      operand === undefined
        ? []
        : operand.argChoices === undefined
          ? kindOf(operand.name())
          : plainWords(operand.argChoices),
  };
  return [own, ...below];
}

/** Returns the patterns `PATH WORD` of all commands, by which a script follows a command line. */
function pathsBelow(commands: readonly Completion[]): string[] {
  return commands.filter(({ path }) => path !== '').map(({ path }) => path);
}

/** Returns all flags whose next word is a value. */
function flagsWithValue(commands: readonly Completion[]): string[] {
  return [...new Set(commands.flatMap(({ values }) => values.flatMap(([flags]) => flags)))];
}

const header = 'Completion of club-events, made from its own list of commands.';

function composeBash(commands: readonly Completion[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const reply = (value: Value) => {
    if (value === 'file') return 'compopt -o filenames 2>/dev/null; words=$(compgen -f -- "$cur")';
    if (value === 'folder')
      return 'compopt -o filenames 2>/dev/null; words=$(compgen -d -- "$cur")';
    if (value === 'any') return 'words=';
    return `words=$(compgen -W ${quote(value.map(({ text }) => text).join(' '))} -- "$cur")`;
  };
  const cases = commands.flatMap(({ path, commands: below, options, values, operand }) => [
    ...values.map(
      ([flags, value]) =>
        `    ${flags.map((flag) => quote(`${path}:${flag}:`)).join('* | ')}*) ${reply(value)} ;;`,
    ),
    `    ${quote(`${path}:`)}*:-*) ${reply(options)} ;;`,
    `    ${quote(`${path}:`)}*) ${reply(below.length > 0 ? below : operand)} ;;`,
  ]);
  return `# ${header}
_club_events() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path= value= words= word i
  # bash makes a word of the "=" in --option=value.
  if [[ $cur == = ]]; then cur=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then value=1; continue; fi
    if [[ -n $value ]]; then value=; continue; fi
    case $word in
      ${flagsWithValue(commands).join(' | ')}) value=1; continue ;;
    esac
    case "\${path:+$path }$word" in
      ${pathsBelow(commands).map(quote).join(' | ')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path:$before:$cur" in
${cases.join('\n')}
  esac
  local IFS=$'\\n' isGlobbing=$-
  set -f
  COMPREPLY=($words)
  [[ $isGlobbing == *f* ]] || set +f
}
complete -F _club_events club-events
`;
}

function composeZsh(commands: readonly Completion[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const described = ({ text, help }: Word) =>
    quote(help === '' ? text : `${text.replaceAll(':', '\\:')}:${help}`);
  const reply = (value: Value) => {
    if (value === 'file') return '_files';
    if (value === 'folder') return '_files -/';
    if (value === 'any') return '_message value';
    if (value.length === 0) return ':';
    return `list=(${value.map(described).join(' ')}); _describe 'club-events' list`;
  };
  const cases = commands.flatMap(({ path, commands: below, options, values, operand }) => [
    ...values.map(
      ([flags, value]) =>
        `    ${flags.map((flag) => quote(`${path}:${flag}:`)).join('*|')}*) ${reply(value)} ;;`,
    ),
    `    ${quote(`${path}:`)}*:-*) ${reply(options)} ;;`,
    `    ${quote(`${path}:`)}*) ${reply(below.length > 0 ? below : operand)} ;;`,
  ]);
  return `#compdef club-events
# ${header}
_club_events() {
  local route= value= word i
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $value ]]; then value=; continue; fi
    case $word in
      ${flagsWithValue(commands).join('|')}) value=1; continue ;;
    esac
    case "\${route:+$route }$word" in
      ${pathsBelow(commands).map(quote).join('|')}) route="\${route:+$route }$word" ;;
    esac
  done
  case "$route:\${words[CURRENT-1]}:\${words[CURRENT]}" in
${cases.join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _club_events "$@"
else
  compdef _club_events club-events
fi
`;
}

function composeFish(commands: readonly Completion[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const argumentsOf = (value: Value) => {
    if (value === 'file') return '-r -F';
    if (value === 'folder') return "-x -a '(__fish_complete_directories)'";
    if (value === 'any') return '-x';
    return `-x -a ${quote(value.map(({ text }) => text).join(' '))}`;
  };
  const lines = commands.flatMap(({ path, commands: below, options, values, operand }) => {
    const here = `complete -c club-events -n ${quote(`__club_events_at ${quote(path)}`)}`;
    const valued = new Map(values.flatMap(([flags, value]) => flags.map((flag) => [flag, value])));
    return [
      ...below.map(({ text, help }) => `${here} -a ${quote(text)} -d ${quote(help)}`),
      ...options.map(({ text, help }) => {
        const flag = text.startsWith('--') ? `-l ${text.slice(2)}` : `-s ${text.slice(1)}`;
        const value = valued.get(text);
        const after = value === undefined ? '' : ` ${argumentsOf(value)}`;
        return `${here} ${flag}${after} -d ${quote(help)}`;
      }),
      ...(operand === 'file' ? [`${here} -F`] : []),
      ...(typeof operand === 'object' ? operand : []).map(
        ({ text }) => `${here} -a ${quote(text)}`,
      ),
    ];
  });
  return `# ${header}
function __club_events_at
  set -l route
  set -l value
  for word in (commandline -opc)[2..-1]
    if test -n "$value"
      set value
    else if contains -- $word ${flagsWithValue(commands).join(' ')}
      set value 1
    else if contains -- (string join ' ' $route $word) ${pathsBelow(commands).map(quote).join(' ')}
      set -a route $word
    end
  end
  test "$route" = "$argv[1]"
end
complete -c club-events -f
${lines.join('\n')}
`;
}

function composePowerShell(commands: readonly Completion[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly Word[]) =>
    `@(${words.map(({ text, help }) => `@(${quote(text)}, ${quote(help || text)})`).join(', ')})`;
  // A comma keeps PowerShell from flattening a list of one pair.
  const table = (words: readonly Word[]) =>
    words.length === 1 ? `@(,${list(words).slice(2)}` : list(words);
  const entries = commands.flatMap(({ path, commands: below, options, values, operand }) => [
    `    ${quote(path)} = ${table(below.length > 0 ? below : typeof operand === 'object' ? operand : [])}`,
    `    ${quote(`${path} -`)} = ${table(options)}`,
    ...values.flatMap(([flags, value]) =>
      typeof value === 'object'
        ? flags.map((flag) => `    ${quote(`${path} ${flag}`)} = ${table(value)}`)
        : [],
    ),
  ]);
  return `# ${header}
Register-ArgumentCompleter -Native -CommandName club-events, club-events.exe -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @{
${entries.join('\n')}
  }
  $withValue = ${`@(${flagsWithValue(commands).map(quote).join(', ')})`}
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $path = ''
  $flag = ''
  foreach ($word in $before) {
    if ($flag) { $flag = ''; continue }
    if ($withValue -contains $word) { $flag = $word; continue }
    $next = "$path $word".Trim()
    if ($table.ContainsKey($next)) { $path = $next }
  }
  $key = if ($flag) { "$path $flag".Trim() } elseif ($wordToComplete -like '-*') { "$path -" } else { $path }
  # Without an entry, PowerShell completes the names of files.
  if (-not $table.ContainsKey($key)) { return }
  $table[$key] | Where-Object { $_[0] -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1])
  }
}
`;
}

const composers = {
  bash: composeBash,
  zsh: composeZsh,
  fish: composeFish,
  powershell: composePowerShell,
} as const satisfies Record<Shell, (commands: readonly Completion[]) => string>;

/** Composes the completion of all commands for a shell. It does not start the program. */
export function composeCompletion(program: Command, shell: Shell, valuesOf: ValuesOf): string {
  return composers[shell](describeCommands(program, valuesOf));
}
