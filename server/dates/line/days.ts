import { completeDate, type WrittenDate } from '../dates.ts';
import { addDays, addMonths, type Day, daysIntoWeek, monthOf, partsOf, writeDay } from '../days.ts';
import { feastDayAt, feastIn, nextOf, type Run, yearAt } from '../spans.ts';
import { skipRange, skipStops } from '../times.ts';
import {
  articles,
  type DayPart,
  dayPartWords,
  ends,
  joints,
  months,
  numberOf,
  ordinals,
  partOf,
  relative,
  weekdayOf,
  weekdays,
  withoutPart,
  words,
} from '../vocabulary.ts';
import {
  dayPatterns,
  daysOfUnit,
  habitual,
  isShortForeign,
  namedDays,
  offsets,
  ordinalOf,
  repetition,
  unclearBefore,
  unclearBehind,
} from './grammar.ts';
import {
  canEnd,
  type Found,
  type FoundDay,
  type FoundTime,
  isBehind,
  isCapital,
  type Line,
  matchAt,
  phraseAt,
  placeStart,
  textAt,
} from './line.ts';
import { timeAfter, timeAt } from './times.ts';
import { hourLikeYear, writtenDayAt } from './written-day.ts';

/** Short weekdays that are other words in their own language: "fun in the sun", "so", "jeu". */
const ownWords = words('sun mon sat wed so mi mar mer jeu sam zo');

/** Short weekdays that are also words of some language. */
const weekdaysAndWords = words('sun mon sat wed so do mi di mo fr sa dim mar mer jeu sam zo ma wo');

/** Returns the first day from a day on with a weekday, 0 for Sunday. */
function nextWeekday(from: Day, weekday: number): Day {
  return addDays(from, (weekday - daysIntoWeek(from, 0) + 7) % 7);
}

/** Returns the next day with a number, in this month or the next one that has it. */
export function nextDayOfMonth(date: number, today: Day): Day | undefined {
  if (date < 1 || date > 31) return undefined;
  for (let month = monthOf(today); ; month = addMonths(month, 1)) {
    const day = `${month.slice(0, -2)}${String(date).padStart(2, '0')}`;
    const { year, month: number } = partsOf(month);
    if (day >= today && completeDate({ month: number, day: date } as WrittenDate, year)) return day;
  }
}

/** Returns true if the date ends its phrase: nothing, a sign, a number or a place follows. */
function endsPhrase(line: Line, at: number): boolean {
  const token = line.tokens[at];
  if (token === undefined || token.kind === 'number') return true;
  return (token.kind === 'sign' && !/[&+]/.test(token.text)) || placeStart(line, at) !== undefined;
}

/**
 * Returns the day of "Tue 24" and the position after it. It is undefined without a number, and
 * `other` if the next 24th is no Tuesday.
 */
function dayOfMonth(line: Line, at: number, weekday: number): Found<Day | 'other'> | undefined {
  const { tokens, context } = line;
  const next = skipStops(tokens, at);
  const numberAt = articles.day.has(textAt(line, next)) ? next + 1 : next;
  const token = tokens[numberAt];
  if (token?.kind !== 'number' || token.text.length > 2) return undefined;
  const behind = tokens[numberAt + 1];
  const isOrdinal = behind?.hasGap === false && (behind.text === '.' || ordinals.has(behind.text));
  const to = isOrdinal ? numberAt + 2 : numberAt + 1;
  // "Tue 1" may become "Tue 19:00" while it is typed.
  if (token.text.length === 1 && to === tokens.length && !isOrdinal) return undefined;
  // In "Fr. 25.-", the number is a price.
  if (isOrdinal && textAt(line, to) === '-' && tokens[to]?.hasGap === false) return undefined;
  if (timeAt(line, numberAt) !== undefined || !canEnd(line, to)) return undefined;
  const day = nextDayOfMonth(Number(token.text), context.today);
  if (day === undefined) return undefined;
  if (daysIntoWeek(day, 0) === weekday) return { from: at, to, value: day };
  const isDay =
    isOrdinal ||
    timeAfter(line, to) !== undefined ||
    (Number(token.text) > 24 && endsPhrase(line, to));
  return isDay ? { from: at, to, value: 'other' } : undefined;
}

/** Returns the position after "morning", "Abend" or "après-midi" behind a day, and what it names. */
export function skipDayPart(
  line: Line,
  at: number,
): { to: number; part: DayPart | undefined; partRun: Run | undefined } {
  const isFrench = textAt(line, at) === 'apres' && textAt(line, at + 2) === 'midi';
  const isPart = isFrench || dayPartWords.has(textAt(line, at));
  if (!isPart) return { to: at, part: undefined, partRun: undefined };
  const to = isFrench ? at + 3 : at + 1;
  const part = isFrench ? 'afternoon' : partOf(textAt(line, at));
  return { to, part, partRun: { from: at, to } };
}

