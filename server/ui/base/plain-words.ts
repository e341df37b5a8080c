import type { EventStatus, EventType } from '../../../db/model.ts';
import {
  dateArticles,
  months,
  type Token,
  tokenizeLine,
  weekdays,
} from '../../dates/date-words.ts';
import {
  completeDate,
  type DateReading,
  dateOrders,
  datesAt,
  type WrittenDate,
} from '../../dates/dates.ts';
import { type Step, skipRange, skipStops, timesAt } from '../../dates/times.ts';
import type { Language } from '../../messages/messages.ts';
import { addDays, addMonths, type Day, daysIntoWeek, monthOf, partsOf } from './days.ts';
import { type Places, placesOf } from './known-places.ts';

export type PlainWordsField = 'name' | 'date' | 'time' | 'location' | 'eventType' | 'status';

/** A range of characters of the line. */
export type PlainWordsPart = {
  readonly field: PlainWordsField;
  readonly start: number;
  readonly end: number;
};

/** An event as one line describes it. */
export type PlainWords = {
  readonly name: string;
  readonly day: Day | undefined;
  /** `HH:MM`. */
  readonly time: string | undefined;
  readonly location: string | undefined;
  readonly eventType: EventType | undefined;
  readonly status: EventStatus | undefined;
  /** In order, without overlaps; only blanks and separators lie between them. */
  readonly parts: readonly PlainWordsPart[];
};

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
const maxLength = 300;

/** Limit of dates in one reading: the two ends of a range. */
const maxDates = 2;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Short weekdays of each language; those of another language need a time beside them. */
const shortWeekdays: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: words('sun mon tue tues wed weds thu thur thurs fri sat'),
  de: words('so mo di mi do fr sa'),
  fr: words('dim lun mar mer jeu ven sam'),
  nl: words('zo ma di wo do vr za'),
};

/** Short weekdays that are also words: "fun in the sun", "so", "jeu", "wo". */
const weekdaysAndWords = words('sun mon sat wed so do mi di mo fr sa dim mar mer jeu sam zo ma wo');

/** Words that make a weekday a date: "on Tuesday". */
const dayArticles = words('on am den le op');

const nextWords = words(
  'next coming nachste nachsten nachster nachstes kommende kommenden kommender kommendes volgende komende aanstaande prochain prochaine',
);
const thisWords = words('this diese diesen dieser dieses ce cet cette deze dit');

type Phrase<Value> = { readonly words: readonly string[]; readonly value: Value };
type Phrases<Value> = ReadonlyMap<string, readonly Phrase<Value>[]>;

/** Indexes phrases, which "|" separates, by their first word. */
function indexPhrases<Value>(lists: readonly (readonly [Value, string])[]): Phrases<Value> {
  const phrases = lists.flatMap(([value, list]) =>
    list.split('|').map((phrase) => ({ words: phrase.split(' '), value })),
  );
  return Map.groupBy(phrases, ({ words: [first = ''] }) => first);
}

/** Days by name; the number counts from today. */
const namedDays = indexPhrases([
  [0, 'today|tonight|heute|aujourdhui|vandaag'],
  [1, 'tomorrow|morgen|demain'],
  [2, 'the day after tomorrow|day after tomorrow|ubermorgen'],
  [2, 'apres - demain|apres demain|overmorgen'],
]);

/** Parts of a day behind its name: "Friday morning", "Freitagabend". */
const dayParts = words(
  'morning afternoon evening abend vormittag mittag nachmittag morgen fruh matin soir ochtend middag avond',
);
const dayPartEnding = /(?:abend|vormittag|nachmittag|mittag|morgen|ochtend|middag|avond)$/;

/** Words before a number of days or weeks: "in 3 days", "dans 3 jours", "over 3 dagen". */
const inWords = words('in dans over');
const smallNumbers = [
  'zero',
  'a an one ein einem einer un une een',
  'two zwei deux twee',
  'three drei trois drie',
  'four vier quatre',
  'five funf cinq vijf',
  'six sechs zes',
];
const unitDays: ReadonlyMap<string, number> = new Map([
  ...['day', 'days', 'tag', 'tagen', 'jour', 'jours', 'dag', 'dagen'].map(
    (word) => [word, 1] as const,
  ),
  ...['week', 'weeks', 'woche', 'wochen', 'semaine', 'semaines', 'weken'].map(
    (word) => [word, 7] as const,
  ),
]);
const monthWords = words('month monat mois maand');

