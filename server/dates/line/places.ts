import type { Run } from '../spans.ts';
import type { Token } from '../tokens.ts';
import { joints, words } from '../vocabulary.ts';
import type { Places } from './known-places.ts';
import { isCapital, type Line, type Part, placeStart, textAt } from './line.ts';

/** Words and signs before an opponent, which is no place. */
const opponentWords = words(joints.teams, joints.and, '& + x');

const isSeparator = ({ text }: Token) => /^[-.,;:|/]$/.test(text);

function runsOf({ tokens }: Line, parts: readonly Run[]): readonly Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (const part of [...parts, { from: tokens.length, to: tokens.length }]) {
    if (tokens.slice(from, part.from).some((token) => !isSeparator(token))) {
      runs.push({ from, to: part.from });
    }
    from = part.to;
  }
  return runs;
}

type PlaceRange = Run & { readonly start: number };

function findPlaceAfter(
  line: Line,
  places: Places,
  run: Run,
  hasName: boolean,
): PlaceRange | undefined {
  const { tokens } = line;
  let begin = run.from;
  while (begin < run.to && isSeparator(tokens[begin] as Token)) begin += 1;
  const isTail = hasName && isCapital(line, begin);
  let end = begin;
  while (end < run.to && !isSeparator(tokens[end] as Token)) end += 1;
  if (hasName && !isTail && places.find(tokens, begin, end) !== undefined) {
    return { from: begin, to: end, start: begin };
  }
  const hasOpponent = tokens.slice(begin, run.to).some(({ text }) => opponentWords.has(text));
  const prepositions: PlaceRange[] = [];
  for (let at = begin; at < run.to; at += 1) {
    const start = placeStart(line, at);
    if (start !== undefined && start < run.to) prepositions.push({ from: at, to: run.to, start });
  }
  const known = prepositions.find(({ start }) => places.find(tokens, start, run.to) !== undefined);
  if (known !== undefined || prepositions[0]?.from === begin) return known ?? prepositions[0];
  if (isTail && !hasOpponent) return { from: begin, to: run.to, start: begin };
  return prepositions[0];
}

/** Finds a place after a preposition in front of the date. */
function findPlaceBefore(line: Line, places: Places, run: Run): PlaceRange | undefined {
  const found: PlaceRange[] = [];
  for (let at = run.from + 1; at < run.to; at += 1) {
    const start = placeStart(line, at);
    if (start === undefined || start >= run.to) continue;
    const isKnown = places.find(line.tokens, start, run.to) !== undefined;
    const isSign = textAt(line, at) === '@';
    if (isKnown || isSign || isCapital(line, start)) found.push({ from: at, to: run.to, start });
  }
  return found.find(({ from }) => /^(?:at|@)$/.test(textAt(line, from))) ?? found[0];
}

/** Finds a known place at the end of the line. */
function findKnownPlace(
  line: Line,
  places: Places,
  run: Run,
  isNamed: boolean,
): PlaceRange | undefined {
  for (let start = isNamed ? run.from : run.from + 1; start < run.to; start += 1) {
    if (places.find(line.tokens, start, run.to) === undefined) continue;
    if (opponentWords.has(textAt(line, start - 1))) return undefined;
    const isAfterWord = (at: number) => at > run.from && placeStart(line, at) === start;
    const from = [start - 2, start - 1].find(isAfterWord) ?? start;
    return { from, to: run.to, start };
  }
  return undefined;
}

export function findPlace(
  line: Line,
  places: Places,
  parts: readonly Part[],
): PlaceRange | undefined {
  const runs = runsOf(line, parts);
  const moments = parts.filter(({ field }) => field === 'date' || field === 'time');
  const firstMoment = moments[0]?.to ?? Number.POSITIVE_INFINITY;
  const tails = runs.filter(({ from }) => from >= firstMoment);
  for (const run of tails.toReversed()) {
    const place = findPlaceAfter(line, places, run, runs[0] !== run);
    if (place !== undefined) return place;
  }
  const last = runs.at(-1);
  const isNamed = runs.length > 1 || moments.length > 0;
  const isAtEnd = last !== undefined && last.to === line.tokens.length;
  const known = isAtEnd ? findKnownPlace(line, places, last, isNamed && last.from > 0) : undefined;
  if (known !== undefined) return known;
  for (const run of runs.filter(({ from }) => from < firstMoment)) {
    if (moments.length === 0) continue;
    const place = findPlaceBefore(line, places, run) ?? findKnownPlace(line, places, run, false);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Returns a range of the line without the separators at its ends. */
export function trim(text: string, start: number, end: number): { start: number; end: number } {
  const slice = text.slice(start, end);
  const left = start === 0 ? /^\s+/ : /^[\s,;:|.)\]–—-]+/;
  const right = end === text.length ? /\s+$/ : /[\s,;:|([–—-]+$/;
  const begin = start + (left.exec(slice)?.[0].length ?? 0);
  return { start: begin, end: Math.max(begin, end - (right.exec(slice)?.[0].length ?? 0)) };
}

export function readPlace(line: Line, places: Places, { start, to }: PlaceRange): string {
  const { text, tokens } = line;
  const known = places.find(tokens, start, to);
  if (known !== undefined) return known;
  const range = trim(text, tokens[start - 1]?.end ?? 0, tokens[to]?.start ?? text.length);
  return text.slice(range.start, range.end).replace(/^l['’]/, '');
}
