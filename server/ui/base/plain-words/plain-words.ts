import type { EventStatus, EventType } from '../../../../db/model.ts';
import type { Day } from '../days.ts';
import { placesOf } from './known-places.ts';
import {
  charactersOf,
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
  readonly location: string | undefined;
  readonly eventType: EventType | undefined;
  readonly status: EventStatus | undefined;
  /** In order, without overlaps; only blanks and separators lie between them. */
  readonly parts: readonly PlainWordsPart[];
};

/**
 * Parses the description of an event in one line of plain words, such as "Training Tue 19:00
 * Sports hall", in English, German, French or Dutch. Words that are nothing else are the name.
 */
export function parsePlainWords(text: string, context: PlainWordsContext): PlainWords {
  const line = lineOf(text, context);
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
  let end = 0;
  for (const part of parts) {
    const range = charactersOf(line, part);
    addName(end, range.start);
    ranges.push({ field: part.field, ...range });
    end = range.end;
  }
  addName(end, text.length);
  return {
    name: names.join(' '),
    day: moment.day,
    isDayUnclear: unclear !== undefined,
    time: moment.time,
    end: moment.end,
    location,
    eventType: eventType?.value,
    status: status?.value,
    parts: ranges,
  };
}