/** Words before an hour alone: "at 7", "um 19". */
const hourArticles = words('at um a om @ vers gegen ab from vanaf des');

/** Words that make a number a time in any place of the line. */
const clockWords = words('h oclock uhr u uur heure heures noon midday midi am pm a p');

/** Words before a place, in any language or in one. */
const placeWords = words('at in im bei beim auf a au aux dans chez bij');
const placeWordsOf: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  de: words('am'),
  nl: words('op te'),
};
const placeArticles = words('the der dem den das la le les de het t');

/** Words and signs before an opponent, which is no place. */
const opponentWords = words('v vs versus gegen contre tegen and und et en & + x');

const statusPhrases = indexPhrases<EventStatus>([
  ['cancelled', 'cancelled|canceled|called off|abgesagt|entfallt|fallt aus'],
  ['cancelled', 'annule|annulee|geannuleerd|afgelast|gaat niet door'],
  ['draft', 'draft|entwurf|brouillon|concept'],
]);

const typePhrases = indexPhrases<EventType>([
  ['national', 'national|nationale|nationaal'],
  ['international', 'international|internationale|internationaal'],
  ['regional', 'regional|regionale|regionaal'],
  ['club', 'club|verein|vereinsintern|vereniging'],
]);

/** Some tokens; `to` is exclusive. */
type Run = { readonly from: number; readonly to: number };

/** A value read from some tokens. */
type Found<Value> = Run & { readonly value: Value };
type FoundTime = Found<string> & { readonly isCertain: boolean };
type FoundDay = Found<Day> & { readonly time: FoundTime | undefined; readonly score: number };

/** A line with its tokens; fields are found by position of tokens. */
type Line = {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly context: DayContext;
};

function textAt({ tokens }: Line, at: number): string {
  return tokens[at]?.text ?? '';
}

/** Returns a token as written. */
function rawAt({ text, tokens }: Line, at: number): string {
  return text.slice(tokens[at]?.start, tokens[at]?.end);
}

/** Returns the range of the characters of some tokens. */
function charactersOf({ tokens }: Line, { from, to }: Run): { start: number; end: number } {
  const start = tokens[from]?.start ?? 0;
  return { start, end: tokens[to - 1]?.end ?? start };
}

