import type { EventStatus, EventType } from '../../../db/model.ts';
import { addDays, type Day, daysIntoWeek } from '../days.ts';
import { boundsOf, findRepetition, listDays, type WrittenRepetition } from '../repetition.ts';
import { weekdays } from '../vocabulary.ts';
import { placesOf } from './known-places.ts';
import {
  charactersOf,
  type Line,
  lineOf,
  type PlainWordsContext,
  type PlainWordsField,
  type Run,
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

/** Returns the repetition of a line, and the line with blanks in the place of its words. */
function repetitionIn(line: Line) {
  const times = findTimes(line).filter(({ isCertain }) => isCertain);
  const isTaken = (at: number) => times.some(({ from, to }) => at >= from && at < to);
  const found = findRepetition(line.text, line.tokens, isTaken);
  if (found === undefined) return undefined;
  const partOf = (field: 'repeats' | 'until' | 'except') => (run: Run) => ({
    field,
    ...charactersOf(line, run),
  });
  const parts = [
    partOf('repeats')(found.rule),
    ...found.bounds.map(partOf('until')),
    ...found.exceptions.map(partOf('except')),
  ];
  const rest = parts.reduce(
    (text, { start, end }) => `${text.slice(0, start)}${' '.repeat(end - start)}${text.slice(end)}`,
    line.text,
  );
  return { written: found.written, parts, rest };
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
  const repetition = repetitionIn(lineOf(text, context));
  const read = repetition && parseRest(text, context, repetition);
  return read ?? (parseRest(text, context) as PlainWords);
}

/**
 * Parses a line with or without a repetition; undefined if other words contradict it, such as a
 * second weekday.
 */
function parseRest(
  text: string,
  context: PlainWordsContext,
  repetition?: NonNullable<ReturnType<typeof repetitionIn>>,
): PlainWords | undefined {
  // The other values are found in the rest of the line, at the same positions.
  const line = lineOf(repetition?.rest ?? text, context);
  const { tokens } = line;
  const places = placesOf(context.places);
  const moment = findMoment(line);
  const parts = moment.parts;
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
  const found = findPlace(line, places, parts);
  // Words that could be the date are no place.
  const { unclear } = moment;
  const isDate = found && unclear && found.from < unclear.to && unclear.from < found.to;
  const place = isDate ? undefined : found;
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
  const read = parts.map((part) => ({ field: part.field, ...charactersOf(line, part) }));
  const first = repetition && firstDay(repetition.written, moment, context);
  if (repetition !== undefined) {
    const isRead = (at: number) => moment.parts.some(({ from, to }) => at >= from && at < to);
    const isOtherDay = tokens.some(({ text: word }, at) => weekdays.has(word) && !isRead(at));
    const isSplit = read.some((part) =>
      repetition.parts.some(({ start, end: to }) => start < part.end && part.start < to),
    );
    const { monthDay } = repetition.written.rule;
    const isContrary =
      moment.day !== undefined &&
      first !== undefined &&
      monthDay === undefined &&
      daysIntoWeek(first, 0) !== daysIntoWeek(moment.day, 0);
    if (isContrary || isOtherDay || isSplit || unclear !== undefined) return undefined;
  }
  let end = 0;
  for (const part of [...read, ...(repetition?.parts ?? [])].toSorted(byStart)) {
    addName(end, part.start);
    ranges.push(part);
    end = part.end;
  }
  addName(end, text.length);
  return {
    name: names.join(' '),
    day: repetition === undefined ? moment.day : first,
    isDayUnclear: unclear !== undefined,
    time: moment.time,
    end: moment.end,
    repetition: repetition?.written,
    location,
    eventType: eventType?.value,
    status: status?.value,
    parts: ranges,
  };
}
