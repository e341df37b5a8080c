import type { ActionName, ActionResult } from '../actions/catalogue.ts';
import { type EventField, eventFields } from '../actions/import/source.ts';
import { ClubEventsError } from '../errors.ts';
import {
  exportNotes,
  exportText,
  historyText,
  importNotes,
  importText,
  keyNotes,
  keyRevoked,
  keysText,
  keyUnprinted,
  undoText,
  userAdded,
  userRemoved,
  usersText,
} from './text.ts';

export type CommandOption = {
  readonly flag: string;
  readonly help: string;
  readonly required?: true;
  /** Whether it may be given again; the values are a list then. */
  readonly repeatable?: true;
};

/** How an action is called from the command line, and how its result reads. */
export type ActionCommand<Name extends ActionName = ActionName> = {
  readonly action: Name;
  readonly operand?: string;
  readonly help: string;
  readonly options: readonly CommandOption[];
  /** The action's arguments, still to be checked by it; several operands come as a list. */
  toArguments(operand: unknown, options: Readonly<Record<string, unknown>>): unknown;
  /** The result, on stdout; nothing when the action has written it there itself. */
  toText(result: ActionResult<Name>): string | undefined;
  /** The change that was made, for stderr when stdout cannot be written. */
  toUnprinted?(result: ActionResult<Name>): string;
  /** Sentences beside the result, on stderr. */
  toNotes?(result: ActionResult<Name>): string[];
};

function command<Name extends ActionName>(spec: ActionCommand<Name>): ActionCommand {
  return spec as unknown as ActionCommand;
}

const user: CommandOption = { flag: '--user <name>', help: 'the user', required: true };

/** The number that a text is; `wanted` is the sentence for one that is none. */
function toId(text: unknown, wanted: string): number {
  const id = /^\d+$/.test(String(text)) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new ClubEventsError('wrong_usage', wanted);
}

/** `["date=startDate"]` as `{ date: 'startDate' }`. */
export function parseMap(pairs: readonly string[] = []): Partial<Record<EventField, string>> {
  const map: Partial<Record<EventField, string>> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const field = eventFields.find((name) => name === pair.slice(0, at));
    const source = pair.slice(at + 1);
    if (at === -1 || field === undefined || source === '') {
      const what = `--map: "${pair}" is not FIELD=COLUMN`;
      throw new ClubEventsError(
        'wrong_usage',
        `${what}; the fields are ${eventFields.join(', ')}.`,
      );
    }
    if (map[field] !== undefined) {
      throw new ClubEventsError('wrong_usage', `--map: ${field} is given twice; give it once.`);
    }
    map[field] = source;
  }
  return map;
}

/** Every command that runs an action, in the order of the help. */
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
      id: toId(id, 'The id of a key is the number that "club-events key list" shows.'),
    }),
    toText: keyRevoked,
    toUnprinted: keyRevoked,
  }),
  command({
    action: 'import',
    operand: '<file...>',
    help: 'add or update events from files, all or nothing',
    options: [
      user,
      {
        flag: '--format <format>',
        help: 'csv, json or ics (default: by the extension of the file)',
      },
      {
        flag: '--map <field=column>',
        help: 'the column of a field; may be repeated',
        repeatable: true,
      },
      { flag: '--time-zone <zone>', help: "the zone of times without an offset (default: the system's)" },
      { flag: '--from <date>', help: 'the first day of recurring events (default: two years ago)' },
      { flag: '--to <date>', help: 'the last day of recurring events (default: in two years)' },
      {
        flag: '--encoding <name>',
        help: 'the encoding of CSV or ICS, such as ansi, dos or mac (default: detected)',
      },
      { flag: '--date-order <order>', help: 'the order in dates such as 5/1/2026: dmy or mdy' },
      { flag: '--dry-run', help: 'report what would happen, row by row, and change nothing' },
      { flag: '--skip-bad-rows', help: 'leave out bad rows and events, and list them' },
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
      dryRun: options['dryRun'],
      skipBadRows: options['skipBadRows'],
      details: json,
    }),
    toText: importText,
    toUnprinted: (result) => [importText(result), ...importNotes(result)].join('\n'),
    toNotes: importNotes,
  }),
  command({
    action: 'export',
    help: 'write every event of a user',
    options: [
      user,
      {
        flag: '--format <format>',
        help: 'csv, json or ics (default: by the extension of the file)',
      },
      { flag: '--output <file>', help: 'the file to write (default: stdout)' },
    ],
    toArguments: (_, { user, format, output }) => ({ user, format, output }),
    toText: exportText,
    toNotes: exportNotes,
  }),
  command({
    action: 'history',
    help: 'list the changes of each import, newest first',
    options: [user],
    toArguments: (_, { user }) => ({ user }),
    toText: historyText,
  }),
  command({
    action: 'undo',
    operand: '<id>',
    help: 'undo one import exactly',
    options: [],
    toArguments: (id) => ({
      id: toId(id, 'The id of an import is the number that "club-events history" shows.'),
    }),
    toText: undoText,
    toUnprinted: undoText,
  }),
  command({
    action: 'check',
    help: 'check the database: pages, indexes, references, schema, event counts and search index',
    options: [],
    toArguments: () => ({}),
    toText: ({ database }) => `${database} is in order.`,
  }),
];