function isCapital(line: Line, at: number): boolean {
  return line.tokens[at] !== undefined && /^['’]?\p{Lu}/u.test(rawAt(line, at));
}

/** Returns true unless the token is the end of something longer, such as the 19 of U19. */
function canStart({ tokens }: Line, at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (token === undefined) return false;
  if (before === undefined || token.hasGap) return true;
  return before.kind === 'sign' && (before.hasGap || at === 1 || !/[-./:&+]/.test(before.text));
}

/** Returns true unless the token before goes on, as in 5.5km or Sunday-School. */
function canEnd({ tokens }: Line, at: number): boolean {
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
function phraseAt<Value>(
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

/** Returns true for the preposition in "Gruppe 2 am Samstag", which is no half of the day. */
function isGermanAm({ tokens, context }: Line, at: number): boolean {
  const [before, am, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (am?.text !== 'am' || !am.hasGap) return false;
  return context.language === 'de' || before?.text === 'uhr' || weekdays.has(next?.text ?? '');
}

/** Returns the time that begins at a token. */
function timeAt(line: Line, at: number): FoundTime | undefined {
  const { tokens } = line;
  const am = [1, 2, 3, 4, 5].map((next) => at + next).find((next) => isGermanAm(line, next));
  for (const [time, to] of timesAt(am === undefined ? tokens : tokens.slice(0, am), at)) {
    if (!canEnd(line, to)) continue;
    const isCertain = tokens
      .slice(at, to)
      .some(
        ({ kind, text }, index) =>
          text === ':' || (kind === 'word' && clockWords.has(text) && (index > 0 || to === at + 1)),
      );
    return { from: at, to, value: time.slice(0, 5), isCertain };
  }
  const hour = tokens[at + 1];
  if (!hourArticles.has(textAt(line, at)) || hour?.kind !== 'number') return undefined;
  // "At 7" could be in the morning or in the evening.
  if (Number(hour.text) < 8 || Number(hour.text) > 23 || !canEnd(line, at + 2)) return undefined;
  return { from: at, to: at + 2, value: `${hour.text.padStart(2, '0')}:00`, isCertain: false };
}

/** Returns the time after a date, after a comma or not. */
function timeAfter(line: Line, at: number): FoundTime | undefined {
  const next = skipStops(line.tokens, at);
  return timeAt(line, /^[-|;]$/.test(textAt(line, next)) ? next + 1 : next);
}

function findTimes(line: Line): readonly FoundTime[] {
  const times: FoundTime[] = [];
  for (let at = 0; at < line.tokens.length; ) {
    const time = canStart(line, at) ? timeAt(line, at) : undefined;
    if (time !== undefined) times.push(time);
    at = time?.to ?? at + 1;
  }
  return times;
}

/** Returns the next such day from today on. */
function dayOfDate(date: WrittenDate, today: Day): Day | undefined {
  if (date.year !== undefined) return completeDate(date, date.year)?.day;
  const { year } = partsOf(today);
  // A leap day may be eight years away.
  for (let ahead = 0; ahead <= 8; ahead += 1) {
    const day = completeDate(date, year + ahead)?.day;
    if (day !== undefined && day >= today) return day;
  }
  return undefined;
}

/** Returns true for numbers such as 24/11 that are a date even without a time or an article. */
function isPlainDate(line: Line, dateEnd: number, at: number): boolean {
  const [first, sign, second] = line.tokens.slice(at, dateEnd);
  if (first?.kind === 'word') return true;
  const isFull = first?.text.length === 2 && second?.text.length === 2;
  return isFull && sign?.text !== '-' && !/^(?:km|m|kg|x)$/.test(textAt(line, dateEnd));
}

/** Returns true if a date can begin with the token. */
function canBeginDate({ tokens }: Line, at: number): boolean {
  const { kind, text = '' } = tokens[at] ?? {};
  return kind === 'number' || weekdays.has(text) || months.has(text) || dateArticles.has(text);
}

/** Returns true for a date in a line that is no time, list, score or result. */
function isLikelyDate(
  line: Line,
  { date, isPlain, dateEnd }: DateReading,
  { from, to }: Run,
  day: Day,
  times: readonly FoundTime[],
): boolean {
  const tokens = line.tokens.slice(from, to);
  // In "Race 4, 5 December", only the second number is a day.
  if (date.isRange && tokens.some(({ text }) => text === ',')) return false;
  // In "Tue 10-12 Uhr", the numbers are hours; in "Tue 10-12", no date unless it is a Tuesday.
  const isHour = (time: FoundTime) =>
    time.isCertain && time.from > from && time.from < dateEnd && time.to > dateEnd;
  if (times.some(isHour)) return false;
  const isShort = date.year === undefined && tokens.some(({ text }) => text === '-');
  const fits = date.weekdays.length === 0 || date.weekdays.includes(daysIntoWeek(day, 0));
  if (isShort && !date.isRange && !fits) return false;
  // In "Fête du 14 juillet mardi 19h", the name has a date.
  const last = line.tokens.slice(from, dateEnd).findLast(({ kind }) => kind !== 'sign');
  if (!fits && last !== undefined && weekdays.has(last.text)) return false;
  return !isPlain || timeAfter(line, dateEnd) !== undefined || isPlainDate(line, dateEnd, from);
}

/** Returns the full or short date that begins at a token, with its time. */
function writtenDayAt(
  line: Line,
  at: number,
  times: readonly FoundTime[],
): Omit<FoundDay, 'score'> | undefined {
  const { text, tokens, context } = line;
  if (!canBeginDate(line, at)) return undefined;
  let best: (Omit<FoundDay, 'score'> & { readonly end: number }) | undefined;
  for (const order of /\d\/\d/.test(text) ? dateOrders : (['dmy'] as const)) {
    for (const [reading, next] of datesAt(tokens, at, order, maxDates)) {
      const value = canEnd(line, next) ? dayOfDate(reading.date, context.today) : undefined;
      const run = { from: at, to: next };
      if (value === undefined || !isLikelyDate(line, reading, run, value, times)) continue;
      const { dateEnd, timeAt: from } = reading;
      const written = reading.date.time?.slice(0, 5);
      const time =
        written === undefined ? undefined : { from, to: next, value: written, isCertain: true };
      const hasTime = time !== undefined;
      const isBetter =
        best === undefined || (hasTime === (best.time !== undefined) ? next > best.end : hasTime);
      if (isBetter) best = { from: at, to: hasTime ? dateEnd : next, value, time, end: next };
    }
    if (best !== undefined) break;
  }
  return best;
}

/** Returns the first day from a day on with a weekday, 0 for Sunday. */
function nextWeekday(from: Day, weekday: number): Day {
  return addDays(from, (weekday - daysIntoWeek(from, 0) + 7) % 7);
}

/** Returns the weekday of a word; "di" and "ma" are other days in French. */
function weekdayOf(word: string, language: Language): number | undefined {
  const [first, second] = weekdays.get(word) ?? [];
  const french = word === 'di' ? 0 : 2;
  if (second === undefined || language === 'fr') return second === undefined ? first : french;
  return first === french ? second : first;
}

/** Returns the day of "Tue 24", if the next such day is a Tuesday. */
function dayOfMonth(line: Line, at: number, weekday: number): Step<Day> | undefined {
  const { tokens, context } = line;
  const next = skipStops(tokens, at);
  const numberAt = dayArticles.has(textAt(line, next)) ? next + 1 : next;
  const token = tokens[numberAt];
  if (token?.kind !== 'number' || token.text.length > 2) return undefined;
  const to = textAt(line, numberAt + 1) === '.' ? numberAt + 2 : numberAt + 1;
  const day = nextDayOfMonth(Number(token.text), context.today);
  if (day === undefined || daysIntoWeek(day, 0) !== weekday) return undefined;
  return timeAt(line, numberAt) === undefined && canEnd(line, to) ? [day, to] : undefined;
}

/** Returns the next day with a number, in this month or the next one that has it. */
function nextDayOfMonth(date: number, today: Day): Day | undefined {
  if (date < 1 || date > 31) return undefined;
  for (let month = monthOf(today); ; month = addMonths(month, 1)) {
    const day = `${month.slice(0, -2)}${String(date).padStart(2, '0')}`;
    const { year, month: number } = partsOf(month);
    if (day >= today && completeDate({ month: number, day: date } as WrittenDate, year)) return day;
  }
}

type RelativeDay = Found<Day> & {
  readonly kind: 'certain' | 'named' | 'weekday' | 'short' | 'foreign';
};

/** Returns the position after "morning", "Abend" or "après-midi", behind a day. */
function skipDayPart(line: Line, at: number): number {
  if (textAt(line, at) === 'apres' && textAt(line, at + 2) === 'midi') return at + 3;
  return dayParts.has(textAt(line, at)) ? at + 1 : at;
}

/** Returns the weekday that begins at a token, with "next" or "on": "Sat", "samedi prochain". */
function weekdayAt(line: Line, from: number): RelativeDay | undefined {
  const { tokens, context } = line;
  const { today, language } = context;
  let at = dayArticles.has(textAt(line, from)) ? from + 1 : from;
  const isNext = nextWords.has(textAt(line, at));
  if (isNext || thisWords.has(textAt(line, at))) at += 1;
  const word = textAt(line, at);
  const weekday = weekdayOf(word.replace(dayPartEnding, ''), language);
  if (weekday === undefined) return undefined;
  const afterStops =
    word.length < 4 && textAt(line, at + 1) === '.' ? at + 2 : skipDayPart(line, at + 1);
  const rangeAt = skipRange(tokens, afterStops);
  const isRange = rangeAt !== undefined && weekdays.has(textAt(line, rangeAt));
  const to = isRange ? rangeAt + 1 : afterStops;
  if (!canEnd(line, to)) return undefined;
  const dated = isRange ? undefined : dayOfMonth(line, to, weekday);
  if (dated !== undefined) return { from, to: dated[1], value: dated[0], kind: 'certain' };
  const isNextBehind = nextWords.has(textAt(line, to));
  const first = isNext || isNextBehind ? addDays(today, 1) : today;
  const value = nextWeekday(first, weekday);
  if (isNextBehind) return { from, to: to + 1, value, kind: 'certain' };
  if (at > from || isRange) return { from, to, value, kind: 'certain' };
  // Only "thurs" is short with five letters.
  if (word.length > 4 && word !== 'thurs') return { from, to, value, kind: 'weekday' };
  const isOwn = shortWeekdays[language].has(word);
  const isWord = weekdaysAndWords.has(word) && !isCapital(line, at);
  return { from, to, value, kind: isOwn && !isWord ? 'short' : 'foreign' };
}

function smallNumber(text: string): number | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const value = smallNumbers.findIndex((list) => list.split(' ').includes(text));
  return value < 0 ? undefined : value;
}

/** Returns the day by name or distance that begins at a token: "tomorrow", "in 3 days". */
function namedDayAt(line: Line, from: number): RelativeDay | undefined {
  const { today } = line.context;
  const named = phraseAt(line, from, namedDays);
  if (named !== undefined) {
    // "Guten Morgen" is a greeting.
    const isNoun = textAt(line, from) === 'morgen' && from > 0 && isCapital(line, from);
    const to = skipDayPart(line, named.to);
    return { ...named, to, value: addDays(today, named.value), kind: isNoun ? 'foreign' : 'named' };
  }
  if (!inWords.has(textAt(line, from))) return undefined;
  const [number, days] = [
    smallNumber(textAt(line, from + 1)),
    unitDays.get(textAt(line, from + 2)),
  ];
  if (number === undefined || days === undefined || !canEnd(line, from + 3)) return undefined;
  return { from, to: from + 3, value: addDays(today, number * days), kind: 'certain' };
}

/** Returns true if the date ends its phrase: nothing, a sign, a number or a place follows. */
function endsPhrase(line: Line, at: number): boolean {
  const token = line.tokens[at];
  if (token === undefined || token.kind === 'number') return true;
  return (token.kind === 'sign' && !/[&+]/.test(token.text)) || placeStart(line, at) !== undefined;
}

/** Rates a day that is not certain by the words around it, from 1 to 3. */
function scoreOf(line: Line, { from, to, kind }: RelativeDay): number {
  if (kind === 'certain') return 4;
  if (kind === 'foreign') return 0;
  if (endsPhrase(line, to)) return 3;
  if (kind === 'named') return 2;
  // "Monday Club" and "the Tuesday group" are names.
  const isPlain = from > 0 || !weekdaysAndWords.has(textAt(line, from));
  return kind === 'short' && isPlain ? 2 : 1;
}

/** Returns the day that begins at a token, with the time beside it. */
function dayAt(line: Line, at: number, times: readonly FoundTime[]): FoundDay | undefined {
  const written = writtenDayAt(line, at, times);
  const relative =
    written === undefined ? (weekdayAt(line, at) ?? namedDayAt(line, at)) : undefined;
  const found = written ?? relative;
  if (found === undefined) return undefined;
  const before = times.find(({ to }) => skipStops(line.tokens, to) === at);
  const time = written?.time ?? timeAfter(line, found.to) ?? before;
  const score = relative === undefined ? 4 : scoreOf(line, relative);
  return { ...found, time, score: time === undefined ? score : 5 };
}

function findDay(line: Line, times: readonly FoundTime[]): FoundDay | undefined {
  const hasTime = times.some(({ isCertain }) => isCertain);
  let best: FoundDay | undefined;
  for (let at = 0; at < line.tokens.length; at += 1) {
    const found = canStart(line, at) ? dayAt(line, at, times) : undefined;
    if (found === undefined || found.score < (hasTime ? 1 : 2)) continue;
    if (best === undefined || found.score > best.score) best = found;
  }
  return best;
}

/** Returns the position after the end of a range: Fri 19:00 – Sun 16:00. */
function skipEnd(line: Line, at: number): number {
  const next = skipRange(line.tokens, at);
  const end = next === undefined ? undefined : dayAt(line, next, []);
  return end === undefined ? at : Math.max(end.to, end.time?.to ?? 0);
}

type Part = Run & { readonly field: PlainWordsField };

/** Returns the date and the time of a line. */
function findMoment(line: Line): { parts: Part[]; day: Day | undefined; time: string | undefined } {
  const times = findTimes(line);
  const found = findDay(line, times);
  const time =
    found === undefined
      ? times.find(({ isCertain }) => isCertain)
      : (found.time ??
        times.find(
          ({ isCertain, from, to }) => isCertain && (to <= found.from || from >= found.to),
        ));
  const parts: Part[] = [];
  if (found !== undefined) parts.push({ ...found, field: 'date' });
  if (time !== undefined) parts.push({ ...time, field: 'time' });
  parts.sort((one, other) => one.from - other.from);
  const last = parts.at(-1);
  if (found !== undefined && last !== undefined) {
    parts[parts.length - 1] = { ...last, to: skipEnd(line, last.to) };
  }
  const { today, now } = line.context;
  const isOver =
    found?.value === today && now !== undefined && time !== undefined && time.value <= now;
  const isWeekday = found !== undefined && weekdayAt(line, found.from)?.value === today;
  const day = isOver && isWeekday ? addDays(today, 7) : found?.value;
  return { parts, day, time: time?.value };
}

/** Returns true for a status that ends the line, or begins it with a colon or a dash. */
function isPlainStatus(line: Line, parts: readonly Part[], found: Found<EventStatus>): boolean {
  const { start, end } = charactersOf(line, found);
  const isLast = /^[\s.!)\]]*$/.test(line.text.slice(end));
  const isAfterMoment = parts.some((part) => part.to <= found.from);
  if (start === 0) return /^\s*:|^\s+[-–—]\s/.test(line.text.slice(end));
  return isLast && (isAfterMoment || found.value === 'cancelled');
}

/** Returns true for words between signs or other parts, behind the name. */
function standsApart(line: Line, parts: readonly Part[], found: Run): boolean {
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
function findPhrase<Value>(
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

/** Returns the position after a preposition and an article, if a place may follow. */
function placeStart(line: Line, at: number): number | undefined {
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

function findPlace(line: Line, places: Places, parts: readonly Part[]): PlaceRange | undefined {
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
    const place = moments.length > 0 ? findPlaceBefore(line, places, run) : undefined;
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Returns a range of the line without the separators at its ends. */
function trim(text: string, start: number, end: number): { start: number; end: number } {
  const slice = text.slice(start, end);
  const left = start === 0 ? /^\s+/ : /^[\s,;:|.)\]–—-]+/;
  const right = end === text.length ? /\s+$/ : /[\s,;:|([–—-]+$/;
  const begin = start + (left.exec(slice)?.[0].length ?? 0);
  return { start: begin, end: Math.max(begin, end - (right.exec(slice)?.[0].length ?? 0)) };
}

function readPlace(line: Line, places: Places, { start, to }: PlaceRange): string {
  const { text, tokens } = line;
  const known = places.find(tokens, start, to);
  if (known !== undefined) return known;
  const range = trim(text, tokens[start - 1]?.end ?? 0, tokens[to]?.start ?? text.length);
  return text.slice(range.start, range.end).replace(/^l['’]/, '');
}

/**
 * Parses the description of an event in one line of plain words, such as "Training Tue 19:00
 * Sports hall", in English, German, French or Dutch. Words that are nothing else are the name.
 */
export function parsePlainWords(text: string, context: PlainWordsContext): PlainWords {
  const tokens = text.length > maxLength ? [] : tokenizeLine(text);
  const line: Line = { text, tokens, context };
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
  const place = findPlace(line, places, parts);
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
    time: moment.time,
    location,
    eventType: eventType?.value,
    status: status?.value,
    parts: ranges,
  };
}

/** Parses the whole text as a day: "14 March", "next Saturday", "in 3 days", "March 2027". */
export function parseSpokenDay(text: string, context: DayContext): Day | undefined {
  const tokens = text.length > maxLength ? [] : tokenizeLine(text.trim());
  const line: Line = { text: text.trim(), tokens, context };
  const isWhole = (to: number) => to > 0 && skipStops(tokens, to) === tokens.length;
  const relative = weekdayAt(line, 0) ?? namedDayAt(line, 0);
  if (relative !== undefined && isWhole(relative.to)) return relative.value;
  for (const order of ['dmy', 'mdy'] as const) {
    for (const [{ date }, to] of datesAt(tokens, 0, order, maxDates)) {
      const day = isWhole(to) ? dayOfDate(date, context.today) : undefined;
      if (day !== undefined) return day;
    }
  }
  return monthOrNumber(line, isWhole);
}

/** Parses "next week", "March", "March 2027" or "the 14th". */
function monthOrNumber(line: Line, isWhole: (to: number) => boolean): Day | undefined {
  const { today } = line.context;
  const isNext = nextWords.has(textAt(line, 0)) || nextWords.has(textAt(line, 1));
  const unit = textAt(line, nextWords.has(textAt(line, 0)) ? 1 : 0);
  if (isNext && isWhole(2)) {
    if (unitDays.get(unit) === 7) return addDays(today, 7);
    if (monthWords.has(unit)) return addMonths(monthOf(today), 1);
  }
  const month = months.get(textAt(line, 0))?.[0];
  if (month !== undefined) {
    const year = /^\d{4}$/.exec(textAt(line, 1))?.[0];
    if (!isWhole(year === undefined ? 1 : 2)) return undefined;
    const first = (value: number) =>
      `${String(value).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`;
    const current = partsOf(today).year;
    if (year !== undefined) return first(Number(year));
    return first(current) < monthOf(today) ? first(current + 1) : first(current);
  }
  const number =
    /^(?:(?:on |am |den |le |op |the |de )*)(\d{1,2})(?:\.|st|nd|rd|th|er|e|de|ste)?$/.exec(
      line.text.toLowerCase(),
    );
  return number === null ? undefined : nextDayOfMonth(Number(number[1]), today);
}
