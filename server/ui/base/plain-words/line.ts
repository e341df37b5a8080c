import { months, type Token } from '../../../dates/date-words.ts';
import type { Language } from '../../../messages/messages.ts';
import type { Day } from '../days.ts';

export type PlainWordsField = 'name' | 'date' | 'time' | 'location' | 'eventType' | 'status';

export type DayContext = {
  readonly today: Day;
  /** The time of day as `HH:MM`: a weekday no longer means today once its time has passed. */
  readonly now?: string | undefined;
  readonly language: Language;
};

export type PlainWordsContext = DayContext & {
  /** Known places of the club, most used first. */
  readonly places: readonly string[];
};

/** Length limit of a line in UTF-16 code units; a longer text is only a name. */
export const maxLength = 300;

export function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

type Phrase<Value> = { readonly words: readonly string[]; readonly value: Value };
export type Phrases<Value> = ReadonlyMap<string, readonly Phrase<Value>[]>;

/** Indexes phrases, which "|" separates, by their first word. */
export function indexPhrases<Value>(lists: readonly (readonly [Value, string])[]): Phrases<Value> {
  const phrases = lists.flatMap(([value, list]) =>
    list.split('|').map((phrase) => ({ words: phrase.split(' '), value })),
  );
  return Map.groupBy(phrases, ({ words: [first = ''] }) => first);
}

/** Words before a place, in any language or in one. */
const placeWords = words('at in im bei beim auf a au aux dans chez bij');
const placeWordsOf: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  de: words('am'),
  nl: words('op te'),
};
const placeArticles = words('the der dem den das la le les de het t');

/** Some tokens; `to` is exclusive. */
export type Run = { readonly from: number; readonly to: number };

/** A value read from some tokens. */
export type Found<Value> = Run & { readonly value: Value };
export type FoundTime = Found<string> & { readonly isCertain: boolean };
export type FoundDay = Found<Day> & {
  readonly time: FoundTime | undefined;
  readonly isWeekday: boolean;
  /** From 1 to 5, to choose among several days of a line. */
  readonly score: number;
};

/** A line with its tokens; fields are found by position of tokens. */
export type Line = {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly context: DayContext;
};

export function textAt({ tokens }: Line, at: number): string {
  return tokens[at]?.text ?? '';
}

/** Returns a token as written. */
function rawAt({ text, tokens }: Line, at: number): string {
  return text.slice(tokens[at]?.start, tokens[at]?.end);
}

/** Returns the range of the characters of some tokens. */
export function charactersOf({ tokens }: Line, { from, to }: Run): { start: number; end: number } {
  const start = tokens[from]?.start ?? 0;
  return { start, end: tokens[to - 1]?.end ?? start };
}

export function isCapital(line: Line, at: number): boolean {
  return line.tokens[at] !== undefined && /^['’]?\p{Lu}/u.test(rawAt(line, at));
}

/** Returns true unless the token is the end of something longer, such as the 19 of U19. */
export function canStart({ tokens }: Line, at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token === undefined) return false;
  if (before === undefined || token.hasGap) return true;
  return before.kind === 'sign' && (before.hasGap || at === 1 || !/[-./:&+]/.test(before.text));
}

/** Returns true unless the token before goes on, as in 5.5km or Sunday-School. */
export function canEnd({ tokens }: Line, at: number): boolean {
  const [last, token, next] = tokens.slice(at - 1, at + 2);
  if (token === undefined) return true;
  if (/[%€$£]/.test(token.text)) return false;
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
    isSign || placeWords.has(word) || placeWordsOf[context.language]?.has(word) === true;
  if (!isPlaceWord || raw !== raw.toLowerCase()) return undefined;
  // The English "a" is no preposition.
  if (word === 'a' && raw.normalize('NFC') !== 'à') return undefined;
  const isArticle =
    placeArticles.has(textAt(line, at + 1)) && rawAt(line, at + 1) === textAt(line, at + 1);
  const next = isArticle ? at + 2 : at + 1;
  const place = tokens[next];
  // "Im März" and "at 7" are no places, "at 7 Mill Lane" is one.
  const isPlace =
    place?.kind === 'number'
      ? tokens[next + 1]?.kind === 'word'
      : place?.kind === 'word' && !months.has(place.text);
  return isPlace ? next : undefined;
}