/** Returns a day some weeks behind another one: "Friday week", "samedi en huit". */
function withOffset(line: Line, found: FoundDay): FoundDay {
  const match = matchAt(line, found.to, offsets);
  if (match === undefined) return found;
  const { one, two, n = '', unit = '' } = match.groups;
  let days = one === undefined ? 14 : 7;
  if (one === undefined && two === undefined) days = (numberOf(n) ?? 0) * daysOfUnit(unit);
  const isWeekday = found.kind !== 'named';
  // A Sunday in eight or in fifteen days is one or two weeks away.
  if (isWeekday && (days === 8 || days === 15)) days -= 1;
  const isUnclear = found.isUnclear || (isWeekday && days % 7 !== 0);
  const kind = 'named';
  return { ...found, to: match.to, value: addDays(found.value, days), kind, score: 4, isUnclear };
}

/** Returns true for the first word of "Jeu de piste", which is no Thursday. */
function isGame(line: Line, at: number): boolean {
  const isName = isCapital(line, at) && textAt(line, at + 1) === 'de';
  return isName && ownWords.has(textAt(line, at)) && line.tokens[at + 2]?.kind === 'word';
}

/** Returns true for a weekday that is no other word of the language. */
export function isWeekday(line: Line, at: number): boolean {
  const word = textAt(line, at);
  const isForeign = isShortForeign(word, line.context.language);
  return weekdays.has(word) && !isForeign && !isGame(line, at);
}

/** Returns the weekday that begins at a token, with "next" or "on": "Sat", "samedi prochain". */
function weekdayAt(line: Line, from: number): FoundDay | undefined {
  const { tokens, context } = line;
  const { today, language } = context;
  const isFrench = language === 'fr';
  let at = articles.day.has(textAt(line, from)) ? from + 1 : from;
  const [isNext, isComing, isThis] = [relative.next, relative.coming, relative.this].map((list) =>
    list.has(textAt(line, at)),
  );
  if (isNext || isComing || isThis) at += 1;
  const word = textAt(line, at);
  const weekday = weekdayOf(word, isFrench) ?? weekdayOf(withoutPart(word), isFrench);
  if (
    weekday === undefined ||
    isGame(line, at) ||
    (word === 'sun' && textAt(line, at - 1) === 'the')
  )
    return undefined;
  const isDotted = word.length < 4 && textAt(line, at + 1) === '.';
  const behind = skipDayPart(line, isDotted ? at + 2 : at + 1);
  const part = behind.part ?? (weekdays.has(word) ? undefined : partOf(word));
  const partRun = behind.partRun ?? (part && { from: at, to: at + 1 });
  const shared = { from, kind: 'weekday', part, partRun, isUnclear: false, score: 4 } as const;
  const rangeAt = skipRange(tokens, behind.to);
  const last = rangeAt === undefined ? undefined : weekdayOf(textAt(line, rangeAt), isFrench);
  const to = rangeAt === undefined || last === undefined ? behind.to : rangeAt + 1;
  if (!canEnd(line, to)) return undefined;
  // "Fri 30 February" would have been read as a date if there were such a day.
  const number = skipStops(tokens, to);
  const isNoDay =
    /^\d\d?$/.test(textAt(line, number)) && months.has(textAt(line, skipStops(tokens, number + 1)));
  if (isNoDay) return { ...shared, to, value: today, isUnclear: true };
  const dated = last === undefined ? dayOfMonth(line, to, weekday) : undefined;
  const nextDay = nextWeekday(today, weekday);
  if (dated?.value === 'other') {
    return { ...shared, to: dated.to, value: nextDay, isUnclear: true };
  }
  if (dated !== undefined) return { ...shared, to: dated.to, value: dated.value, kind: 'written' };
  const [isNextBehind, isComingBehind] = [relative.next, relative.coming].map((list) =>
    list.has(textAt(line, to)),
  );
  const isLater = isNext || isComing || isNextBehind || isComingBehind;
  const value = isLater ? nextWeekday(addDays(today, 1), weekday) : nextDay;
  // On a Wednesday, "next Saturday" is in this week for some and in the next one for others.
  const isThisWeek = daysIntoWeek(value, 1) > daysIntoWeek(today, 1);
  const isSunday = daysIntoWeek(today, 1) === 6;
  const isOther = isThis === true && value > today && !isThisWeek && !isSunday;
  const isUnclear = ((isNext || isNextBehind) && isThisWeek && value > today) || isOther;
  const found = { ...shared, value, to, isUnclear };
  if (isNextBehind || isComingBehind) {
    return { ...found, to: to + 1, isUnclear: isUnclear || last !== undefined };
  }
  if (last !== undefined) {
    const isList = joints.choice.has(textAt(line, behind.to));
    const end = { from: behind.to, value: nextWeekday(value, last) };
    return isList ? { ...found, isUnclear: true } : { ...found, end };
  }
  if (at > from) return withOffset(line, found);
  const isShort = word.length <= 4 || word === 'thurs';
  const isForeign = isShortForeign(word, language);
  const isWord = isForeign || (ownWords.has(word) && !isCapital(line, at));
  // "Monday Club" and "the Tuesday group" are names.
  const isPlain = isShort && (from > 0 || !weekdaysAndWords.has(word));
  const score = endsPhrase(line, to) ? 3 : isPlain ? 2 : 1;
  const kind = isForeign ? 'foreign' : 'weekday';
  return withOffset(line, { ...found, kind, score: isWord ? 0 : score });
}

