import type { EventStatus, EventType } from '../../../db/model.ts';
import { addDays, type Day, daysIntoWeek } from '../days.ts';
import { boundsOf, findRepetition, listDays, type WrittenRepetition } from '../repetition.ts';
import type { Holiday, Run } from '../spans.ts';
import { type DayPart, partOf as dayPartOf, weekdays } from '../vocabulary.ts';
import { isWeekday, skipDayPart } from './days.ts';
import { placesOf } from './known-places.ts';
import { findLeftOver } from './left-over.ts';
import {
  charactersOf,
  type Line,
  lineOf,
  type Part,
  type PlainWordsContext,
  type PlainWordsField,
} from './line.ts';
import { type End, findMoment } from './moment.ts';
import { findPlace, readPlace, trim } from './places.ts';
import {
  findPhrase,
  isPlainStatus,
  standsApart,
  statusPhrases,
  typePhrases,
} from './status-and-type.ts';
import { findTimes } from './times.ts';

/** A range of characters of the line. */
type PlainWordsPart = {
  readonly field: PlainWordsField;
  readonly start: number;
  readonly end: number;
};

/** An event as one line describes it. */
export type PlainWords = {
  readonly name: string;
  readonly day: Day | undefined;
  /** True if words of the name could be the day, but do not say which one. */
  readonly isDayUnclear: boolean;
  /** Words beside a repetition that could change it, but were not understood. */
  readonly unread: string | undefined;
  /** `HH:MM`. */
  readonly time: string | undefined;
  readonly end: End | undefined;
  /** The days on which it takes place again; `day` is the first one. */
  readonly repetition: WrittenRepetition | undefined;
  readonly location: string | undefined;
  readonly eventType: EventType | undefined;
  readonly status: EventStatus | undefined;
  /** In order, without overlaps; only blanks and separators lie between them. */
  readonly parts: readonly PlainWordsPart[];
};

const byStart = (one: PlainWordsPart, other: PlainWordsPart) => one.start - other.start;

/** A repetition of a line, and the line with blanks in the place of its words. */
type FoundRepetition = {
  readonly written: WrittenRepetition;
  readonly rule: Run;
  readonly parts: readonly PlainWordsPart[];
  readonly rest: string;
  /** The part of the day behind a weekday: "every Tuesday evening". */
  readonly part: DayPart | undefined;
};

/** Returns the part of the day in a word such as "Dienstagabend". */
function partIn({ tokens }: Line, { from, to }: Run): DayPart | undefined {
  const words = tokens.slice(from, to).map(({ text }) => text.replace(/s$/, ''));
  return words.map((word) => (weekdays.has(word) ? undefined : dayPartOf(word))).find(Boolean);
}

function repetitionIn(line: Line, holidays: readonly Holiday[]): FoundRepetition | undefined {
  const { text, tokens } = line;
  const times = findTimes(line).filter(({ isCertain }) => isCertain);
  const isTaken = (at: number) => times.some(({ from, to }) => at >= from && at < to);
  const found = findRepetition({ text, tokens, holidays }, isTaken);
  if (found === undefined) return undefined;
  const partOf = (field: 'repeats' | 'until' | 'except') => (run: Run) => ({
    field,
    ...charactersOf(line, run),
  });
  const { part = partIn(line, found.rule), to } = skipDayPart(line, found.rule.to);
  // Beside a time, it only tells the morning from the evening.
  const rule = times.length === 0 ? found.rule : { from: found.rule.from, to };
  const parts = [
    partOf('repeats')(rule),
    ...found.bounds.map(partOf('until')),
    ...found.exceptions.map(partOf('except')),
  ];
  const rest = parts.reduce(
    (before, { start, end }) =>
      `${before.slice(0, start)}${' '.repeat(end - start)}${before.slice(end)}`,
    text,
  );
  return { written: found.written, rule: found.rule, parts, rest, part };
}

/** Returns the first day of a repetition from that of the line on; today only if its time is to come. */
function firstDay(
  written: WrittenRepetition,
  { day, time }: { readonly day: Day | undefined; readonly time: string | undefined },
  { today, now }: PlainWordsContext,
): Day | undefined {
  const { rule } = written;
  const isOver = now !== undefined && time !== undefined && time <= now;
  const bounds = boundsOf(written, day ?? (isOver ? addDays(today, 1) : today));
  // In "Thu from 5 July every week", each date is a Thursday.
  const isOnDay = rule.unit === 'week' && rule.weekdays.length === 0 && day !== undefined;
  const onDay = isOnDay ? { ...rule, weekdays: [daysIntoWeek(day, 0)] } : rule;
  return bounds && listDays(onDay, bounds.from, { count: 1 }).days[0];
}

