import { clubNumbers, mapNumberCommands, type NumberCommands } from '../../db/club-settings.ts';
import type { ActionName, ActionResult, CommandName } from '../actions/catalogue.ts';
import { asUsage, commandProblem, Problem } from '../base/errors.ts';
import { type TableField, tableFields } from '../import/source.ts';
import type { CommandCode, ProblemCode } from '../messages/message.ts';
import { folderAdded, folderNotes, folderRemoved, foldersText } from './folder-results.ts';
import {
  hubInitialised,
  hubKeysText,
  hubKeyUnprinted,
  hubPushText,
  hubText,
} from './hub-results.ts';
import {
  idsFoundText,
  keyAdded,
  keyChanged,
  mirrorRemoved,
  mirrorSet,
  mirrorsText,
  readyText,
  searchText,
  syncsText,
  verificationText,
} from './mirror-results.ts';
import {
  answeredText,
  proposalsText,
  proposedText,
  reviewText,
  withdrawnText,
} from './proposal-results.ts';
import { publishAdded, publishedText, publishRemoved } from './publish-results.ts';
import {
  addedText,
  backupsText,
  backupText,
  checkJson,
  checkNotes,
  checkText,
  daysOffAdded,
  daysOffNotes,
  daysOffRemoved,
  daysOffText,
  describeAdded,
  describeDaysOff,
  describeEdit,
  doctorJson,
  doctorText,
  eventText,
  exportNotes,
  exportText,
  historyNotes,
  historyText,
  importJson,
  importNotes,
  importText,
  keyNotes,
  keyRevoked,
  keysText,
  keyUnprinted,
  restoreNotes,
  restoreText,
  undoText,
  userAdded,
  userNumberChanged,
  userRemoved,
  userRenamed,
  usersText,
  userZoneChanged,
} from './results.ts';

