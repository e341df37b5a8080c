import { z } from 'zod';
import { type ClubNumber, clubNumbers } from '../../db/club-settings.ts';
import { editEvents } from '../../db/event-edit.ts';
import { eachEvent } from '../../db/event-list.ts';
import { findSource } from '../../db/mirror.ts';
import { labelOfSource } from '../../db/mirror-model.ts';
import type { SettingChange, StoredEvent, User } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { readSettings } from '../../db/settings.ts';
import { deleteUser, insertUser, prepareUserReads } from '../../db/users.ts';
import { explain, problem } from '../base/errors.ts';
import type { Clock } from '../dates/clock.ts';
import { zoneNamed } from '../dates/zone.ts';
import type { ProblemCode } from '../messages/message.ts';
import { backUpBeforeRemoval } from '../store/backup-files.ts';
import { withReader, withWriter } from '../store/store.ts';
import { tidyUpstreamKeys } from '../store/upstream-keys.ts';
import type { ActionTools } from './tools.ts';

const maxLength = 200;

type LineFlaw = 'missing' | 'empty' | 'tooLong' | 'hasControls';

/** Creates the schema of a short, single-line text, with the codes of its problems. */
export function lineOfText(codes: Readonly<Record<LineFlaw, ProblemCode>>) {
  return z
    .string({ error: codes.missing })
    .trim()
    .normalize('NFC')
    .min(1, { error: codes.empty })
    .max(maxLength, { error: codes.tooLong })
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), { error: codes.hasControls });
}

export const UserName = lineOfText({
  missing: 'user_name_missing',
  empty: 'user_name_empty',
  tooLong: 'user_name_too_long',
  hasControls: 'user_name_has_controls',
});

/** Returns the id of a user. Throws `unavailable` if there is none. */
export function requireUser(db: Reader, name: string): number {
  const id = prepareUserReads(db).idByName(name);
  if (id !== undefined) return id;
  throw problem('user_unknown', { user: name });
}

/** Throws `user_mirrored` for a user whose events follow an online service. */
export function requireUnmirrored(db: Reader, userId: number): void {
  const source = findSource(db, userId);
  if (source === undefined) return;
  throw problem('user_mirrored', { user: source.user, url: labelOfSource(source.baseUrl) });
}

/** Throws `user_mirrored` for a club whose settings come from the file that it follows. */
export function requireOwnSettings(db: Reader, userId: number): void {
  if (findSource(db, userId)?.kind === 'file') requireUnmirrored(db, userId);
}

/**
 * Returns the time zone of a club, in which its dates and times are meant: the one that is stored,
 * or that of this computer if it is unknown here, and until a writer could store one.
 */
export function zoneOfClub(
  db: Reader,
  userId: number,
  { systemTimeZone }: Pick<ActionTools, 'systemTimeZone'>,
): string {
  return prepareUserReads(db).zone(userId) || systemTimeZone();
}

/** Returns a zone in its stored form. Throws `time_zone_unknown`. */
async function readZone(text: string): Promise<string> {
  // Loaded on demand: most commands name no zone.
  const { readZoneName } = await import('./zone-name.ts');
  return readZoneName(text);
}

/** `zone` is an IANA or a Windows name; by default the zone of this computer. */
export const AddUser = z.strictObject({ name: UserName, zone: z.string().optional() });

export async function addUser(
  { name, zone: chosen }: z.infer<typeof AddUser>,
  tools: ActionTools,
): Promise<{ id: number; name: string; zone: string }> {
  const zone = chosen === undefined ? tools.systemTimeZone() : await readZone(chosen);
  const add = (db: Writer) => {
    const id = insertUser(db, name, tools.now().toISOString(), zone);
    if (id !== undefined) return { id, name, zone };
    throw problem('user_exists', { user: name });
  };
  return await withWriter(tools.home, add, tools);
}

export const ListUsers = z.strictObject({});

