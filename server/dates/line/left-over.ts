import {
  articles,
  daysOff,
  ends,
  joints,
  months,
  ordinals,
  ordinalWords,
  periodWords,
  repeats,
  unitOf,
} from '../vocabulary.ts';
import { isWeekday } from './days.ts';
import { type Line, type PlainWordsField, textAt } from './line.ts';

const timeFields: ReadonlySet<string | undefined> = new Set<PlainWordsField>([
  'date',
  'time',
  'ends',
  'repeats',
  'until',
  'except',
]);

/** Words before a bound that a repetition could have. */
const boundWords = [ends.day, articles.from, articles.range, daysOff.except, repeats.during];

/**
 * Finds words of time that no field has consumed, beside a repetition that they could change: "in
 * January", "until the holidays". Without one, finds words that repeat a day: "every weekend". Returns
 * them as written.
 */
export function findLeftOver(
  line: Line,
  parts: readonly { readonly field: string; readonly start: number; readonly end: number }[],
  isRepeated: boolean,
): string | undefined {
  const { tokens, text } = line;
  const fields = tokens.map(
    ({ start, end }) => parts.find((part) => part.start <= start && end <= part.end)?.field,
  );
  const isFree = (at: number) => tokens[at] !== undefined && !timeFields.has(fields[at]);
  const isUsed = (at: number) => timeFields.has(fields[at]);
  const isFiller = (at: number) =>
    tokens[at]?.kind === 'sign' ||
    articles.span.has(textAt(line, at)) ||
    ordinalWords.has(textAt(line, at)) ||
    joints.and.has(textAt(line, at));
  /** Returns the next position that is no filler. */
  const skip = (at: number, step: 1 | -1) => {
    let next = at + step;
    while (isFree(next) && isFiller(next)) next += step;
    return next;
  };
  const isTimeWord = (at: number) => {
    const word = textAt(line, at);
    const isPeriod = periodWords.has(word) || /.(?:ferien|vakantie|halbjahr)$/.test(word);
    return isPeriod || months.has(word) || isWeekday(line, at);
  };
  /** Checks for a day of a month, or the first one of a range: "1 to", "5.", "5 June". */
  const isDate = (at: number) => {
    const [number, next] = [tokens[at], tokens[at + 1]];
    if (number?.kind !== 'number' || number.text.length > 2 || next === undefined) return false;
    const isRange = joints.range.has(next.text) || next.text === '-';
    const isOrdinal = !next.hasGap && (next.text === '.' || ordinals.has(next.text));
    return (
      isOrdinal ||
      isTimeWord(at + 1) ||
      unitOf(next.text) !== undefined ||
      (isRange && tokens[at + 2]?.kind === 'number')
    );
  };
  const isBound = (at: number) => {
    const word = textAt(line, at);
    if (!boundWords.some((list) => list.has(word))) return false;
    const isDirect = ends.time.has(word) || /^jusqu/.test(word) || daysOff.except.has(word);
    const next = skip(at, 1);
    return (isDirect && isUsed(at - 1)) || (isFree(next) && (isTimeWord(next) || isDate(next)));
  };
  const isEvery = (at: number) => {
    const next = skip(at, 1);
    if (!repeats.every.has(textAt(line, at)) || !isFree(next)) return false;
    const isUnit = unitOf(textAt(line, next)) !== undefined;
    return isUnit || isTimeWord(next) || ordinalWords.has(textAt(line, at + 1)) || isDate(next);
  };
  const isLeftOver = (at: number) => {
    const word = textAt(line, at);
    if (joints.and.has(word)) {
      return [at - 1, at + 1].some((side) => /^(?:repeats|until|except)$/.test(fields[side] ?? ''));
    }
    const next = skip(at, 1);
    if (ordinalWords.has(word)) return isUsed(next);
    const before = skip(at, -1);
    // "In the month" bounds a repetition, "Tag der offenen Tür" does not.
    const isUnit = unitOf(word) !== undefined && before < at - 1 && isUsed(before);
    // A name may stand beside a time: "every Monday 19:00 March for charity".
    const isBeside = (side: number) =>
      isUsed(side) && (Math.abs(side - at) > 1 || !/^(?:time|ends)$/.test(fields[side] ?? ''));
    const isName = articles.person.has(textAt(line, at - 1));
    return isUnit || (isTimeWord(at) && !isName && (isBeside(next) || isBeside(before)));
  };
  const at = tokens.findIndex(
    (_, index) =>
      isFree(index) && (isEvery(index) || (isRepeated && (isBound(index) || isLeftOver(index)))),
  );
  if (at < 0) return undefined;
  let [from, to] = [at, at + 1];
  while (isFree(from - 1) && isFiller(from - 1)) from -= 1;
  while (isFree(to) && to < at + 3) to += 1;
  return text.slice(tokens[from]?.start, tokens[to - 1]?.end);
}
