import type { CalendarRules } from '../../db/calendars.ts';
import type { DayOff } from '../../db/days-off.ts';
import type { EventDraft } from '../../db/model.ts';
import { teamMatcher } from '../../db/team-filter.ts';
import { explain, type Problem, problem } from '../base/errors.ts';
import { createDraftParser } from '../club/event-draft.ts';
import { dayMs } from '../dates/units.ts';
import { untitled } from '../import/ics/event.ts';
import { reader } from '../import/ics/reader.ts';
import { readWholeDays, type WholeDays } from '../import/ics/whole-days.ts';
import type { BadRecord, FileItem, SourceFile, SourceRecord } from '../import/source.ts';
import { durationOf } from './schedule.ts';

/** The values of an event that its calendar decides. */
type CalendarValues = Required<
  Pick<EventDraft, 'name' | 'date' | 'location' | 'description' | 'status' | 'eventType'>
>;

export type CalendarEvent = {
  /** The identifier in the calendar: the UID with the recurrence, or with the start. */
  readonly key: string;
  readonly values: CalendarValues;
};

/** The contents of a calendar that arrived whole. */
export type CalendarContents = {
  /** The name that the calendar gives itself. */
  readonly name: string | undefined;
  readonly events: readonly CalendarEvent[];
  /** The days off; null for a calendar of events. */
  readonly days: readonly DayOff[] | null;
  /** The number of events that the words leave out; of days off, of those with a time of day, too. */
  readonly leftOut: number;
  /** The events that the words leave out. */
  readonly others: readonly CalendarEvent[];
  readonly unreadable: readonly { readonly name: string; readonly key: string | undefined }[];
  /** The interval of requests that the calendar asks for, in milliseconds. */
  readonly asked: number | undefined;
  /** The latest LAST-MODIFIED, in milliseconds. */
  readonly modifiedAt: number | undefined;
};

/** The maximum number of events of a calendar. */
const maxEvents = 25_000;

export type ReadingClock = {
  readonly timeZone: string;
  readonly now: Date;
  /** Language of words that are added to notes. */
  readonly language?: string | undefined;
};

const linkPatterns = [
  /<link\b[^>]*\btype=["']?text\/calendar[^>]*\bhref=["']([^"'>]+)/i,
  /<link\b[^>]*\bhref=["']([^"'>]+)[^>]*\btype=["']?text\/calendar/i,
  /\bhref=["'](webcals?:[^"'>]+)/i,
  /\bhref=["']([^"'>]+\.ics(?:\?[^"'>]*)?)["']/i,
];

