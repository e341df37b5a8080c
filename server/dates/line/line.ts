import type { Language } from '../../messages/messages.ts';
import type { Clock } from '../clock.ts';
import type { Day } from '../days.ts';
import type { Holiday, Run } from '../spans.ts';
import { type Token, tokenizeLine } from '../tokens.ts';
import { articles, type DayPart, months, weekdays } from '../vocabulary.ts';

export type PlainWordsField =
  | 'name'
  | 'date'
  | 'time'
  | 'location'
  | 'eventType'
  | 'ends'
  | 'repeats'
  | 'until'
  | 'except'
  | 'status';

export type DayContext = {
  readonly today: Day;
  /** The time of day as `HH:MM`: a weekday no longer means today once its time has passed. */
  readonly now?: string | undefined;
  readonly language: Language;
  /** The clock of the club: a time that it skips is none. */
  readonly zone?: Clock | undefined;
  /** Holidays of the club, which may end a repetition. */
  readonly holidays?: readonly Holiday[];
};

export type PlainWordsContext = DayContext & {
  /** Known places of the club, most used first. */
  readonly places: readonly string[];
};

/** Length limit of a line in UTF-16 code units; a longer text is only a name. */
const maxLength = 300;

type Phrase<Value> = { readonly words: readonly string[]; readonly value: Value };
export type Phrases<Value> = ReadonlyMap<string, readonly Phrase<Value>[]>;

/** Indexes phrases, which "|" separates, by their first word. */
export function indexPhrases<Value>(lists: readonly (readonly [Value, string])[]): Phrases<Value> {
  const phrases = lists.flatMap(([value, list]) =>
    list.split('|').map((phrase) => ({ words: phrase.split(' '), value })),
  );
  return Map.groupBy(phrases, ({ words: [first = ''] }) => first);
}

/** A value read from some tokens. */
export type Found<Value> = Run & { readonly value: Value };

export type FoundTime = Run & {
  /** The start as `HH:MM`; undefined for an end alone, and if it is unclear. */
  readonly value: string | undefined;
  /** The end of a range as `HH:MM`, and the position of the word or sign before it. */
  readonly end: string | undefined;
  readonly endAt: number;
  /** True unless it is a time only beside a date. */
  readonly isCertain: boolean;
};

export type FoundDay = Found<Day> & {
  /** The last day of a range, and the position of the word or sign before it. */
  readonly end?:
    | { readonly from: number; readonly value: Day; readonly time?: FoundTime }
    | undefined;
  /**
   * A `written` date has a month or a number, a `weekday` has neither. It is `foreign` if it is a
   * short one of another language or may be another word.
   */
  readonly kind: 'written' | 'named' | 'feast' | 'weekday' | 'foreign';
  /** Rating from 0 to 5 by the words around the day. */
  readonly score: number;
  /** True if the words could mean another day. */
  readonly isUnclear: boolean;
  /** True if only a word such as "until" makes it unclear, which could also end a range. */
  readonly isUntil?: boolean;
  readonly part?: DayPart | undefined;
  /** The words of the part of the day, which stay in the name without a time. */
  readonly partRun?: Run | undefined;
  readonly time?: FoundTime | undefined;
};

/** A line with its tokens; fields are found by position of tokens. */
export type Line = {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly context: DayContext;
  /** The tokens with one blank between them, and where each begins. */
  readonly joined: string;
  readonly offsets: readonly number[];
};

export function lineOf(text: string, context: DayContext): Line {
  const tokens = text.length > maxLength ? [] : tokenizeLine(text);
  const offsets: number[] = [];
  let joined = '';
  for (const token of tokens) {
    offsets.push(joined.length);
    joined += `${token.text} `;
  }
  return { text, tokens, context, joined, offsets };
}

/** Returns the match of a sticky pattern at a token, and the position after it. */
export function matchAt(
  line: Line,
  at: number,
  pattern: RegExp,
): { readonly groups: Readonly<Record<string, string>>; readonly to: number } | undefined {
  const offset = line.offsets[at];
  if (offset === undefined) return undefined;
  pattern.lastIndex = offset;
  const match = pattern.exec(line.joined);
  if (match === null) return undefined;
  const end = offset + match[0].length + 1;
  const next = line.offsets.findIndex((start) => start >= end);
  const to = next < 0 ? line.tokens.length : next;
  return canEnd(line, to) ? { groups: match.groups ?? {}, to } : undefined;
}