/** Returns the day by name that begins at a token: "tomorrow". */
function namedDayAt(line: Line, from: number): FoundDay | undefined {
  const word = textAt(line, from);
  const inner = namedDays.get(withoutPart(word))?.[0];
  const found =
    phraseAt(line, from, namedDays) ??
    (inner?.words.length === 1 ? { from, to: from + 1, value: inner.value } : undefined);
  if (found === undefined || !canEnd(line, found.to)) return undefined;
  const { days, part: named } = found.value;
  const { to, part, partRun } = skipDayPart(line, found.to);
  const own = named ?? (namedDays.has(word) ? undefined : partOf(word));
  // "Guten Morgen" is a greeting.
  const isGreeting = word === 'morgen' && from > 0 && isCapital(line, from);
  return withOffset(line, {
    from,
    to,
    value: addDays(line.context.today, days),
    kind: isGreeting ? 'foreign' : 'named',
    part: part ?? own,
    partRun: partRun ?? (own && { from, to: found.to }),
    score: isGreeting ? 0 : endsPhrase(line, to) ? 3 : 2,
    isUnclear: false,
  });
}

/** The first year that is not rather a time of day, as in "Ostermontag 1900". */
const firstFeastYear = 1970;

/** Returns the feast that begins at a token: "Boxing Day", "Ostermontag 2027". */
function feastAt(line: Line, from: number): FoundDay | undefined {
  const { today } = line.context;
  const at = articles.day.has(textAt(line, from)) ? from + 1 : from;
  const [feast, behind = at] = feastDayAt(line.tokens, at) ?? [];
  const advent = matchAt(line, from, dayPatterns.advent);
  const number = ordinalOf(advent?.groups['nth'] ?? '1');
  const dayIn = (year: number) => {
    if (feast !== undefined) return feastIn(feast, year);
    const christmas = writeDay(year, 12, 25);
    return addDays(christmas, (number - 4) * 7 - (daysIntoWeek(christmas, 0) || 7));
  };
  const named = feast === undefined ? advent?.to : behind;
  if (named === undefined || !canEnd(line, named)) return undefined;
  const [written = 0, behindYear] = yearAt(line.tokens, named);
  const hasYear = written >= firstFeastYear && canEnd(line, behindYear);
  const to = hasYear ? behindYear : named;
  const value = hasYear ? dayIn(written) : nextOf(today, dayIn);
  if (value === undefined) return undefined;
  const score = endsPhrase(line, to) ? 3 : 2;
  return {
    from,
    to,
    value,
    kind: 'feast',
    score,
    isUnclear: advent !== undefined && (number < 1 || number > 4),
  };
}

/** Returns the weekday of a month by its number; -1 is the last one. */
function nthWeekday(month: Day, weekday: number, number: number): Day | undefined {
  const first = nextWeekday(month, weekday);
  if (number > 0) {
    const day = addDays(first, (number - 1) * 7);
    return monthOf(day) === month ? day : undefined;
  }
  return addDays(nextWeekday(addMonths(month, 1), weekday), -7);
}