export function listUsers(
  _: z.infer<typeof ListUsers>,
  { home }: Pick<ActionTools, 'home'>,
): Promise<{ users: User[] }> {
  return withReader(home, (db) => ({ users: prepareUserReads(db).all() }));
}

export const RenameUser = z.strictObject({ name: UserName, newName: UserName });

/** A setting of a club after its change. */
type Changed<Value> = {
  readonly id: number;
  readonly before: Value;
  /** The number of the change in the history; absent if nothing changed. */
  readonly batch?: number;
};

/** Changes a setting of a club that is one text, as one change of the history. */
function changeSetting(
  db: Writer,
  user: string,
  change: {
    readonly setting: Exclude<SettingChange['setting'], 'daysOff' | 'team'>;
    readonly after: string;
  },
  { now }: Pick<ActionTools, 'now'>,
): Changed<string> {
  const id = requireUser(db, user);
  requireOwnSettings(db, id);
  const { setting, after } = change;
  const before = String(readSettings(db, id)[setting]);
  const edit = { userId: id, now: now().toISOString() };
  const { result, batch } = editEvents(db, edit, ({ set }) => set({ setting, before, after }));
  if (!result) throw problem('user_exists', { user: after });
  return { id, before, ...(batch !== undefined && { batch }) };
}

/** Renames a user, whose events, keys and calendars stay. Throws `user_exists` for a taken name. */
export function renameUser(
  { name, newName }: z.infer<typeof RenameUser>,
  tools: ActionTools,
): Promise<Changed<string> & { readonly name: string }> {
  const rename = (db: Writer) => ({
    name: newName,
    ...changeSetting(db, name, { setting: 'name', after: newName }, tools),
  });
  return withWriter(tools.home, rename, tools);
}

export const AllowAssistant = z.strictObject({
  name: UserName,
  propose: z.enum(['on', 'off'], { error: 'assistant_state_unknown' satisfies ProblemCode }),
});

/** Lets assistants propose changes of the events of a club, or not. */
export function allowAssistant(
  { name, propose }: z.infer<typeof AllowAssistant>,
  tools: ActionTools,
): Promise<Changed<boolean> & { readonly name: string; readonly assistantProposes: boolean }> {
  const allow = (db: Writer) => {
    requireUnmirrored(db, requireUser(db, name));
    const after = propose === 'on' ? '1' : '0';
    const { before, ...changed } = changeSetting(
      db,
      name,
      { setting: 'assistantProposes', after },
      tools,
    );
    return { name, assistantProposes: after === '1', before: before === '1', ...changed };
  };
  return withWriter(tools.home, allow, tools);
}

/** Returns the schema and the action that change a setting with a number. */
export function numberAction(setting: ClubNumber) {
  const { min, max, refusal } = clubNumbers[setting];
  const error = refusal satisfies ProblemCode;
  const schema = z.strictObject({
    name: UserName,
    value: z.int({ error }).min(min, { error }).max(max, { error }),
  });
  const run = ({ name, value }: z.output<typeof schema>, tools: ActionTools) =>
    withWriter(
      tools.home,
      (db) => {
        const change = { setting, after: String(value) } as const;
        const { before, ...changed } = changeSetting(db, name, change, tools);
        return { name, setting, [setting]: value, before: Number(before), value, ...changed };
      },
      tools,
    );
  return [schema, run] as const;
}

type ZoneChange = {
  readonly id: number;
  readonly name: string;
  readonly zone: string;
  readonly before: string;
  /** The number of events that have another moment now, and the change in the history. */
  readonly changed: number;
  readonly batch?: number;
  /** An event whose time is another one now, with its local times; null if there is none. */
  readonly example: TimeExample | null;
};

type TimeExample = { readonly name: string; readonly before: string; readonly after: string };

export const SetUserZone = z.strictObject({
  name: UserName,
  zone: z.string(),
  /** `keep`: 19:00 stays 19:00. `convert`: the moment stays, so 19:00 becomes another time. */
  times: z.enum(['keep', 'convert']).default('convert'),
});