/**
 * Parses the description of an event in one line of plain words, such as "Training Tue 19:00
 * Sports hall", in English, German, French or Dutch. Words that are nothing else are the name.
 */
export function parsePlainWords(text: string, context: PlainWordsContext): PlainWords {
  const line = lineOf(text, context);
  const found = repetitionIn(line, context.holidays ?? []);
  const read = found === undefined ? parseRest(text, context) : parseRest(text, context, found);
  const unread = read && findLeftOver(line, read.parts, found !== undefined);
  if (read !== undefined && unread === undefined) return read;
  // One event would be something else than a repetition that was not understood.
  return { ...parseRest(text, context, 'unread'), isDayUnclear: true, unread };
}

/**
 * Parses a line with or without a repetition; undefined if other words contradict it, such as a
 * second weekday. No day is taken beside a repetition that is `unread`.
 */
function parseRest(text: string, context: PlainWordsContext, found?: 'unread'): PlainWords;
function parseRest(
  text: string,
  context: PlainWordsContext,
  found: FoundRepetition,
): PlainWords | undefined;
function parseRest(
  text: string,
  context: PlainWordsContext,
  found?: FoundRepetition | 'unread',
): PlainWords | undefined {
  const repetition = found === 'unread' ? undefined : found;
  // The other values are found in the rest of the line, at the same positions.
  const line = lineOf(repetition?.rest ?? text, context);
  const { tokens } = line;
  const places = placesOf(context.places);
  const moment = findMoment(line, repetition?.part);
  const isUnread = found === 'unread';
  const end = isUnread && moment.end?.day !== undefined ? undefined : moment.end;
  const isTime = ({ field }: Part) => field === 'time' || (field === 'ends' && end !== undefined);
  const parts = isUnread ? moment.parts.filter(isTime) : moment.parts;
  const insert = (field: PlainWordsField, run: Run | undefined) => {
    if (run === undefined) return;
    parts.push({ ...run, field });
    parts.sort((one, other) => one.from - other.from);
  };
  const status = findPhrase(
    line,
    parts,
    statusPhrases,
    (found) => isPlainStatus(line, parts, found) || standsApart(line, parts, found),
  );
  insert('status', status);
  const eventType = findPhrase(line, parts, typePhrases, (found) => {
    const isPlace = places.find(tokens, found.from, found.to) !== undefined;
    return !isPlace && standsApart(line, parts, found);
  });
  insert('eventType', eventType);
  const anyPlace = findPlace(line, places, parts);
  // Words that could be the date are no place.
  const { unclear } = moment;
  const isDate = anyPlace && unclear && anyPlace.from < unclear.to && unclear.from < anyPlace.to;
  const isKnown = anyPlace && places.find(tokens, anyPlace.start, anyPlace.to) !== undefined;
  const place = isDate || (isUnread && !isKnown) ? undefined : anyPlace;
  const location = place === undefined ? undefined : readPlace(line, places, place);
  insert('location', place);

  const ranges: PlainWordsPart[] = [];
  const names: string[] = [];
  const addName = (from: number, to: number) => {
    const { start, end } = trim(text, from, to);
    if (start === end) return;
    names.push(text.slice(start, end));
    ranges.push({ field: 'name', start, end });
  };
  const read = parts
    .filter(({ field }) => field !== 'name')
    .map((part) => ({ field: part.field, ...charactersOf(line, part) }));
  const first = repetition && firstDay(repetition.written, moment, context);
  if (repetition !== undefined) {
    const isRead = (at: number) => moment.parts.some(({ from, to }) => at >= from && at < to);
    const isOtherDay = tokens.some((_, at) => isWeekday(line, at) && !isRead(at));
    const isSplit = read.some((part) =>
      repetition.parts.some(({ start, end: to }) => start < part.end && part.start < to),
    );
    const { monthDay } = repetition.written.rule;
    const isContrary =
      moment.day !== undefined &&
      first !== undefined &&
      monthDay === undefined &&
      daysIntoWeek(first, 0) !== daysIntoWeek(moment.day, 0);
    const isLost = moment.time === undefined && partIn(lineOf(text, context), repetition.rule);
    if (isLost || first === undefined || isContrary || isOtherDay || isSplit || unclear)
      return undefined;
  }
  let at = 0;
  for (const part of [...read, ...(repetition?.parts ?? [])].toSorted(byStart)) {
    addName(at, part.start);
    ranges.push(part);
    at = part.end;
  }
  addName(at, text.length);
  return {
    name: names.join(' '),
    day: isUnread ? undefined : repetition === undefined ? moment.day : first,
    isDayUnclear: unclear !== undefined,
    unread: undefined,
    time: moment.time,
    end,
    repetition: repetition?.written,
    location,
    eventType: eventType?.value,
    status: status?.value,
    parts: ranges,
  };
}