type CommandOption = {
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

/** The command of an action: its arguments, and the text of its result. */
export type ActionCommand<Name extends ActionName = ActionName> = {
  readonly operand?: string;
  readonly help: string;
  /** Command lines for the help, without the name of the program. */
  readonly examples: readonly string[];
  readonly options: readonly CommandOption[];
  /** Returns false if these options need no key or password on standard input. */
  readsInput?(options: Readonly<Record<string, unknown>>): boolean;
  /** Returns the arguments that the operand gives; by default, one with its name. */
  readOperand?(
    operand: unknown,
    options: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** Returns the unchecked arguments of the action; by default, the operand and all options. */
  toArguments?(operand: unknown, options: Readonly<Record<string, unknown>>): unknown;
  /** Returns the text for stdout, or undefined if the action has written its result itself. */
  toText(result: ActionResult<Name>): string | undefined | Promise<string>;
  /** Returns the result for `--json`, if it differs from that of the action. */
  toJson?(result: ActionResult<Name>): Promise<unknown>;
  /** Returns a description of the change, for stderr if stdout cannot be written; by default the text. */
  toUnprinted?(result: ActionResult<Name>): string | undefined | Promise<string>;
  /** Returns notes on the result, for stderr. */
  toNotes?(result: ActionResult<Name>): string[] | Promise<string[]>;
};

const user: CommandOption = {
  flag: '--user <name>',
  help: 'the club whose events are meant',
  required: true,
};

const optionalUser: CommandOption = {
  flag: '--user <name>',
  help: 'the club whose copy is meant (default: all copies)',
};

const keyOptions: readonly CommandOption[] = [
  { flag: '--label <text>', help: 'the purpose of the key' },
  {
    flag: '--expires <date>',
    help: 'its last day, to the end of that day in the time zone of the club, or an exact time',
  },
];

/** Parses an id. Throws a problem with the code `invalid`. */
function toId(text: unknown, invalid: ProblemCode | CommandCode): number {
  const id = /^\d+$/.test(String(text)) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw asUsage(new Problem(invalid, { text: String(text) }));
}

/** Returns a function that reads an operand that is an id. */
const idOf = (invalid: ProblemCode | CommandCode) => (text: unknown) => ({
  id: text === undefined ? undefined : toId(text, invalid),
});

/** Reads the id of an event, which may be negative. Throws a problem with the code `event_id_invalid`. */
function eventIdOf(text: unknown): { readonly id: number } {
  const [, sign, digits] = /^(-?)(.*)$/.exec(String(text)) ?? [];
  const id = toId(digits, 'event_id_invalid');
  return { id: sign === '-' ? -id : id };
}

/** Returns the values of the options of an event that were given. */
function toEventValues({
  name,
  date,
  location,
  description,
  status,
  type,
  registration,
}: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const eventType = type === 'none' ? null : type;
  const registrationOpen = registration === undefined ? undefined : registration === 'open';
  const values = { name, date, location, description, status, eventType, registrationOpen };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The types of events in the command line. */
const typeNames = ['national', 'international', 'regional', 'club', 'none'] as const;

const timeZone: CommandOption = {
  flag: '--time-zone <zone>',
  help: 'the zone of times without an offset (default: that of the club)',
};

/** The options with the values of an event. */
function eventOptions(required: true | undefined): readonly CommandOption[] {
  const must = required && { required };
  return [
    user,
    { flag: '--name <text>', help: 'the name', ...must },
    {
      flag: '--date <when>',
      help: 'the day and time, such as "Sat 1 May 2027 15:00" or 2027-05-01T15:00; without a year, the next such day',
      ...must,
    },
    {
      flag: '--end <when>',
      help: 'its end, a time or a day, such as 22:00 or "5 July 15:00"; it becomes the first line of the description',
    },
    {
      flag: '--language <tag>',
      help: 'the language of that line: en, de, fr or nl (default: en)',
    },
    { flag: '--location <text>', help: 'the place' },
    { flag: '--description <text>', help: 'the description' },
    {
      flag: '--status <status>',
      help: 'draft, active, completed or cancelled',
      values: ['draft', 'active', 'completed', 'cancelled'],
    },
    {
      flag: '--type <type>',
      help: 'national, international, regional, club or none',
      values: typeNames,
    },
    { flag: '--registration <state>', help: 'open or closed', values: ['open', 'closed'] },
    timeZone,
  ];
}

/** Returns options under a heading of the help. */
function inGroup(group: string, options: readonly CommandOption[]): readonly CommandOption[] {
  return options.map((option) => ({ ...option, group }));
}

type ColumnMap = Partial<Record<TableField, string | null>>;

/**
 * Parses `["date=Start", "status="]` to `{ date: 'Start', status: null }`. Throws `wrong_usage`.
 */
function parseMap(pairs: unknown): ColumnMap {
  const map: ColumnMap = {};
  for (const pair of pairs as readonly string[]) {
    const separator = pair.indexOf('=');
    const field = tableFields.find((name) => name === pair.slice(0, separator));
    const source = pair.slice(separator + 1);
    if (separator === -1 || field === undefined) {
      throw asUsage(commandProblem('map_invalid', { pair, fields: tableFields }));
    }
    if (map[field] !== undefined) {
      throw asUsage(commandProblem('map_repeated', { field }));
    }
    map[field] = source === '' ? null : source;
  }
  return map;
}

/** The commands of all actions that have one, in the order of the help. */
type EventCommand = Pick<ActionCommand, 'options' | 'readOperand' | 'toArguments'>;

/** The options and arguments of changes by hand and of their proposals. */
const editing: EventCommand = {
  options: eventOptions(undefined),
  toArguments: (id, { user, timeZone, end, language, ...options }) => {
    const changes = toEventValues(options);
    if (Object.keys(changes).length === 0 && end === undefined)
      throw asUsage(commandProblem('event_edit_empty'));
    return { user, timeZone, ...eventIdOf(id), changes, end, language };
  },
};

const cancelling: EventCommand = {
  options: [
    user,
    {
      flag: '--reason <text>',
      help: 'the reason, which becomes the first line of the description',
    },
  ],
  readOperand: eventIdOf,
};

const removing: EventCommand = {
  options: [user],
  readOperand: eventIdOf,
};

export const actionCommands: { readonly [Name in CommandName]: ActionCommand<Name> } = {
  'user add': {
    operand: '<name>',
    help: 'add a club account',
    examples: ['user add "Chess Club"', 'user add "Chess Club" --zone Europe/Berlin'],
    options: [{ flag: '--zone <zone>', help: 'its time zone (default: that of this computer)' }],
    toText: userAdded,
  },
  'user list': {
    help: 'list the club accounts',
    examples: ['user list'],
    options: [],
    toText: usersText,
  },
  'user rename': {
    operand: '<name> <new>',
    help: 'rename a club account; its events, keys and calendars stay',
    examples: ['user rename "Ches Club" "Chess Club"'],
    options: [],
    readOperand: (names) => {
      const [name, newName] = names as readonly string[];
      return { name, newName };
    },
    toText: userRenamed,
  },
  'user zone': {
    operand: '<name> <zone>',
    help: 'change the time zone of a club account',
    examples: [
      'user zone "Chess Club" Europe/Berlin',
      'user zone "Chess Club" Europe/Berlin --times keep',
    ],
    options: [
      {
        flag: '--times <what>',
        help: 'keep: 19:00 stays 19:00; convert: the moment stays, so 19:00 is then another time (default)',
        values: ['keep', 'convert'],
      },
    ],
    readOperand: (operands) => {
      const [name, zone] = operands as readonly string[];
      return { name, zone };
    },
    toText: userZoneChanged,
  },
  ...mapNumberCommands((setting): ActionCommand<keyof NumberCommands> => {
    const { command, help, unit, initial } = clubNumbers[setting];
    return {
      operand: `<name> <${unit}>`,
      help,
      examples: [`${command} "Chess Club" ${initial}`],
      options: [],
      readOperand: (operands) => {
        const [name, value] = operands as readonly string[];
        return { name, value: Number(value) };
      },
      toText: userNumberChanged,
    };
  }),
  'user remove': {
    operand: '<name>',
    help: 'remove a club account with all its events and keys',
    examples: ['user remove "Chess Club"'],
    options: [],
    toText: userRemoved,
  },
  'key create': {
    help: 'create a key and print it, only this once',
    examples: [
      'key create --user "Chess Club" --label "notice board"',
      'key create --user "Chess Club" --expires 2026-12-31',
    ],
    options: [{ ...user, help: 'the club whose events the key opens' }, ...keyOptions],
    toText: ({ key }) => key,
    toUnprinted: keyUnprinted,
    toNotes: keyNotes,
  },
  'key list': {
    help: 'list labels and dates of the keys, but not the keys themselves',
    examples: ['key list'],
    options: [],
    toText: keysText,
  },
  'key revoke': {
    operand: '<id>',
    help: 'revoke a key; its next request is refused',
    examples: ['key revoke 2'],
    options: [],
    readOperand: idOf('key_id_invalid'),
    toText: keyRevoked,
  },
  'event add': {
    help: 'add one event by hand, or those of a repetition, and print them',
    examples: [
      'event add --user "Chess Club" --name "Rovers v City" --date "Sat 1 May 2027 14:00" --location Hall',
      'event add --user "Chess Club" --name Training --date "5 Jan 2027 19:00" --repeat "every Tue until 29 June 2027" --except "6 Apr 2027"',
      'event add --user "Chess Club" --name Training --date "5 Jan 2027 19:00" --repeat "every Tue, 20 times, except holidays"',
    ],
    options: [
      ...eventOptions(true),
      {
        flag: '--repeat <text>',
        help: 'add an event for each date, at most two years: "every Tue until 30 June", "2nd Saturday of the month, 10 times"; "except holidays" leaves out the days off of the club',
      },
      {
        flag: '--except <date>',
        help: 'leave out this date of the repetition; may be repeated',
        repeatable: true,
      },
    ],
    toArguments: (_, { user, timeZone, end, language, repeat, except, ...options }) => {
      if (except !== undefined && repeat === undefined)
        throw asUsage(commandProblem('except_alone'));
      return { user, timeZone, end, language, repeat, except, event: toEventValues(options) };
    },
    toText: addedText,
    toUnprinted: describeAdded,
    toNotes: (result) => [
      describeAdded(result),
      ...describeDaysOff(result),
      ...(result.series?.isCut
        ? ['A repetition lasts at most two years; later dates were left out.']
        : []),
    ],
  },
  'event edit': {
    operand: '<id>',
    help: 'change values of an event and print it; later imports keep them',
    examples: [
      'event edit 7 --user "Chess Club" --date "Sat 1 May 2027 15:00"',
      'event edit 7 --user "Chess Club" --location ""',
      'event edit 7 --user "Chess Club" --end "Sun 5 July 2026 15:00"',
    ],
    ...editing,
    toText: eventText,
    ...describeEdit('Changed'),
  },
  'event cancel': {
    operand: '<id>',
    help: 'set the status of an event to cancelled and print it',
    examples: ['event cancel 7 --user "Chess Club" --reason "The pitch is frozen"'],
    ...cancelling,
    toText: eventText,
    ...describeEdit('Cancelled'),
  },
  'event remove': {
    operand: '<id>',
    help: 'remove an event and print it as it was',
    examples: ['event remove 7 --user "Chess Club"'],
    ...removing,
    toText: eventText,
    ...describeEdit('Removed'),
  },
  import: {
    operand: '<file...>',
    help: 'add or update events from files, all or nothing',
    examples: [
      'import season.xlsx --user "Chess Club" --dry-run',
      'import season.csv --user "Chess Club" --map name=Titel --map date=Datum',
      'import members.ics --user "Chess Club" --from 2026-01-01 --to 2026-12-31',
    ],
    options: [
      user,
      ...inGroup('How the file is read:', [
        {
          flag: '--format <format>',
          help: 'csv, json, ics, xlsx or ods (default: by the name of the file)',
          values: ['csv', 'json', 'ics', 'xlsx', 'ods'],
        },
        {
          flag: '--sheet <name>',
          help: 'the sheet of a workbook (default: the first with events)',
        },
        {
          flag: '--encoding <name>',
          help: 'the encoding of CSV or ICS: ansi, dos, mac … (default: detected)',
        },
        {
          flag: '--map <field=column>',
          help: 'the column of a field: date=Datum; several: location=Venue+Town; none: status=; may be repeated',
          repeatable: true,
          read: parseMap,
        },
      ]),
      ...inGroup('How dates are read:', [
        timeZone,
        {
          flag: '--date-order <order>',
          help: 'dmy if 5/1/2026 is in January, mdy if in May',
          values: ['dmy', 'mdy'],
        },
        {
          flag: '--from <date>',
          help: 'the first day of series (default: two years ago), and of dates without a year',
        },
        { flag: '--to <date>', help: 'the last day of series (default: in two years)' },
      ]),
      ...inGroup('What is stored:', [
        { flag: '--dry-run', help: 'nothing; lists what would be new, changed or skipped' },
        { flag: '--skip-bad-rows', help: 'the good rows only; lists the bad ones' },
        {
          flag: '--overwrite-edits',
          help: 'new values of the file, even for fields that were edited by hand',
        },
      ]),
    ],
    // All rows are for programs.
    readOperand: (files, { json }) => ({ files, details: json }),
    toText: importText,
    toJson: importJson,
    toUnprinted: async (result) =>
      [await importText(result), ...(await importNotes(result))].join('\n'),
    toNotes: importNotes,
  },
  'days-off add': {
    operand: '[file]',
    help: 'add the whole days of a calendar, such as school holidays, to the days off of a club',
    examples: [
      'days-off add holidays.ics --user "Chess Club"',
      'days-off add --url https://schools.example/holidays.ics --user "Chess Club" --name "School holidays"',
    ],
    options: [
      user,
      { flag: '--url <url>', help: 'an address in place of a file; a service reads it once a day' },
      { flag: '--name <text>', help: 'a name for them (default: that of the file or the address)' },
    ],
    toText: daysOffAdded,
    toNotes: daysOffNotes,
  },
  'days-off list': {
    help: 'list the days off of a club from today on; they are never events',
    examples: ['days-off list --user "Chess Club"'],
    options: [user],
    toText: daysOffText,
  },
  'days-off remove': {
    operand: '<id>',
    help: 'remove a calendar of days off',
    examples: ['days-off remove 2 --user "Chess Club"'],
    options: [user],
    readOperand: idOf('days_off_unknown'),
    toText: daysOffRemoved,
  },
  export: {
    help: 'write every event of a user',
    examples: [
      'export --user "Chess Club" --output season.xlsx',
      'export --user "Chess Club" --format json > season.json',
    ],
    options: [
      user,
      {
        flag: '--format <format>',
        help: 'csv, json, ics, xlsx or html (default: by the extension of the file)',
        values: ['csv', 'json', 'ics', 'xlsx', 'html'],
      },
      { flag: '--output <file>', help: 'the file to write (default: stdout)' },
      {
        flag: '--time-zone <zone>',
        help: 'the zone of local times in xlsx and html (default: that of the club)',
      },
      { flag: '--salvage', help: 'every readable event of a damaged database; counts the others' },
    ],
    toText: exportText,
    toUnprinted: exportText,
    toNotes: exportNotes,
  },
  'mirror set': {
    help: 'copy the events of an online service and keep them in step; reads its key from standard input; or those of another computer, from a file without a key',
    examples: [
      'mirror set --user "Chess Club" --url https://events.example.org < key.txt',
      'mirror set --user "Chess Club" --file ~/Nextcloud/club/chess.json',
    ],
    options: [
      user,
      { flag: '--url <url>', help: 'the base URL of the service' },
      {
        flag: '--file <file>',
        help: 'a file of "publish add --format json" or "export --format html", or its address',
      },
    ],
    readsInput: ({ file }) => file === undefined,
    toArguments(_, { user, url, file, standardInput }) {
      const isAddress = typeof file === 'string' && /^(?:https?|webcals?):/i.test(file);
      return { user, url, [isAddress ? 'fileUrl' : 'file']: file, key: standardInput };
    },
    toText: mirrorSet,
  },
  'mirror sync': {
    help: 'sync now; without --user, all copies',
    examples: ['mirror sync', 'mirror sync --user "Chess Club" --confirm-removals'],
    options: [
      optionalUser,
      { flag: '--confirm-removals', help: 'remove the events that the last sync asked about' },
      {
        flag: '--accept-reset',
        help: 'go on although the service looks like another account, or was reset',
      },
    ],
    toText: syncsText,
  },
  'mirror status': {
    help: 'show what is known of an online service, its last sync, and what is open',
    examples: ['mirror status'],
    options: [optionalUser],
    toText: mirrorsText,
  },
  'mirror verify': {
    help: 'compare every event with the service, one by one; differences are corrected and listed',
    examples: ['mirror verify --user "Chess Club"'],
    options: [user],
    toText: verificationText,
  },
  'mirror add-ids': {
    operand: '<id...>',
    help: 'look up ids, ranges such as 100-200, or the ids in files, at the service',
    examples: ['mirror add-ids 7 100-200 ids.txt --user "Chess Club"'],
    options: [user],
    readOperand: (ids) => ({ ids }),
    toText: idsFoundText,
  },
  'mirror search-ids': {
    help: 'search for older events by their ids; shows the cost first',
    examples: [
      'mirror search-ids --user "Chess Club"',
      'mirror search-ids --user "Chess Club" --start --rate 5',
    ],
    options: [
      user,
      {
        flag: '--upcoming',
        help: 'only near the newest ids, until 100 in a row have no upcoming event',
      },
      { flag: '--start', help: 'start the search, or go on with it; Ctrl+C ends it' },
      { flag: '--rate <number>', help: 'requests in a second (default: 2)', read: Number },
      { flag: '--requests <number>', help: 'ask for at most this many ids', read: Number },
    ],
    toText: searchText,
  },
  'mirror key add': {
    help: 'add another key of the same account, for scripts; reads it from standard input',
    examples: ['mirror key add --user "Chess Club" < key.txt'],
    options: [user],
    toText: keyAdded,
  },
  'mirror key change': {
    help: 'sync with another key of the same account; reads it from standard input',
    examples: ['mirror key change --user "Chess Club" < key.txt'],
    options: [user],
    toText: keyChanged,
  },
  'mirror ready': {
    help: 'prepare for weeks without a connection: confirm all upcoming events and check this computer',
    examples: ['mirror ready'],
    options: [optionalUser],
    toText: readyText,
  },
  'mirror remove': {
    help: 'end the copying; the events stay, but the key of the service no longer opens them',
    examples: ['mirror remove --user "Chess Club"'],
    options: [user],
    toText: mirrorRemoved,
  },
  'proposal add': {
    help: 'propose a new event to the computer whose file this club follows',
    examples: [
      'proposal add --user "Chess Club" --name "Parents\' evening" --date "25 Nov 2026 19:00" --location Hall',
    ],
    options: eventOptions(true),
    toArguments: (_, { user, timeZone, end, language, ...options }) => ({
      ...{ user, timeZone, end, language },
      event: toEventValues(options),
    }),
    toText: proposedText,
  },
  'proposal edit': {
    operand: '<id>',
    help: 'propose other values of an event',
    examples: ['proposal edit 7 --user "Chess Club" --date "Sat 1 May 2027 15:00"'],
    ...editing,
    toText: proposedText,
  },
  'proposal cancel': {
    operand: '<id>',
    help: 'propose that an event is cancelled',
    examples: ['proposal cancel 7 --user "Chess Club" --reason "The pitch is frozen"'],
    ...cancelling,
    toText: proposedText,
  },
  'proposal remove': {
    operand: '<id>',
    help: 'propose that an event is removed',
    examples: ['proposal remove 7 --user "Chess Club"'],
    ...removing,
    toText: proposedText,
  },
  'proposal withdraw': {
    operand: '<id>',
    help: 'withdraw a proposal, or clear one that has an answer or was withdrawn',
    examples: ['proposal withdraw 5f0c1d2e3a4b --user "Chess Club"'],
    options: [user],
    readOperand: (proposal) => ({ proposal }),
    toText: withdrawnText,
  },
  'proposal list': {
    help: 'list the proposals of this computer, with their answers',
    examples: ['proposal list --user "Chess Club"'],
    options: [user],
    toText: proposalsText,
  },
  'proposal send': {
    help: 'write the proposals beside the file that the club follows, for its computer',
    examples: [
      'proposal send --user "Chess Club" --name Tom --note "City cannot be here before two."',
    ],
    options: [
      user,
      { flag: '--name <name>', help: 'your name (default: that of the last time)' },
      { flag: '--note <text>', help: 'words to the person who decides' },
    ],
    toText: proposalsText,
  },
  'proposal review': {
    help: 'list the proposals from other computers, with old and new values; changes nothing',
    examples: ['proposal review --user "Chess Club"'],
    options: [user],
    toText: reviewText,
  },
  'proposal answer': {
    help: 'accept or refuse proposals from other computers, as one change with one undo',
    examples: [
      'proposal answer --user "Chess Club" --accept-all',
      'proposal answer --user "Chess Club" --accept 5f0c1d2e3a4b --refuse 0a1b2c3d4e5f --reason "The hall is taken."',
    ],
    options: [
      user,
      { flag: '--accept <id>', help: 'accept this one; may be repeated', repeatable: true },
      {
        flag: '--accept-anyway <id>',
        help: 'accept this one although it needs a decision; may be repeated',
        repeatable: true,
      },
      { flag: '--refuse <id>', help: 'refuse this one; may be repeated', repeatable: true },
      { flag: '--reason <text>', help: 'the reason for the refusals of this call' },
      { flag: '--accept-all', help: 'accept all others that need no decision' },
    ],
    toArguments: (_, { user, accept, acceptAnyway, refuse, reason, acceptAll }) => {
      const ids = (value: unknown) => (value ?? []) as readonly string[];
      const answers = [
        ...ids(accept).map((proposal) => ({ proposal, accepted: true })),
        ...ids(acceptAnyway).map((proposal) => ({ proposal, accepted: true, anyway: true })),
        ...ids(refuse).map((proposal) => ({ proposal, accepted: false, reason })),
      ];
      if (answers.length === 0 && acceptAll !== true)
        throw asUsage(commandProblem('proposal_answers_none'));
      return { user, answers, acceptAll };
    },
    toText: answeredText,
  },
  'publish add': {
    help: 'keep a file up to date, in a folder or in a web space; reads the password of a web space from standard input',
    examples: [
      'publish add --user "Chess Club" --to ~/Nextcloud/club/dates.ics',
      'publish add --user "Chess Club" --to u15.html --filter U15',
      'publish add --user "Chess Club" --dav https://cloud.example.org/remote.php/dav/files/maria/dates.ics --account maria < password.txt',
    ],
    options: [
      user,
      {
        flag: '--format <format>',
        help: 'ics (a calendar to subscribe to), html (a page for members) or json (a copy); default: by the name of the file',
        values: ['ics', 'html', 'json'],
      },
      {
        flag: '--to <file>',
        help: 'the file to write, such as one in a folder that you share',
        as: 'output',
      },
      {
        flag: '--dav <url>',
        help: 'the address of the file in a web space (WebDAV, https)',
        as: 'url',
      },
      { flag: '--account <name>', help: 'your name at the web space' },
      { flag: '--filter <words>', help: 'only events with these words', as: 'search' },
      {
        flag: '--type <type>',
        help: 'only events of this type; may be repeated',
        repeatable: true,
        values: typeNames,
        as: 'types',
      },
      { flag: '--drafts', help: 'also drafts; a copy of all events has them in any case' },
      { flag: '--language <tag>', help: 'the language of a page, such as de (default: en-GB)' },
      { flag: '--address <url>', help: 'the address at which members read the file' },
      {
        flag: '--on-sheets <answer>',
        help: 'no: the print view does not offer the code of the address (default: yes)',
        values: ['yes', 'no'],
        read: (text) => text === 'yes',
      },
      { flag: '--replace', help: 'replace a file that is there already' },
    ],
    readsInput: ({ dav }) => dav !== undefined,
    toText: publishAdded,
  },
  'publish change': {
    operand: '<id>',
    help: 'change a file that is kept up to date, and write it; what is left out stays as it is',
    examples: ['publish change 2 --address https://rovers.example/u15'],
    options: [
      { flag: '--address <url>', help: 'the address at which members read the file; "" for none' },
      {
        flag: '--on-sheets <answer>',
        help: 'no: the print view does not offer the code of the address',
        values: ['yes', 'no'],
        read: (text) => text === 'yes',
      },
      { flag: '--filter <words>', help: 'only events with these words; "" for all', as: 'search' },
      {
        flag: '--type <type>',
        help: 'only events of this type; may be repeated',
        repeatable: true,
        values: typeNames,
        as: 'types',
      },
      {
        flag: '--to <file>',
        help: 'another file; the present one stays where it is',
        as: 'output',
      },
      { flag: '--replace', help: 'replace a file that is there already' },
    ],
    // Only the window moves a file to another web space.
    readsInput: () => false,
    readOperand: idOf('publish_id_invalid'),
    toText: publishAdded,
  },
  'publish list': {
    help: 'list the files that are kept up to date, and when each was last written',
    examples: ['publish list'],
    options: [{ ...optionalUser, help: 'the club whose files are meant (default: all)' }],
    toText: publishedText,
  },
  'publish now': {
    operand: '[id]',
    help: 'write one of the files now, or all of them; status 1 if that failed',
    examples: ['publish now', 'publish now 2 --replace'],
    options: [{ flag: '--replace', help: 'replace a file that somebody else changed' }],
    readOperand: idOf('publish_id_invalid'),
    toText: publishedText,
  },
  'publish password': {
    operand: '<id>',
    help: 'change the password of a web space and write the file; reads it from standard input',
    examples: ['publish password 2 < password.txt'],
    options: [],
    readOperand: idOf('publish_id_invalid'),
    toText: publishedText,
  },
  'publish remove': {
    operand: '<id>',
    help: 'stop to keep a file up to date; the file stays where it is',
    examples: ['publish remove 2'],
    options: [],
    readOperand: idOf('publish_id_invalid'),
    toText: publishRemoved,
  },
  history: {
    help: 'list the changes of each import and edit, newest first',
    examples: ['history --user "Chess Club"', 'history --user "Chess Club" --limit 20'],
    options: [
      user,
      {
        flag: '--limit <number>',
        help: 'list at most this many changes (default: 1000)',
        read: Number,
      },
    ],
    toText: historyText,
    toNotes: historyNotes,
  },
  undo: {
    operand: '<id>',
    help: 'undo one import or edit exactly',
    examples: ['undo 12'],
    options: [],
    readOperand: idOf('import_id_invalid'),
    toText: undoText,
  },
  backup: {
    help: 'make a verified backup, in the data directory or in a file elsewhere',
    examples: ['backup', 'backup --output /media/stick/club.sqlite'],
    options: [{ flag: '--output <file>', help: 'the file to write, such as one on another disk' }],
    toText: backupText,
  },
  'backup list': {
    help: 'list the backups in the data directory, newest first',
    examples: ['backup list'],
    options: [],
    toText: backupsText,
  },
  'backup folder add': {
    operand: '<folder>',
    help: 'copy the backups to a folder, which gets each new one while it is there',
    examples: ['backup folder add /media/stick'],
    options: [],
    readOperand: (path) => ({ path }),
    toText: folderAdded,
    toNotes: folderNotes,
  },
  'backup folder list': {
    help: 'list the folders that get each new backup, with their states',
    examples: ['backup folder list'],
    options: [],
    toText: foldersText,
  },
  'backup folder remove': {
    operand: '<folder>',
    help: 'stop to copy backups to a folder; those in it stay',
    examples: ['backup folder remove /media/stick'],
    options: [],
    toText: folderRemoved,
  },
  restore: {
    operand: '<file>',
    help: 'replace all data by a backup: a file, or a name from "backup list"',
    examples: ['restore club.sqlite'],
    options: [{ flag: '--without-record', help: 'a backup that its record contradicts' }],
    toText: restoreText,
    toNotes: restoreNotes,
  },
  'hub init': {
    help: 'create the record of a hub in the PostgreSQL of PGHOST, or migrate it',
    examples: ['hub init'],
    options: [],
    toText: hubInitialised,
  },
  'hub push': {
    help: 'bring the changes of a club into the record, if nobody else has changed it since',
    examples: ['hub push --user "Chess Club"'],
    options: [
      user,
      {
        flag: '--onto <revision>',
        help: 'replace this other revision of the record, as a refused push named it',
      },
    ],
    toText: hubPushText,
  },
  'hub remove': {
    help: 'remove a club from the record with all its events and keys; its home keeps them',
    examples: ['hub remove --user "Chess Club"'],
    options: [{ ...user, help: 'the club of the record' }],
    toText: userRemoved,
  },
  'hub key create': {
    help: 'create a key of the record and print it, only this once',
    examples: ['hub key create --user "Chess Club" --label "notice board"'],
    options: [
      { ...user, help: 'the club of the record whose events the key opens' },
      ...keyOptions,
    ],
    toText: ({ key }) => key,
    toUnprinted: hubKeyUnprinted,
    toNotes: keyNotes,
  },
  'hub key list': {
    help: 'list labels and dates of the keys of the record, but not the keys themselves',
    examples: ['hub key list', 'hub key list --user "Chess Club"'],
    options: [{ flag: '--user <name>', help: 'the club whose keys are listed (default: all)' }],
    toText: hubKeysText,
  },
  'hub key revoke': {
    operand: '<id>',
    help: 'revoke a key of the record; every node refuses it within a second',
    examples: ['hub key revoke 2'],
    options: [],
    readOperand: idOf('key_id_invalid'),
    toText: keyRevoked,
  },
  'hub status': {
    help: 'list the servers of the record and the connected nodes with their lag',
    examples: ['hub status'],
    options: [],
    toText: hubText,
  },
  check: {
    help: 'check the database (pages, references, schema, search index, history) and the backups',
    examples: ['check'],
    options: [],
    toText: checkText,
    toJson: checkJson,
    toNotes: checkNotes,
  },
  doctor: {
    help: 'explain why a script cannot connect and what endangers the data, each with its remedy',
    examples: ['doctor', 'doctor --url http://127.0.0.1:28470 --key-stdin < key.txt'],
    options: [
      {
        flag: '--key-stdin',
        help: 'read the key of the script from standard input, and make a request with it',
      },
      { flag: '--url <url>', help: 'the base URL of the script (default: the usual address)' },
    ],
    toArguments: (_, { standardInput, url }) => ({ key: standardInput, url }),
    toText: doctorText,
    toJson: doctorJson,
  },
};
