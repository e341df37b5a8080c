import { type EndLanguage, type EndWords, wordEnd } from '../dates/end-line.ts';
import { zoneNamed } from '../dates/zone.ts';
import { dayCount, endInstant, endOrUsual, type Noted, noteOf } from '../event/values.ts';
import type { Catalogue } from '../messages/message.ts';
import type { ExportedEvent, MembersForm } from './ics.ts';

/** A recent change of an event for members. */
export type EventNews = {
  /** The event as members knew it, at the present place if that was open; null for a new one. */
  readonly before: (Noted & Pick<ExportedEvent, 'location'>) | null;
  readonly changedAt: Date;
  /** The time from which it is no news. */
  readonly until: Date;
  /** The number of moves that members saw, and the first date; absent for one move. */
  readonly memory?: { readonly times: number; readonly first: string } | undefined;
};

export type FormatOptions = {
  /** Time zone of the dates, an IANA name. */
  readonly timeZone: string;
  /** Minutes that an event without an end lasts. */
  readonly usualLength: number;
  /** Language tag of the dates, such as `en-GB`. */
  readonly language: string;
  /** The messages of the language. */
  readonly words: Pick<Catalogue, 'membersPage' | 'value'>;
};

/** Creates the formats of local days and times. */
export function createFormats({ language, timeZone, usualLength, words }: FormatOptions) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone, ...options });
  return {
    shortWeekday: format({ weekday: 'short' }),
    dayOfMonth: format({ day: 'numeric' }),
    longDay: format({ weekday: 'long', day: 'numeric', month: 'long' }),
    dayAndMonth: format({ day: 'numeric', month: 'long' }),
    dayInYear: format({ weekday: 'short', day: 'numeric', month: 'short' }),
    weekday: format({ weekday: 'long' }),
    time: format({ hour: '2-digit', minute: '2-digit' }),
    month: format({ month: 'long', year: 'numeric' }),
    date: format({ dateStyle: 'long' }),
    moment: format({ dateStyle: 'long', timeStyle: 'short' }),
    zone: format({ timeZoneName: 'longGeneric' }),
    clock: zoneNamed(timeZone),
    usualLength,
    // One that has words here.
    language: language.slice(0, 2) as EndLanguage,
    endWords: ((key, { day, time }) =>
      words.value[key]
        .replace('{{day}}', () => day)
        .replace('{{time}}', () => time)) satisfies EndWords,
  };
}
export type Formats = ReturnType<typeof createFormats>;

/** Returns the time until which an event is no past one. */
export function endOf(event: ExportedEvent, { clock, usualLength }: Formats): Date {
  return new Date(endOrUsual(event, usualLength, clock));
}

/** Returns the times of an event on one day: "19:00–20:30"; only the start for one of several days. */
export function timesOf(event: Noted, { time, clock }: Formats): string {
  const start = clock.isDayStart(Date.parse(event.date)) ? '' : time.format(new Date(event.date));
  const end = endInstant(event, clock);
  if (start === '' || end === undefined || dayCount(event, clock) > 1) return start;
  return `${start}–${time.format(end)}`;
}

/** Returns the end that is not among the times, in words; empty for none. */
export function endOfDays(event: Noted, { clock, language, endWords }: Formats): string {
  const start = clock.momentIn(event.date);
  const { end } = noteOf(event, clock);
  const isAmongTimes = start.time !== '' && dayCount(event, clock) === 1;
  return end === undefined || isAmongTimes ? '' : wordEnd(end, start, language, endWords);
}

/** Returns two dates as texts, without the day or the time if they have it in common. */
function describeMove(before: Noted, after: Noted, formats: Formats): readonly [string, string] {
  const { dayInYear, clock } = formats;
  const [from, to] = [new Date(before.date), new Date(after.date)];
  const [oldTimes, times] = [timesOf(before, formats), timesOf(after, formats)];
  const [oldEnd, end] = [endOfDays(before, formats), endOfDays(after, formats)];
  const haveTimes = oldTimes !== '' && times !== '';
  if (haveTimes && oldEnd === end && clock.dayOf(from) === clock.dayOf(to)) {
    return [oldTimes, times];
  }
  const areKept = haveTimes && oldTimes === times && oldEnd === end;
  const textOf = (event: Noted, date: Date, start: string) => {
    const last = dayCount(event, clock) > 1 ? noteOf(event, clock).end : undefined;
    const first = [dayInYear.format(date), areKept ? '' : start].filter(Boolean).join(', ');
    if (last === undefined) return first;
    const lastDay = dayInYear.format(clock.instantOf({ ...last, time: '12:00' }));
    return `${first} – ${[lastDay, last.time].filter(Boolean).join(', ')}`;
  };
  return [textOf(before, from, oldTimes), textOf(after, to, times)];
}

/** Returns the old and the new texts of what moved, and whether the time did or only the place. */
export function movesOf(event: ExportedEvent, before: EventNews['before'], formats: Formats) {
  if (before === null) return { kind: 'new', texts: [] } as const;
  const dates = describeMove(before, event, formats);
  const texts = [dates, [before.location, event.location] as const].filter(
    ([from, to]) => from !== to,
  );
  return { kind: dates[0] === dates[1] ? 'relocated' : 'moved', texts } as const;
}

type MembersFormOptions = FormatOptions & {
  /** The time that divides past events from those to come. */
  readonly now: Date;
  /** News of events, by id; only for a calendar that is read again, from which they go. */
  readonly news?: ReadonlyMap<number, EventNews> | undefined;
};

/**
 * Creates the function that returns an event as a calendar shows it to members. Some programs drop a
 * cancelled event without a word, and others show it like any other: its name says that it is off.
 */
export function createMembersForm({ now, news, ...options }: MembersFormOptions) {
  const formats = createFormats(options);
  const { cancelledName, wasBefore } = options.words.membersPage;
  const [mark = ''] = cancelledName.split('{{name}}');

  return (event: ExportedEvent): MembersForm => {
    const { id, name, description, status } = event;
    const isOff = status === 'cancelled' && endOf(event, formats) > now;
    const isMarked = name.toLowerCase().startsWith(mark.trim().toLowerCase());
    const { before = null } = news?.get(id) ?? {};
    const was = movesOf(event, before, formats).texts.map(([from]) => from);
    const line = was.length > 0 && wasBefore.replace('{{when}}', () => was.join(', '));
    return {
      name: isOff && !isMarked ? cancelledName.replace('{{name}}', () => name) : name,
      description: line ? [line, description].filter(Boolean).join('\n') : description,
      isOff,
    };
  };
}
