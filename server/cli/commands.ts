import type { ActionName, ActionResult } from '../actions/catalogue.ts';
import { type TableField, tableFields } from '../actions/import/source.ts';
import { commandProblem, problem } from '../errors.ts';
import type { ProblemCode } from '../messages/message.ts';
import {
  idsFoundText,
  mirrorRemoved,
  mirrorSet,
  mirrorsText,
  readyText,
  searchText,
  syncsText,
  upstreamKeyText,
  verificationText,
} from './mirror-results.ts';
import {
  backupsText,
  backupText,
  checkJson,
  checkNotes,
  checkText,
  describeEdit,
  doctorJson,
  doctorText,
  eventText,
  exportNotes,
  exportText,
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
  userRemoved,
  usersText,
} from './results.ts';

type CommandOption = {
  readonly flag: string;
  readonly help: string;
  readonly required?: true;
  /** True if the option may be repeated; its value is then a list. */
  readonly repeatable?: true;
};

/** The command of an action: its arguments, and the text of its result. */
export type ActionCommand<Name extends ActionName = ActionName> = {
  readonly action: Name;
  readonly operand?: string;
  readonly help: string;
  readonly options: readonly CommandOption[];
  /** True if standard input is a key. */
  readonly readsKey?: true;
  /** Returns the unchecked arguments of the action. Several operands are passed as a list. */
  toArguments(operand: unknown, options: Readonly<Record<string, unknown>>): unknown;
  /** Returns the text for stdout, or undefined if the action has written its result itself. */
  toText(result: ActionResult<Name>): string | undefined | Promise<string>;
  /** Returns the result for `--json`, if it differs from that of the action. */
  toJson?(result: ActionResult<Name>): Promise<unknown>;
  /** Returns a description of the change, for stderr if stdout cannot be written. */
  toUnprinted?(result: ActionResult<Name>): string | undefined | Promise<string>;
  /** Returns notes on the result, for stderr. */
  toNotes?(result: ActionResult<Name>): string[] | Promise<string[]>;
  /** Returns true for a result that makes the exit status 1, such as damage. */
  hasFailed?(result: ActionResult<Name>): boolean;
};

function command<Name extends ActionName>(spec: ActionCommand<Name>): ActionCommand {
  return spec as unknown as ActionCommand;
}

const user: CommandOption = { flag: '--user <name>', help: 'the user', required: true };

const optionalUser: CommandOption = { flag: '--user <name>', help: 'the user (default: all)' };

/** Parses an id. Throws a problem with the code `invalid`. */
function toId(text: unknown, invalid: ProblemCode): number {
  const id = /^\d+$/.test(String(text)) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw problem(invalid, { text: String(text) });
}

/** Parses an id, which may be negative. Throws a problem with the code `event_id_invalid`. */
function toEventId(text: unknown): number {
  const [, sign, digits] = /^(-?)(.*)$/.exec(String(text)) ?? [];
  const id = toId(digits, 'event_id_invalid');
  return sign === '-' ? -id : id;
}

/** Parses the value of `--registration`. Throws a problem with the code `registration_unknown`. */
function toRegistration(text: unknown): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === 'open' || text === 'closed') return text === 'open';
  throw commandProblem('registration_unknown', { text: String(text) });
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
  const eventType = type === 'none' || type === '' ? null : type;
  const registrationOpen = toRegistration(registration);
  const values = { name, date, location, description, status, eventType, registrationOpen };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const timeZone: CommandOption = {
  flag: '--time-zone <zone>',
  help: "the zone of times without an offset (default: the system's)",
};

/** The options with the values of an event. */
function eventOptions(required: true | undefined): readonly CommandOption[] {
  const must = required && { required };
  return [
    user,
    { flag: '--name <text>', help: 'the name', ...must },
    {
      flag: '--date <when>',
      help: 'the day and time, such as "Sat 2 May 15:00" or 2026-05-02T15:00; without a year, the next such day',
      ...must,
    },
    { flag: '--location <text>', help: 'the place' },
    { flag: '--description <text>', help: 'the description' },
    { flag: '--status <status>', help: 'draft, active, completed or cancelled' },
    { flag: '--type <type>', help: 'national, international, regional, club or none' },
    { flag: '--registration <state>', help: 'open or closed' },
    timeZone,
  ];
}

