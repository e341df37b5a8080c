import { eventStatuses, filterTypes } from '../../db/model.ts';
import { asUsage, commandProblem } from '../base/errors.ts';
import { type TableField, tableFields } from '../import/source.ts';
import { action, cancellable, change, noWindow, read } from './action.ts';
import {
  type Command,
  type CommandOption,
  idOf,
  inGroup,
  timeZone,
  toId,
  user,
} from './options.ts';

const daysOff = () => import('../club/days-off-actions.ts');
const fileKinds = () => import('../import/kinds.ts');
const daysOffImports = () => import('../follow/days-off.ts');
const events = () => import('../club/event-actions.ts');
const exports = () => import('../export/export.ts');
const imports = () => import('../import/import-actions.ts');
const messages = () => import('../club/message-actions.ts');
const seasons = () => import('../club/season-actions.ts');
const teams = () => import('../club/team-actions.ts');

/** Reads the id of an event, which may be negative. Throws a problem with the code `event_id_invalid`. */
function eventIdOf(text: unknown): { readonly id: number } {
  const [, sign, digits] = /^(-?)(.*)$/.exec(String(text)) ?? [];
  const id = toId(digits, 'event_id_invalid');
  return { id: sign === '-' ? -id : id };
}

/** Returns the values of the options of an event that were given. */
export function toEventValues({
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

/** The options with the values of an event. */
export function eventOptions(required: true | undefined): readonly CommandOption[] {
  const must = required && { required };
  return [
    user,
    { flag: '--name <text>', help: 'the name', ...must },
    {
      flag: '--date <when>',
      help: 'the day and time, such as "Sat 1 May 2027 15:00", "Easter Monday 2027" or 2027-05-01T15:00; without a year, the next such day',
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
      values: eventStatuses,
    },
    {
      flag: '--type <type>',
      help: 'national, international, regional, club or none',
      values: filterTypes,
    },
    { flag: '--registration <state>', help: 'open or closed', values: ['open', 'closed'] },
    timeZone,
  ];
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

/** Returns the type of a filter; null for `any`. */
const toFilterType = (type: unknown) => (type === 'any' ? null : type);

/** The options with the conditions of a team. */
function teamOptions(required: true | undefined): readonly CommandOption[] {
  return [
    user,
    {
      flag: '--words <text>',
      help: 'words of the names of its events, with commas between choices: "U15, U 15"',
      ...(required && { required }),
    },
    { flag: '--without <text>', help: 'words that the names do not have, with commas' },
    { flag: '--place <text>', help: 'words of the place, with commas between choices' },
    {
      flag: '--type <type>',
      help: 'national, international, regional, club, none or any (default: any)',
      values: [...filterTypes, 'any'],
      as: 'eventType',
      read: toFilterType,
    },
  ];
}

/** The options of messages for members. */
const messageOptions: readonly CommandOption[] = [
  user,
  { flag: '--team <name>', help: 'only events of this team of the club' },
  {
    flag: '--language <tag>',
    help: 'the language of the text, such as de (default: that of the last message, or en)',
  },
];

const messageDays: CommandOption = {
  flag: '--days <number>',
  help: 'the number of days, from today on',
  read: Number,
};

type EventCommand = Pick<Command, 'options' | 'readOperand' | 'toArguments'>;

/** The options and arguments of changes by hand and of their proposals. */
export const editing: EventCommand = {
  options: eventOptions(undefined),
  toArguments: (id, { user, timeZone, end, language, ...options }) => {
    const changes = toEventValues(options);
    if (Object.keys(changes).length === 0 && end === undefined)
      throw asUsage(commandProblem('event_edit_empty'));
    return { user, timeZone, ...eventIdOf(id), changes, end, language };
  },
};

export const cancelling: EventCommand = {
  options: [
    user,
    {
      flag: '--reason <text>',
      help: 'the reason, which becomes the first line of the description',
    },
  ],
  readOperand: eventIdOf,
};

export const removing: EventCommand = {
  options: [user],
  readOperand: eventIdOf,
};

/** Actions on events, their imports and exports, days off and messages. */
export const eventActions = {
  'event add': action(events, (its) => [its.AddEvent, its.addEvent], {
    ...change,
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
  }),
  'event edit': action(events, (its) => [its.EditEvent, its.editEvent], {
    ...change,
    operand: '<id>',
    help: 'change values of an event and print it; later imports keep them',
    examples: [
      'event edit 7 --user "Chess Club" --date "Sat 1 May 2027 15:00"',
      'event edit 7 --user "Chess Club" --location ""',
      'event edit 7 --user "Chess Club" --end "Sun 5 July 2026 15:00"',
    ],
    ...editing,
  }),
  'event cancel': action(events, (its) => [its.CancelEvent, its.cancelEvent], {
    ...change,
    operand: '<id>',
    help: 'set the status of an event to cancelled and print it',
    examples: ['event cancel 7 --user "Chess Club" --reason "The pitch is frozen"'],
    ...cancelling,
  }),
  'event remove': action(events, (its) => [its.RemoveEvent, its.removeEvent], {
    ...change,
    operand: '<id>',
    help: 'remove an event and print it as it was',
    examples: ['event remove 7 --user "Chess Club"'],
    ...removing,
  }),
  'events change': action(events, (its) => [its.ChangeEvents, its.changeEvents], change),
  'events copy': action(events, (its) => [its.CopyEvents, its.copyEvents], change),
  'events together': action(events, (its) => [its.EventsTogether, its.listTogether], read),
  import: action(imports, (its) => [its.ImportEvents, its.importEvents], {
    ...change,
    ...cancellable,
    texts: { files: 'file' },
    refuses: ['backup', 'copy', 'proposals'],
    operand: '<file...>',
    help: 'add or update events from files, all or nothing; "-" is standard input',
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
          help: 'the sheet of a workbook (default: the first with events); may be repeated',
          repeatable: true,
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
        { flag: '--dry-run', help: 'nothing; lists what would be new, moved, changed or skipped' },
        { flag: '--skip-bad-rows', help: 'the good rows only; lists the bad ones' },
        {
          flag: '--moved <answer>',
          help: 'events of last season that come again a year later: move them, or add new ones',
          values: ['move', 'add'],
        },
        {
          flag: '--overwrite-edits',
          help: 'new values of the file, even for fields that were edited by hand',
        },
      ]),
    ],
    // All rows are for programs.
    readOperand: (files, { json }) => ({ files, details: json }),
  }),
  'import rest': action(imports, (its) => [its.ImportRest, its.importRest], change),
  'import preview': action(imports, (its) => [its.PreviewImport, its.previewImport], {
    ...read,
    texts: { files: 'file' },
  }),
  'season next': action(seasons, (its) => [its.NextSeason, its.addNextSeason], {
    ...change,
    help: 'add the events of last season again, on the same weekdays of the next one',
    examples: [
      'season next --user "Chess Club" --dry-run',
      'season next --user "Chess Club" --from 2026-08-01 --to 2027-07-31 --without "camp, open day"',
    ],
    options: [
      user,
      {
        flag: '--from <date>',
        help: 'the first day of last season, such as 2026-08-01 (default: the season that ends or has ended)',
      },
      { flag: '--to <date>', help: 'the last day of last season' },
      {
        flag: '--weeks <number>',
        help: 'the weeks from an event to that of the next season (default: 52)',
        read: Number,
      },
      {
        flag: '--without <words>',
        help: 'leave out events whose names contain one of these texts, with commas between them',
      },
      { flag: '--dry-run', help: 'change nothing; list the events that would be added' },
    ],
  }),
  'team add': action(teams, (its) => [its.AddTeam, its.addTeam], {
    ...change,
    operand: '<name>',
    help: 'add a team, a stored filter of the events of a club; no event is changed',
    examples: [
      'team add U15 --user "Chess Club" --words "U15, U 15"',
      'team add "First team" --user "Chess Club" --words "Rovers v, v Rovers" --without U15',
    ],
    options: teamOptions(true),
  }),
  'team list': action(teams, (its) => [its.ListTeams, its.listTeams], {
    ...read,
    help: 'list the teams of a club, each with the number of its events',
    examples: ['team list --user "Chess Club"'],
    options: [user],
  }),
  'team change': action(teams, (its) => [its.ChangeTeam, its.changeTeam], {
    ...change,
    operand: '<name>',
    help: 'change a team; what is left out stays',
    examples: [
      'team change U15 --user "Chess Club" --name U16 --words "U16, U 16"',
      'team change U15 --user "Chess Club" --place "" --type any',
    ],
    options: [
      ...teamOptions(undefined),
      { flag: '--name <text>', help: 'another name', as: 'newName' },
    ],
  }),
  'team remove': action(teams, (its) => [its.RemoveTeam, its.removeTeam], {
    ...change,
    operand: '<name>',
    help: 'remove a team; its events stay as they are',
    examples: ['team remove U15 --user "Chess Club"'],
    options: [user],
  }),
  'season fixtures': action(seasons, (its) => [its.SeasonFixtures, its.listFixtures], read),
  'file kinds': action(fileKinds, (its) => [its.FileKinds, its.listFileKinds], {
    ...read,
    texts: { files: 'file' },
  }),
  'days-off add': action(daysOffImports, (its) => [its.AddDaysOff, its.addDaysOff], {
    ...change,
    texts: { file: 'file', url: 'address' },
    refuses: ['backup', 'copy', 'proposals'],
    operand: '[file]',
    help: 'add the whole days of a calendar, such as school holidays, to the days off of a club',
    examples: [
      'days-off add holidays.ics --user "Chess Club"',
      'days-off add --url https://schools.example/holidays.ics --user "Chess Club" --name "School holidays"',
    ],
    options: [
      user,
      {
        flag: '--url <url>',
        help: 'an address in place of a file, which is followed; a service reads it once a day',
      },
      {
        flag: '--name <text>',
        help: 'a name for them (default: that of the file or the address)',
      },
    ],
  }),
  'days-off list': action(daysOff, (its) => [its.ListDaysOff, its.listDaysOff], {
    ...read,
    help: 'list the days off of a club from today on; they are never events',
    examples: ['days-off list --user "Chess Club"'],
    options: [user],
  }),
  'days-off remove': action(daysOff, (its) => [its.RemoveDaysOff, its.deleteDaysOff], {
    ...change,
    operand: '<id>',
    help: 'remove a calendar of days off; one at an address is no longer followed with "follow remove"',
    examples: ['days-off remove 2 --user "Chess Club"'],
    options: [user],
    readOperand: idOf('days_off_id_invalid'),
  }),
  'days-off put': action(daysOff, (its) => [its.PutDaysOff, its.storeDaysOff], change),
  'message week': action(messages, (its) => [its.WriteWeek, its.writeWeekMessage], {
    ...read,
    ...noWindow,
    help: 'print what is on as a text for members, with the changes that nobody was told of; nothing is marked as told',
    examples: [
      'message week --user "Chess Club"',
      'message week --user "Chess Club" --days 10 --team U15 --language de',
    ],
    options: [...messageOptions, { ...messageDays, help: `${messageDays.help} (default: 7)` }],
  }),
  'message changes': action(messages, (its) => [its.WriteChanges, its.writeChangesMessage], {
    ...read,
    ...noWindow,
    help: 'print the changes that nobody was told of as a text for members; nothing is marked as told',
    examples: ['message changes --user "Chess Club"'],
    options: [
      ...messageOptions,
      {
        ...messageDays,
        help: 'only changes of events of so many days, from today on (default: all)',
      },
    ],
  }),
  'message read': action(messages, (its) => [its.ReadAnnounced, its.readAnnouncedState], read),
  'message store': action(messages, (its) => [its.StoreAnnounced, its.storeAnnouncedState], change),
  export: action(exports, (its) => [its.ExportEvents, its.exportEvents], {
    ...read,
    texts: { output: 'output' },
    help: 'write every event of a club, or those of a team',
    examples: [
      'export --user "Chess Club" --output season.xlsx',
      'export --user "Chess Club" --output u15.xlsx --team U15',
      'export --user "Chess Club" --format json > season.json',
    ],
    options: [
      user,
      {
        flag: '--format <format>',
        help: 'csv, json, ics, xlsx or html (default: by the extension of the file)',
        values: ['csv', 'json', 'ics', 'xlsx', 'html'],
      },
      {
        flag: '--output <file>',
        help: 'the file to write (default, or "-": stdout)',
        read: (path) => (path === '-' ? undefined : path),
      },
      { flag: '--team <name>', help: 'only events of this team of the club' },
      {
        flag: '--time-zone <zone>',
        help: 'the zone of local times in xlsx and html (default: that of the club)',
      },
      {
        flag: '--salvage',
        help: 'every readable event of a damaged database; counts the others',
      },
    ],
  }),
} as const;