/** Returns the day of a phrase with a weekday: "1st Monday of December", "KW 49 Di". */
function phraseDayAt(line: Line, from: number): FoundDay | undefined {
  const { today, language } = line.context;
  const isFrench = language === 'fr';
  const find = (name: keyof typeof dayPatterns) => {
    const match = matchAt(line, from, dayPatterns[name]);
    const weekday = weekdayOf(match?.groups['wd'] ?? '', isFrench);
    return match === undefined ? undefined : { ...match, weekday: weekday ?? 0 };
  };
  const found = (to: number, value: Day | undefined): FoundDay => {
    const isUnclear = value === undefined;
    return { from, to, value: value ?? today, kind: 'named', score: 4, isUnclear };
  };
  const ofMonth = find('nthOfMonth');
  if (ofMonth !== undefined) {
    const { nth = '', month: name = '', year } = ofMonth.groups;
    const month = months.get(name) ?? months.get(name.slice(1)) ?? 1;
    const dayIn = (inYear: number) =>
      nthWeekday(writeDay(inYear, month, 1), ofMonth.weekday, ordinalOf(nth));
    return found(ofMonth.to, year === undefined ? nextOf(today, dayIn) : dayIn(Number(year)));
  }
  const weeks = find('weeksBefore');
  if (weeks !== undefined) {
    const days = weeks.groups['one'] === 'week' ? 7 : 14;
    return found(weeks.to, addDays(nextWeekday(today, weeks.weekday), days));
  }
  const thisMonday = addDays(today, -daysIntoWeek(today, 1));
  const inWeek = (monday: Day, weekday: number) => addDays(monday, (weekday + 6) % 7);
  const week = find('week') ?? find('weekBehind');
  if (week !== undefined) {
    const number = Number(week.groups['number']);
    const value = nextOf(today, (year) => {
      const january = writeDay(year, 1, 4);
      return inWeek(addDays(january, (number - 1) * 7 - daysIntoWeek(january, 1)), week.weekday);
    });
    return found(week.to, number >= 1 && number <= 53 ? value : undefined);
  }
  const nextWeek = find('nextWeek') ?? find('nextWeekBehind');
  if (nextWeek !== undefined) {
    return found(nextWeek.to, inWeek(addDays(thisMonday, 7), nextWeek.weekday));
  }
  const distance = matchAt(line, from, dayPatterns.distance);
  if (distance !== undefined) {
    const { fortnight, n = '', unit = '' } = distance.groups;
    const [number = 14, days] = fortnight ? [14, 1] : [numberOf(n), daysOfUnit(unit)];
    // "Dans huit jours" is a week, "in acht Tagen" eight days or a week.
    const isJours = days === 1 && unit.startsWith('j');
    const isWord = days === 1 && /^(?:acht)$/.test(n);
    const away = isJours && (n === 'huit' || number === 15) ? number - 1 : number * days;
    return found(distance.to, isWord ? undefined : addDays(today, away));
  }
  const nth = find('nth');
  return nth === undefined ? undefined : { ...found(nth.to, undefined), score: 1 };
}

/** Returns the day that begins at a token without a month: "Tue", "tomorrow", "Ostermontag". */
export function spokenDayAt(line: Line, from: number): FoundDay | undefined {
  return (
    feastAt(line, from) ??
    phraseDayAt(line, from) ??
    weekdayAt(line, from) ??
    namedDayAt(line, from)
  );
}

/** Returns the day that begins at a token, with the time beside it. */
export function foundDayAt(
  line: Line,
  from: number,
  times: readonly FoundTime[],
): FoundDay | undefined {
  const isHabit = matchAt(line, from, habitual);
  if (isHabit !== undefined) {
    const value = line.context.today;
    return { from, to: isHabit.to, value, kind: 'weekday', score: 3, isUnclear: true };
  }
  const found = writtenDayAt(line, from, times) ?? spokenDayAt(line, from);
  if (found === undefined) return undefined;
  const before = times.find(({ to }) => skipStops(line.tokens, to) === from);
  const time = timeAfter(line, found.to, found.part) ?? before;
  const isBare = found.kind === 'weekday' || found.kind === 'foreign';
  const isBefore = isBehind(line, from, unclearBefore);
  // "Karsamstag 2030" with a name beside it may be half past eight.
  const isHour =
    found.kind === 'feast' &&
    time === undefined &&
    hourLikeYear(line, found.to) !== undefined &&
    found.to - from < line.tokens.length;
  const isOther =
    found.isUnclear ||
    isHour ||
    (isBare && repetition.test(` ${line.joined}`)) ||
    matchAt(line, found.to, unclearBehind) !== undefined;
  const score = time === undefined ? found.score : found.kind === 'foreign' ? 2 : 5;
  const isUntil = isBefore && !isOther && ends.time.has(textAt(line, from - 1));
  return { ...found, time, isUnclear: isOther || isBefore, isUntil, score };
}
