import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import type { AnnouncedState } from './announced-states.ts';
import {
  type CalendarMemory,
  type CalendarRules,
  calendarUses,
  type LookedEvent,
} from './calendars.ts';
import { describeRows } from './check.ts';
import type { DayOff, DaysOffCalendar } from './days-off.ts';
import { type Coverage, failureCodes, refusalCodes, type Source } from './mirror-model.ts';
import {
  editableFields,
  eventStatuses,
  eventTypes,
  filterTypes,
  type StoredEvent,
} from './model.ts';
import type { Proposal } from './proposals.ts';
import type { NumberedTeam } from './teams.ts';

// The types of the JSON in columns, for the check of a database and for the edges that take the same
// values. Not for reads, which trust the database: loading zod delays the start of the service.

/** A time as events have it. */
export const Timestamp = z.iso.datetime().length(24);

/** A text that is not longer than those of an import. */
const Text = z.string().max(200_000);

/** A moment in milliseconds that a date can have. */
const Moment = z.number().min(-8.64e15).max(8.64e15);

const Id = z.int();
const Ids = z.array(Id);

export const Day = z.object({
  first: z.iso.date(),
  last: z.iso.date(),
  name: Text,
}) satisfies z.ZodType<DayOff>;

const Calendar = z.object({
  kind: z.enum(['public', 'file']),
  name: Text,
  source: Text,
  readAt: z.iso.datetime(),
  days: z.array(Day),
}) satisfies z.ZodType<DaysOffCalendar>;

/** A team of a club. */
export const ClubTeam = z.object({
  id: Id.min(1),
  name: z.string().regex(/^\P{Cc}{1,200}$/u),
  letters: z.string().max(12),
  colour: z.int().min(1).max(5),
  words: z.string().max(1_000),
  without: z.string().max(1_000),
  place: z.string().max(1_000),
  eventType: z.enum(filterTypes).nullable(),
  position: Id,
}) satisfies z.ZodType<NumberedTeam>;

export const Event = z.object({
  id: Id,
  name: Text,
  date: Timestamp,
  location: Text,
  description: Text.nullable(),
  status: z.enum(eventStatuses),
  eventType: z.enum(eventTypes).nullable(),
  registrationOpen: z.boolean().exactOptional(),
  createdAt: Timestamp,
}) satisfies z.ZodType<StoredEvent>;

/** New values of an event; null for a registration that is not given. */
export const NewValues = Event.omit({ id: true, createdAt: true })
  .extend({ registrationOpen: z.boolean().nullable() })
  .partial() satisfies z.ZodType<Proposal['values']>;

export const Announced = z.strictObject({
  at: z.iso.datetime(),
  language: z
    .string()
    .regex(/^[a-z]{2}$/)
    .nullable(),
  epoch: z.string().max(100),
  batch: Id,
  others: z.array(z.strictObject({ id: Id, batch: Id })).max(1_000_000),
}) satisfies z.ZodType<AnnouncedState>;

/** An event in the history: its columns. */
const Image = Event.extend({
  registrationOpen: z.union([z.literal(0), z.literal(1)]).nullable(),
  sourceKey: Text.nullable(),
  sourceSequence: z.number().nullable(),
  sourceStamp: z.number().nullish(),
  edits: z.partialRecord(z.enum(editableFields), z.union([Text, z.number()]).nullable()).optional(),
});

/** A `LeftOutEvent` of `event-import.ts`. */
const LeftOut = z.object({
  draft: z.object({
    ...Event.partial().shape,
    name: Text,
    date: Timestamp,
  }),
  origin: z
    .object({ key: Text, sequence: z.number(), stamp: z.number().nullable() })
    .exactOptional(),
});

/** The rules for the events of a followed calendar. */
const Rules = z.object({
  use: z.enum(calendarUses),
  eventType: z.enum(eventTypes).nullable(),
  place: z.string().max(1_000),
  prefix: z.string().max(200),
  words: z.string().max(1_000),
  without: z.string().max(1_000),
}) satisfies z.ZodType<CalendarRules>;