type ColumnMap = Partial<Record<TableField, string | null>>;

/**
 * Parses `["date=Start", "status="]` to `{ date: 'Start', status: null }`. Throws `wrong_usage`.
 */
function parseMap(pairs: readonly string[] = []): ColumnMap {
  const map: ColumnMap = {};
  for (const pair of pairs) {
    const separator = pair.indexOf('=');
    const field = tableFields.find((name) => name === pair.slice(0, separator));
    const source = pair.slice(separator + 1);
    if (separator === -1 || field === undefined) {
      throw commandProblem('map_invalid', { pair, fields: tableFields });
    }
    if (map[field] !== undefined) {
      throw commandProblem('map_repeated', { field });
    }
    map[field] = source === '' ? null : source;
  }
  return map;
}

/** All commands that run an action, in the order of the help. */
export const actionCommands: readonly ActionCommand[] = [
  command({
    action: 'user add',
    operand: '<name>',
    help: 'add a club account',
    options: [],
    toArguments: (name) => ({ name }),
    toText: userAdded,
    toUnprinted: userAdded,
  }),
  command({
    action: 'user list',
    help: 'list the club accounts',
    options: [],
    toArguments: () => ({}),
    toText: usersText,
  }),
  command({
    action: 'user remove',
    operand: '<name>',
    help: 'remove a club account with all its events and keys',
    options: [],
    toArguments: (name) => ({ name }),
    toText: userRemoved,
    toUnprinted: userRemoved,
  }),
  command({
    action: 'key create',
    help: 'create a key and print it, only this once',
    options: [
      user,
      { flag: '--label <text>', help: 'the purpose of the key' },
      { flag: '--expires <date>', help: 'the last day, or the exact time, on which it is valid' },
    ],
    toArguments: (_, { user, label, expires }) => ({ user, label, expires }),
    toText: ({ key }) => key,
    toUnprinted: keyUnprinted,
    toNotes: keyNotes,
  }),
  command({
    action: 'key list',
    help: 'list labels and dates of the keys, but not the keys themselves',
    options: [],
    toArguments: () => ({}),
    toText: keysText,
  }),
  command({
    action: 'key revoke',
    operand: '<id>',
    help: 'revoke a key; its next request is refused',
    options: [],
    toArguments: (id) => ({
      id: toId(id, 'key_id_invalid'),
    }),
    toText: keyRevoked,
    toUnprinted: keyRevoked,
  }),
  command({
    action: 'event add',
    help: 'add one event by hand and print it',
    options: eventOptions(true),
    toArguments: (_, { user, timeZone, ...options }) => ({
      user,
      timeZone,
      event: toEventValues(options),
    }),
    toText: eventText,
    ...describeEdit('Added'),
  }),
  command({
    action: 'event edit',
    operand: '<id>',
    help: 'change values of an event and print it; later imports keep them',
    options: eventOptions(undefined),
    toArguments: (id, { user, timeZone, ...options }) => {
      const changes = toEventValues(options);
      if (Object.keys(changes).length === 0) throw commandProblem('event_edit_empty');
      return { user, timeZone, id: toEventId(id), changes };
    },
    toText: eventText,
    ...describeEdit('Changed'),
  }),
  command({
    action: 'event cancel',
    operand: '<id>',
    help: 'set the status of an event to cancelled and print it',
    options: [user],
    toArguments: (id, { user }) => ({ user, id: toEventId(id) }),
    toText: eventText,
    ...describeEdit('Cancelled'),
  }),
  command({
    action: 'event remove',
    operand: '<id>',
    help: 'remove an event and print it as it was',
    options: [user],
    toArguments: (id, { user }) => ({ user, id: toEventId(id) }),
    toText: eventText,
    ...describeEdit('Removed'),
  }),
  command({
    action: 'import',
    operand: '<file...>',
    help: 'add or update events from files, all or nothing',
    options: [
      user,
      {
        flag: '--format <format>',
        help: 'csv, json, ics, xlsx or ods (default: by the extension of the file)',
      },
      {
        flag: '--sheet <name>',
        help: 'the sheet of an .xlsx or .ods file (default: the first one with events)',
      },
      {
        flag: '--map <field=column>',
        help: 'the column of a field, or several: location=Venue+Town; may be repeated',
        repeatable: true,
      },
      timeZone,
      {
        flag: '--from <date>',
        help: 'the first day of recurring events (default: two years ago) or of dates without a year',
      },
      { flag: '--to <date>', help: 'the last day of recurring events (default: in two years)' },
      {
        flag: '--encoding <name>',
        help: 'the encoding of CSV or ICS, such as ansi, dos or mac (default: detected)',
      },
      { flag: '--date-order <order>', help: 'the order in dates such as 5/1/2026: dmy or mdy' },
      { flag: '--dry-run', help: 'report what would happen, row by row, and change nothing' },
      { flag: '--skip-bad-rows', help: 'leave out bad rows and events, and list them' },
      {
        flag: '--overwrite-edits',
        help: 'take values that changed in the files, even for fields that were edited by hand',
      },
    ],
    toArguments: (files, { map, json, ...options }) => ({
      files,
      user: options['user'],
      format: options['format'],
      map: parseMap(map as string[] | undefined),
      timeZone: options['timeZone'],
      from: options['from'],
      to: options['to'],
      dateOrder: options['dateOrder'],
      encoding: options['encoding'],
      sheet: options['sheet'],
      dryRun: options['dryRun'],
      skipBadRows: options['skipBadRows'],
      overwriteEdits: options['overwriteEdits'],
      details: json,
    }),
    toText: importText,
    toJson: importJson,
    toUnprinted: async (result) =>
      [await importText(result), ...(await importNotes(result))].join('\n'),
    toNotes: importNotes,
  }),
  command({
    action: 'export',
    help: 'write every event of a user',
    options: [
      user,
      {
        flag: '--format <format>',
        help: 'csv, json, ics, xlsx or html (default: by the extension of the file)',
      },
      { flag: '--output <file>', help: 'the file to write (default: stdout)' },
      {
        flag: '--time-zone <zone>',
        help: "the zone of local times in xlsx and html (default: the system's)",
      },
      { flag: '--salvage', help: 'every readable event of a damaged database; counts the others' },
    ],
    toArguments: (_, { user, format, output, timeZone, salvage }) => ({
      user,
      format,
      output,
      timeZone,
      salvage,
    }),
    toText: exportText,
    toUnprinted: exportText,
    toNotes: exportNotes,
  }),
  command({
    action: 'mirror set',
    help: 'copy the events of an online service and keep them in step; reads its key from standard input',
    options: [user, { flag: '--url <url>', help: 'the base URL of the service', required: true }],
    readsKey: true,
    toArguments: (_, { user, url, standardInput }) => ({ user, url, key: standardInput }),
    toText: mirrorSet,
    toUnprinted: mirrorSet,
  }),
  command({
    action: 'mirror sync',
    help: 'sync now; without --user, all copies',
    options: [
      optionalUser,
      { flag: '--confirm-removals', help: 'remove the events that the last sync asked about' },
      {
        flag: '--accept-reset',
        help: 'go on although the service looks like another account, or was reset',
      },
    ],
    toArguments: (_, { user, confirmRemovals, acceptReset }) => ({
      user,
      confirmRemovals,
      acceptReset,
    }),
    toText: syncsText,
    toUnprinted: syncsText,
    hasFailed: ({ results }) => results.some(({ status }) => status.problem !== null),
  }),
  command({
    action: 'mirror status',
    help: 'show what is known of an online service, its last sync, and what is open',
    options: [optionalUser],
    toArguments: (_, { user }) => ({ user }),
    toText: mirrorsText,
  }),
  command({
    action: 'mirror verify',
    help: 'compare every event with the service, one by one; differences are corrected and listed',
    options: [user],
    toArguments: (_, { user }) => ({ user }),
    toText: verificationText,
    hasFailed: ({ differences }) => differences.length > 0,
  }),
  command({
    action: 'mirror add-ids',
    operand: '<id...>',
    help: 'look up ids, ranges such as 100-200, or the ids in files, at the service',
    options: [user],
    toArguments: (ids, { user }) => ({ user, ids }),
    toText: idsFoundText,
  }),
  command({
    action: 'mirror search-ids',
    help: 'search for older events by their ids; shows the cost first',
    options: [
      user,
      { flag: '--start', help: 'start the search, or go on with it; Ctrl+C ends it' },
      { flag: '--rate <number>', help: 'requests in a second (default: 2)' },
      { flag: '--requests <number>', help: 'ask for at most this many ids' },
    ],
    toArguments: (_, { user, start, rate, requests }) => ({
      user,
      start,
      rate: rate === undefined ? undefined : Number(rate),
      requests: requests === undefined ? undefined : Number(requests),
    }),
    toText: searchText,
  }),
  command({
    action: 'mirror key add',
    help: 'add another key of the same account, for scripts; reads it from standard input',
    options: [user],
    readsKey: true,
    toArguments: (_, { user, standardInput }) => ({ user, key: standardInput }),
    toText: ({ url }) => upstreamKeyText('added', url),
  }),
  command({
    action: 'mirror key change',
    help: 'sync with another key of the same account; reads it from standard input',
    options: [user],
    readsKey: true,
    toArguments: (_, { user, standardInput }) => ({ user, key: standardInput }),
    toText: ({ url }) => upstreamKeyText('changed', url),
  }),
  command({
    action: 'mirror ready',
    help: 'prepare for weeks without a connection: confirm all upcoming events and check this computer',
    options: [optionalUser],
    toArguments: (_, { user }) => ({ user }),
    toText: readyText,
    hasFailed: ({ reports }) => reports.some(({ isReady }) => !isReady),
  }),
  command({
    action: 'mirror remove',
    help: 'end the copying; the events stay, but the key of the service no longer opens them',
    options: [user],
    toArguments: (_, { user }) => ({ user }),
    toText: mirrorRemoved,
    toUnprinted: mirrorRemoved,
  }),
  command({
    action: 'history',
    help: 'list the changes of each import and edit, newest first',
    options: [user],
    toArguments: (_, { user }) => ({ user }),
    toText: historyText,
  }),
  command({
    action: 'undo',
    operand: '<id>',
    help: 'undo one import or edit exactly',
    options: [],
    toArguments: (id) => ({
      id: toId(id, 'import_id_invalid'),
    }),
    toText: undoText,
    toUnprinted: undoText,
  }),
  command({
    action: 'backup',
    help: 'make a verified backup, in the data directory or in a file elsewhere',
    options: [{ flag: '--output <file>', help: 'the file to write, such as one on another disk' }],
    toArguments: (_, { output }) => ({ output }),
    toText: backupText,
    toUnprinted: backupText,
  }),
  command({
    action: 'backup list',
    help: 'list the backups in the data directory, newest first',
    options: [],
    toArguments: () => ({}),
    toText: backupsText,
  }),
  command({
    action: 'restore',
    operand: '<file>',
    help: 'replace all data by a backup: a file, or a name from "backup list"',
    options: [],
    toArguments: (file) => ({ file }),
    toText: restoreText,
    toUnprinted: restoreText,
    toNotes: restoreNotes,
  }),
  command({
    action: 'check',
    help: 'check the database (pages, references, schema, search index, history) and the backups',
    options: [],
    toArguments: () => ({}),
    toText: checkText,
    toJson: checkJson,
    toNotes: checkNotes,
    hasFailed: ({ isInOrder }) => !isInOrder,
  }),
  command({
    action: 'doctor',
    help: 'explain why a script cannot connect and what endangers the data, each with its remedy',
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
    hasFailed: ({ findings }) => findings.some(({ level }) => level === 'problem'),
  }),
];