/** Returns the address of the calendar that a page names; undefined if it names none. */
export function findLink(page: string, base: URL): URL | undefined {
  const [link] = linkPatterns.flatMap((pattern) => pattern.exec(page)?.[1] ?? []);
  if (link === undefined) return undefined;
  const url = URL.parse(link.replaceAll('&amp;', '&').replace(/^webcals?:/i, 'https:'), base.href);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

const hasPassword = /<input\b[^>]*\btype=["']?password/i;
const hasCaptcha = /captcha|unusual traffic|are you a robot|automated queries/i;

/** Returns the problem of contents that are no calendar; undefined for one. */
function findForeign(bytes: Uint8Array, place: string): Problem | undefined {
  const start = Buffer.from(bytes.subarray(0, 200_000))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start === '') return problem('follow_no_contents', { place });
  if (/^BEGIN:VCALENDAR\b/i.test(start)) return undefined;
  if (!start.startsWith('<')) {
    const isOwn = /^\{\s*"(?:events|format)"/.test(start);
    return problem(isOwn ? 'follow_own_service' : 'follow_no_calendar', { place });
  }
  if (hasCaptcha.test(start)) return problem('follow_pause', { place });
  return problem(hasPassword.test(start) ? 'follow_login' : 'follow_page', { place });
}

/** Returns the value of a property of the calendar itself, with folded lines joined. */
function propertyOf(text: string, name: string): string | undefined {
  const [head = ''] = text.split(/^BEGIN:(?!VCALENDAR)/m);
  const lines = head.replace(/\r?\n[ \t]/g, '');
  const [, value] = new RegExp(`^${name}(?:;[^:\\r\\n]*)?:([^\\r\\n]*)`, 'im').exec(lines) ?? [];
  return value?.trim();
}

const unescaped = (text: string) =>
  text
    .replace(/\\([\\;,])/g, '$1')
    .replace(/\\n/gi, ' ')
    .trim();

function latestChange(text: string): number | undefined {
  const stamps = text.matchAll(/^LAST-MODIFIED[^:\r\n]*:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/gm);
  let latest: number | undefined;
  for (const [, year, month, day, ...time] of stamps) {
    const at = Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`);
    if (Number.isFinite(at)) latest = Math.max(latest ?? at, at);
  }
  return latest;
}

const isBad = (item: FileItem): item is BadRecord => 'problem' in item;
const isRecord = (item: FileItem): item is SourceRecord => 'values' in item;

/** Returns the text of a value that a calendar gives, or the other one if it gives none. */
const textOr = (value: string | null | undefined, other: string) => value?.trim() || other;

/** Reads the whole days of a calendar. Throws `days_off_none` for one without any. */
export async function readDays(file: SourceFile, clock: ReadingClock): Promise<WholeDays> {
  const found = await readWholeDays(file, clock);
  if (found.days.length > 0) return found;
  throw problem('days_off_none', { file: file.name, count: found.timed });
}

type Events = Pick<CalendarContents, 'events' | 'days' | 'leftOut' | 'others' | 'unreadable'>;

/** Reads the days off of a calendar, without those that the words leave out. */
async function readDaysOff(
  file: SourceFile,
  isMeant: (event: { name: string; location: string; eventType: null }) => boolean,
  clock: ReadingClock,
): Promise<Events> {
  const found = await readDays(file, clock);
  const days = found.days.filter(({ name }) => isMeant({ name, location: '', eventType: null }));
  return {
    ...{ events: [], days, others: [] },
    leftOut: found.timed + found.days.length - days.length,
    unreadable: found.unreadable.map((name) => ({ name, key: undefined })),
  };
}

/** Reads the events of a calendar by the rules of the club. */
async function readEvents(
  file: SourceFile,
  rules: CalendarRules,
  isMeant: ReturnType<typeof teamMatcher>,
  { timeZone, now, language }: ReadingClock,
): Promise<Events> {
  const nothing = () => undefined;
  const parse = createDraftParser(timeZone);
  const year = now.getUTCFullYear();
  // Years of history are not what a club follows a calendar for.
  const from = new Date(new Date(now).setUTCFullYear(year - 2));
  const window = { from };
  const options = { map: {}, timeZone, now, window, language, ignore: nothing, note: nothing };
  const events = new Map<string, CalendarEvent>();
  const unreadable: { name: string; key: string | undefined }[] = [];
  const others: CalendarEvent[] = [];

  function add(item: SourceRecord): void {
    const { id, createdAt: _, ...given } = item.values;
    const draft = parse({ ...item, values: given });
    const key = item.origin?.key ?? `ics:id:${String(id)}`;
    if ('reason' in draft) {
      unreadable.push({ name: String(given.name || untitled), key });
      return;
    }
    if (Date.parse(draft.date) < from.getTime()) return;
    const values: CalendarValues = {
      name: `${rules.prefix}${draft.name}`,
      date: draft.date,
      location: textOr(draft.location, rules.place),
      description: draft.description || null,
      status: draft.status ?? 'active',
      eventType: draft.eventType ?? rules.eventType,
    };
    if (!isMeant({ ...values, name: draft.name })) others.push({ key, values });
    else if (!events.has(key)) events.set(key, { key, values });
    if (events.size > maxEvents)
      throw problem('follow_too_many', { place: file.name, limit: maxEvents });
  }

  for await (const items of reader.read(file, options)) {
    for (const item of items) {
      if (isBad(item)) {
        const { name, key } = item.event ?? {};
        unreadable.push({ name: name || untitled, key });
      } else if (isRecord(item)) add(item);
    }
  }
  const leftOut = others.length;
  return { events: [...events.values()], days: null, leftOut, others, unreadable };
}

/**
 * Reads the contents of a calendar by the rules of the club. Throws a problem for contents that are no
 * whole calendar, or that have more than 25,000 events: then nothing is evidence.
 */
export async function readContents(
  bytes: Uint8Array,
  place: string,
  rules: CalendarRules,
  clock: ReadingClock,
): Promise<CalendarContents> {
  const foreign = findForeign(bytes, place);
  if (foreign !== undefined) throw foreign;
  const file: SourceFile = {
    name: place,
    async *open() {
      yield bytes;
    },
  };
  const isMeant = teamMatcher({ ...rules, place: '', eventType: null });
  const isOfDays = rules.use === 'daysOff';
  let found: Events;
  try {
    found = isOfDays
      ? await readDaysOff(file, isMeant, clock)
      : await readEvents(file, rules, isMeant, clock);
  } catch (error) {
    const failure = explain(error);
    if (failure?.code !== 'file_refused' && failure?.code !== 'place_refused') throw error;
    throw problem('follow_cut', { place }, error);
  }
  const text = Buffer.from(bytes).toString('utf8');
  const name = propertyOf(text, 'X-WR-CALNAME') ?? propertyOf(text, 'NAME');
  const asked = propertyOf(text, 'REFRESH-INTERVAL') ?? propertyOf(text, 'X-PUBLISHED-TTL');
  // Some write the parameter behind the colon: "REFRESH-INTERVAL:VALUE=DURATION:PT12H".
  const interval = asked === undefined ? undefined : durationOf(asked.replace(/^.*:/, ''));
  return {
    name: name === undefined ? undefined : unescaped(name).slice(0, 200) || undefined,
    ...found,
    // Holidays hardly change.
    asked: isOfDays ? Math.max(interval ?? 0, dayMs) : interval,
    modifiedAt: latestChange(text),
  };
}