/**
 * Returns the timestamp of an event after a change of zone. An event without a time of day keeps its
 * day in any case.
 */
function convertTime(date: string, times: 'keep' | 'convert', from: Clock, to: Clock): string {
  const instant = Date.parse(date);
  const isDay = from.isDayStart(instant);
  if (times === 'convert' && !isDay) return date;
  // Where the clocks skip midnight, a day starts at another time.
  const next = isDay ? to.instantOf(from.momentIn(date)) : to.toInstant(from.toWall(instant));
  const converted = new Date(next).toISOString();
  // Years outside of 0001 to 9999 are longer, and no event has them.
  return converted.length === date.length && !converted.startsWith('0000') ? converted : date;
}

const clockText = (clock: Clock, date: string) => `${clock.dayOf(date)} ${clock.timeOf(date)}`;

/** Returns an event, if possible one to come, whose moment has another time in the new zone. */
function findExample(
  events: readonly StoredEvent[],
  from: Clock,
  to: Clock,
  now: Date,
): TimeExample | null {
  const timed = events.filter(({ date }) => !from.isDayStart(date));
  const example = timed.find(({ date }) => date >= now.toISOString()) ?? timed.at(-1);
  if (example === undefined) return null;
  const { name, date } = example;
  const [before, after] = [clockText(from, date), clockText(to, date)];
  return before === after ? null : { name, before, after };
}

/**
 * Changes the time zone of a club, and with it the moments of the events whose times stay, as one
 * change of the history.
 */
export async function setUserZone(
  { name, zone: chosen, times }: z.output<typeof SetUserZone>,
  tools: ActionTools,
): Promise<ZoneChange> {
  const zone = await readZone(chosen);
  // Also on demand, with the words of ends.
  const { descriptionAt } = await import('./event-values.ts');
  const change = (db: Writer) => {
    const id = requireUser(db, name);
    requireOwnSettings(db, id);
    const before = zoneOfClub(db, id, tools);
    const isMirrored = findSource(db, id) !== undefined;
    if (times === 'keep') requireUnmirrored(db, id);
    const [from, to] = [zoneNamed(before), zoneNamed(zone)];
    const now = tools.now();
    let example: TimeExample | null = null;
    const { result, batch } = editEvents(db, { userId: id, now: now.toISOString() }, (edit) => {
      // The events of a mirror follow its service.
      const events = isMirrored ? [] : [...eachEvent(db, id)];
      if (times === 'convert') example = findExample(events, from, to, now);
      edit.set({ setting: 'zone', before: readSettings(db, id).zone, after: zone });
      return events.filter((event) => {
        const date = convertTime(event.date, times, from, to);
        // The end keeps its moment, too.
        const description = descriptionAt(event, date, before, zone);
        edit.change(event.id, { date, description });
        return date !== event.date;
      }).length;
    });
    return {
      id,
      name,
      zone,
      before,
      changed: result,
      example,
      ...(batch !== undefined && { batch }),
    };
  };
  return await withWriter(tools.home, change, tools);
}

export const RemoveUser = z.strictObject({ name: UserName });

/** Forgets the keys of removed services. The next start of a service does it after a failure. */
function forgetKeys(db: Reader, { home, warn }: ActionTools): void {
  try {
    tidyUpstreamKeys(home, db);
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined) throw error;
    warn?.(failure);
  }
}

/** Removes a user with all events and keys, also that of an online service, after a backup. */
export function removeUser(
  { name }: z.infer<typeof RemoveUser>,
  tools: ActionTools,
): Promise<{ name: string; events: number; keys: number }> {
  const remove = (db: Writer) => {
    const id = requireUser(db, name);
    backUpBeforeRemoval(tools.home, { ...tools, isNeeded: true });
    const removed = deleteUser(db, id);
    forgetKeys(db, tools);
    return { name, ...removed };
  };
  return withWriter(tools.home, remove, tools);
}
