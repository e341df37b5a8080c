import type { EventStatus, EventType } from '../../../db/model.ts';
import type { Run } from '../spans.ts';
import { states, types } from '../vocabulary.ts';
import {
  canStart,
  charactersOf,
  type Found,
  indexPhrases,
  type Line,
  type Part,
  type Phrases,
  phraseAt,
} from './line.ts';

export const statusPhrases = indexPhrases<EventStatus>([
  ['cancelled', states.cancelled],
  ['draft', states.draft],
]);

export const typePhrases = indexPhrases(Object.entries(types) as [EventType, string][]);

/** Returns true for a status that ends the line, or begins it with a colon or a dash. */
export function isPlainStatus(
  line: Line,
  parts: readonly Part[],
  found: Found<EventStatus>,
): boolean {
  const { start, end } = charactersOf(line, found);
  const isLast = /^[\s.!)\]]*$/.test(line.text.slice(end));
  const isAfterMoment = parts.some((part) => part.to <= found.from);
  if (start === 0) return /^\s*:|^\s+[-–—]\s/.test(line.text.slice(end));
  return isLast && (isAfterMoment || found.value === 'cancelled');
}

/** Returns true for words between signs or other parts, behind the name. */
export function standsApart(line: Line, parts: readonly Part[], found: Run): boolean {
  const { start, end } = charactersOf(line, found);
  const hasName = found.from > 0 && (parts[0]?.from ?? found.from) > 0;
  const [before, behind] = [line.text.slice(0, start), line.text.slice(end)];
  const isBegin =
    /[([,;:|]\s*$|\s[-–—]\s*$/.test(before) || parts.some(({ to }) => to === found.from);
  const isEnd =
    /^\s*(?:$|[.)\],;:|])|^\s+[-–—]\s/.test(behind) || parts.some(({ from }) => from === found.to);
  return hasName && isBegin && isEnd;
}

/** Returns the first status or type outside the other parts that is plainly one. */
export function findPhrase<Value>(
  line: Line,
  parts: readonly Part[],
  phrases: Phrases<Value>,
  isPlain: (found: Found<Value>) => boolean,
): Found<Value> | undefined {
  for (let at = 0; at < line.tokens.length; at += 1) {
    const found = canStart(line, at) ? phraseAt(line, at, phrases) : undefined;
    const isFree =
      found !== undefined && parts.every(({ from, to }) => to <= at || from >= found.to);
    if (isFree && isPlain(found)) return found;
  }
  return undefined;
}