/** Returns true if the words before a token end with a pattern. */
export function isBehind({ joined, offsets }: Line, at: number, pattern: RegExp): boolean {
  return pattern.test(joined.slice(Math.max(0, (offsets[at] ?? 0) - 40), offsets[at] ?? 0));
}

export function textAt({ tokens }: Line, at: number): string {
  return tokens[at]?.text ?? '';
}

/** Returns a token as written. */
function rawAt({ text, tokens }: Line, at: number): string {
  return text.slice(tokens[at]?.start, tokens[at]?.end);
}

/** Returns the range of the characters of some tokens. */
export function charactersOf(
  { text, tokens }: Line,
  { from, to }: Run,
): { start: number; end: number } {
  const first = tokens[from]?.start ?? 0;
  // The apostrophe of "’s avonds" is no token.
  const start = /(?:^|\s)['’]$/.test(text.slice(0, first)) ? first - 1 : first;
  return { start, end: tokens[to - 1]?.end ?? start };
}

export function isCapital(line: Line, at: number): boolean {
  return line.tokens[at] !== undefined && /^['’]?\p{Lu}/u.test(rawAt(line, at));
}

/** Returns true unless the token is the end of something longer, such as the 19 of U19. */
export function canStart({ tokens }: Line, at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token === undefined) return false;
  if (before === undefined) return true;
  if (/[€$£]/.test(before.text) && token.kind === 'number') return false;
  if (token.hasGap) return true;
  return before.kind === 'sign' && (before.hasGap || at === 1 || !/[-./:&+]/.test(before.text));
}

/** Returns true unless the token before goes on, as in 5.5km or Sunday-School. */
export function canEnd({ tokens }: Line, at: number): boolean {
  const [last, token, next] = tokens.slice(at - 1, at + 2);
  if (token === undefined) return true;
  // In "14:30 € 17.50", the sign belongs to the price.
  const isPrice = token.hasGap && next?.kind === 'number';
  if (/[%€$£]/.test(token.text)) return isPrice;
  if (token.hasGap) return true;
  if (token.kind !== 'sign') return false;
  const isJoined = next !== undefined && !next.hasGap;
  if (!isJoined) return true;
  return /[.,:]/.test(token.text)
    ? last?.kind === 'word' || next.kind !== 'number'
    : !/[-/&+]/.test(token.text);
}

/** Returns the phrase that begins at a token. */
export function phraseAt<Value>(
  line: Line,
  from: number,
  phrases: Phrases<Value>,
): Found<Value> | undefined {
  for (const { words: parts, value } of phrases.get(textAt(line, from)) ?? []) {
    const to = from + parts.length;
    const isSame = parts.every((part, index) => textAt(line, from + index) === part);
    if (isSame && canEnd(line, to)) return { from, to, value };
  }
  return undefined;
}

export type Part = Run & { readonly field: PlainWordsField };

/** Returns the position after a preposition and an article, if a place may follow. */
export function placeStart(line: Line, at: number): number | undefined {
  const { tokens, context } = line;
  const [word, raw] = [textAt(line, at), rawAt(line, at)];
  const isSign = word === '@' && tokens[at]?.hasGap === true;
  const isPlaceWord =
    isSign || articles.place.has(word) || articles.placeOf[context.language]?.has(word) === true;
  if (!isPlaceWord || raw !== raw.toLowerCase()) return undefined;
  // The English "a" is no preposition.
  if (word === 'a' && raw.normalize('NFC') !== 'à') return undefined;
  const isArticle =
    articles.the.has(textAt(line, at + 1)) && rawAt(line, at + 1) === textAt(line, at + 1);
  const next = isArticle ? at + 2 : at + 1;
  const place = tokens[next];
  // "Im März", "auf Sonntag" and "at 7" are no places, "at 7 Mill Lane" and "bij Jan" are.
  const isPlace =
    place?.kind === 'number'
      ? tokens[next + 1]?.kind === 'word'
      : place?.kind === 'word' &&
        (articles.person.has(word) || !(months.has(place.text) || weekdays.has(place.text)));
  return isPlace ? next : undefined;
}