const Memory = z.object({
  etag: Text.nullable(),
  lastModified: Text.nullable(),
  asOf: Moment.nullable(),
  modifiedAt: Moment.nullable(),
  contents: z.array(Text),
  waiting: z.object({ digest: Text, since: Moment }).nullable(),
  missing: z.array(
    z.object({ id: Id, since: Moment, isAsked: z.boolean(), isKept: z.boolean().optional() }),
  ),
  cancelled: Ids,
  conflicts: z.array(
    z.object({
      id: Id,
      field: z.enum(editableFields),
      theirs: z.union([Text, z.number()]).nullable(),
      since: Moment,
    }),
  ),
  unreadable: z.array(Text),
  zone: Text.optional(),
  adopted: Ids.optional(),
  address: Text.optional(),
}) satisfies z.ZodType<CalendarMemory>;

const Looked = Event.omit({
  id: true,
  createdAt: true,
  registrationOpen: true,
}) satisfies z.ZodType<LookedEvent>;

const Interval = z.object({ after: Text, until: Text });
const Proof = Interval.extend({ oldest: Text, entries: z.int() });
const Covered = z.object({
  proven: z.array(Interval),
  last: Proof.nullable(),
  cap: z.number(),
  backdates: z.boolean(),
}) satisfies z.ZodType<Coverage>;

const problemCode = z.enum([...failureCodes, ...refusalCodes]);

/** The members of a source without columns of their own. Earlier versions lacked some. */
const State = z
  .object({
    etag: Text.nullable(),
    revision: Text.nullable(),
    absenceShape: Text.nullable(),
    guard: z.object({ since: Moment, removed: z.number() }),
    falseAbsenceAt: Moment.nullable(),
    clockOffset: Moment,
    ahead: z.number(),
    wanted: Ids,
    unreadable: Ids,
    unknownMembers: z.array(Text),
    attemptedAt: Moment.nullable(),
    succeededAt: Moment.nullable(),
    nextAt: Moment,
    quietUntil: Moment,
    failures: z.number(),
    problem: z.object({ code: problemCode, since: Moment, id: Id.exactOptional() }).nullable(),
    question: z
      .discriminatedUnion('kind', [
        z.object({
          kind: z.literal('removals'),
          reason: z.enum(['guard', 'false_absences']),
          ids: Ids,
        }),
        z.object({ kind: z.literal('reset'), code: problemCode }),
      ])
      .nullable(),
    club: Text.nullable(),
    conflictCopies: z.array(Text),
  } satisfies Record<keyof Omit<Source, 'baseUrl' | 'coverage' | 'listed' | 'listedAt'>, z.ZodType>)
  .partial();

/** The JSON in columns by table, with the number of a row. */
const columns = [
  { table: 'days_off', key: 'id', types: { days: z.array(Day) } },
  { table: 'changes', key: 'batch_id', types: { before: Image, after: Image } },
  {
    table: 'sources',
    key: 'id',
    types: { coverage: Covered, listed: Ids, state: State, 'json_quote(base_url)': z.url() },
  },
  {
    table: 'calendars',
    key: 'id',
    types: { rules: Rules, memory: Memory, looked: z.array(z.union([Looked, Day])) },
  },
  { table: 'told_states', key: 'user_id', types: { others: Announced.shape.others } },
  { table: 'left_out', key: 'batch_id', types: { events: z.array(LeftOut) } },
  {
    table: 'proposals',
    key: 'rowid',
    types: { event: Event, new_values: NewValues, replaces: z.array(Text) },
  },
  {
    table: "setting_changes WHERE setting = 'daysOff'",
    key: 'batch_id',
    types: { before: Calendar, after: Calendar },
  },
  {
    table: "setting_changes WHERE setting = 'team'",
    key: 'batch_id',
    types: { before: ClubTeam, after: ClubTeam },
  },
] as const;

/** Returns a sentence for each table whose JSON has not the form with which it is read. */
export function findWrongJson(sqlite: Database): string[] {
  return columns.flatMap(({ table, key, types }) => {
    type Row = { readonly row: number } & Readonly<Record<string, string | number | null>>;
    const names = Object.keys(types);
    const rows = sqlite.prepare<[], Row>(`SELECT ${key} AS row, ${names.join(', ')} FROM ${table}`);
    const wrong: number[] = [];
    for (const row of rows.iterate()) {
      const isRight = Object.entries(types).every(
        ([name, type]) =>
          row[name] === null || type.safeParse(JSON.parse(String(row[name]))).success,
      );
      if (!isRight) wrong.push(row.row);
    }
    const [first] = wrong;
    return first === undefined ? [] : [describeRows(table.replace(/ .*/, ''), wrong.length, first)];
  });
}
