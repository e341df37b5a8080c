import type { StoredEvent } from '../../db/model.ts';
import type { Day } from '../dates/days.ts';
import { formatsOf, type withoutYear } from '../dates/formats.ts';
import { supportedLanguage, translator } from '../messages/messages.ts';
import type { UnannouncedChange } from './announced.ts';
import { createEventTimes, type Wording, zoneNote } from './times.ts';
import { noteOf } from './values.ts';
import type { Week, WeekItem } from './week.ts';

/** The groups of a message about changes, in its order. */
export const groups = ['moved', 'cancelled', 'new', 'changed'] as const;
export type Group = (typeof groups)[number];

/** Returns the group of a change: a deleted event is a cancelled one for the members. */
export function groupOf({ kind }: UnannouncedChange): Group {
  return kind === 'removed' ? 'cancelled' : kind === 'again' ? 'new' : kind;
}

/** Fewest new events that are one line together. */
const minSeries = 3;

const linesOf = (text: string) => text.split(/\r?\n/).map((line) => line.trim());

/** Signs that messengers take for bold, italic, struck or fixed letters, with what they show instead. */
const signs: Readonly<Record<string, string>> = { '*': '∗', '~': '∼', _: '-', '`': '’' };

/** Links must stay as they are, and messengers leave them alone. */
const isLink = (word: string) => /^(?:https?:\/\/|www\.)|@/i.test(word);

/** A link of any kind, an e-mail address, or a name of a host, wherever it stands in a text. */
const anyLink =
  /[a-z][a-z\d+.-]*:\/\/|\b(?:tel|mailto|webcal|javascript|data):|@|[\p{L}\d-]{2,}\.\p{L}{2,}/iu;

/** Returns true for a text with a link or an e-mail address, or with something that looks like one. */
export const hasLink = (text: string): boolean => anyLink.test(text);

/** Returns a text of an event as a part of one line, without the signs that a messenger would change. */
function plain(text: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const shown = (word: string) => word.replace(/[*~_`]/g, (sign) => signs[sign] ?? '');
  return words.map((word) => (isLink(word) ? word : shown(word))).join(' ');
}

const join = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(', ');

/** Returns functions that word events and their changes; `format` is that of the days. */
function wordsOf(wording: Wording, format: keyof typeof withoutYear, today: Day) {
  const { clock, tag } = wording;
  const t = translator(supportedLanguage([tag]));
  const formats = formatsOf(clock, tag);
  const times = createEventTimes(wording, format);
  const labelled = (label: string, text: string) => t('message:labelled', { label, text });
  const was = (text: string, before: string) => t('message:wasBefore', { text, before });

  /** Returns the part of the old days and times of an event that differs; empty if none does. */
  function oldDate(event: StoredEvent, before: StoredEvent): string {
    const hasEnd = [event, before].some((each) => noteOf(each, clock).end !== undefined);
    if (hasEnd) return times.whole(before, today);
    const [day, time] = [times.day(before.date, today), formats.time(before.date)];
    const isSameDay = clock.dayOf(event.date) === clock.dayOf(before.date);
    const isSameTime = time === formats.time(event.date);
    return isSameDay ? time : isSameTime ? day : times.moment(before.date, today);
  }

  /** Words the days and times of an event, and in brackets the old ones if they changed. */
  function when(text: string, { event, before = event, values }: UnannouncedChange): string {
    const isMoved = values.some(({ field }) => field === 'date' || field === 'end');
    const old = isMoved ? oldDate(event, before) : '';
    return old === '' ? text : was(text, old);
  }

  function name({ event, before = event }: Pick<UnannouncedChange, 'event' | 'before'>): string {
    const [next, old] = [plain(event.name), plain(before.name)];
    return next === old ? next : was(next, old);
  }

  function place({ event, before = event }: Pick<UnannouncedChange, 'event' | 'before'>): string {
    const [next, old] = [plain(event.location), plain(before.location)];
    return next === old || old === '' ? next : was(next === '' ? '–' : next, old);
  }

  /** Returns the lines of a note that members do not know; empty if the note is as it was. */
  function newNote({ event, before = event, values }: UnannouncedChange): string {
    if (!values.some(({ field }) => field === 'note')) return '';
    const known = new Set(linesOf(noteOf(before, clock).text));
    const lines = linesOf(noteOf(event, clock).text).filter((line) => !known.has(line));
    return join(...lines.map(plain)) || t('message:noteRemoved');
  }

  const again = ({ kind }: UnannouncedChange) => (kind === 'again' ? t('changeWords:again') : '');

  function reason({ values }: Pick<UnannouncedChange, 'values'>): string {
    const found = values.find(({ field }) => field === 'reason');
    return found === undefined ? '' : plain(String(found.after));
  }

  return { t, formats, times, labelled, when, name, place, newNote, again, reason };
}

/** Returns functions that word changes, each in one line. */
function changeLines(wording: Wording, today: Day) {
  const words = wordsOf(wording, 'longDay', today);
  const { t, formats, times, labelled } = words;
  const { clock } = wording;

  /** Words a change in one line. */
  function line(change: UnannouncedChange): string {
    const { event, before = event } = change;
    if (groupOf(change) === 'cancelled') {
      const what = join(plain(before.name), times.day(before.date, today));
      const reason = words.reason(change);
      return reason === '' ? what : labelled(what, reason);
    }
    const when = words.when(times.zoned(event, today), change);
    const parts = [when, words.place(change), words.newNote(change), words.again(change)];
    return labelled(words.name(change), join(...parts));
  }

  /** Words new events with one name, place, weekday and time. */
  function seriesLine(events: readonly StoredEvent[]): string {
    const [first, last] = [events[0] as StoredEvent, events.at(-1) as StoredEvent];
    const days = t('message:onWeekdays', { weekday: formats.at('longWeekday', first.date) });
    const when = [days, times.clock(first)].filter(Boolean).join(' ');
    const span = times.range(clock.dayOf(first.date), clock.dayOf(last.date), today, 'day');
    const count = t('message:dates', {
      count: events.length,
      shown: formats.number(events.length),
    });
    return labelled(plain(first.name), join(when, span, count, plain(first.location)));
  }

  /** Words new events: those that members read as one series, in one line. */
  function newEvents(changes: readonly UnannouncedChange[]): readonly string[] {
    const keyOf = ({ kind, event }: UnannouncedChange) => {
      const { id, name, location, date } = event;
      const time = times.clock(event);
      return JSON.stringify(
        time === undefined || kind === 'again'
          ? id
          : [name, location, formats.at('weekday', date), time],
      );
    };
    const series = Map.groupBy(changes, keyOf);
    return changes.flatMap((change) => {
      const together = series.get(keyOf(change)) ?? [];
      if (together.length < minSeries) return line(change);
      return together[0] === change ? seriesLine(together.map(({ event }) => event)) : [];
    });
  }
  return { t, line, newEvents };
}

/** The names in the heading of a message, and the address at its end. */
type Letter = {
  readonly club: string;
  /** The name of a team whose events it has; empty for all. */
  readonly team: string;
  /** The address of the page for members; null for none. */
  readonly link: string | null;
};

/** Words what a message is about, for the subject of an e-mail; `days` are those of a week. */
export function messageSubject(
  wording: Wording,
  { club, team }: Pick<Letter, 'club' | 'team'>,
  days?: Pick<Week, 'first' | 'last'>,
): string {
  const names = join(plain(club), plain(team));
  if (days !== undefined) return join(names, daysText(wording, days.first, days.last, days.first));
  return translator(supportedLanguage([wording.tag]))('message:heading', { club: names });
}

/** Writes the message about changes: plain text, grouped, the new first and the old in brackets. */
export function writeChanges(
  wording: Wording,
  changes: readonly UnannouncedChange[],
  { club, team, link, today }: Letter & { readonly today: Day },
): string {
  const { t, line, newEvents } = changeLines(wording, today);
  const parts = groups.flatMap((group) => {
    const own = changes.filter((change) => groupOf(change) === group);
    const lines = (group === 'new' ? newEvents(own) : own.map(line)).map((text) => `• ${text}`);
    return lines.length === 0 ? [] : [[t(`message:${group}`), ...lines].join('\n')];
  });
  const heading = messageSubject(wording, { club, team });
  const end = link === null ? [] : [t('message:allDates', { address: link })];
  return [heading, ...parts, ...end].join('\n\n');
}

/** Words two days, or the only one: "19 to 28 November". */
export function daysText(wording: Wording, first: Day, last: Day, today: Day): string {
  const times = createEventTimes(wording, 'day');
  if (first !== last) return times.range(first, last, today);
  return times.day(wording.clock.startOf(first), today);
}

/**
 * Writes what is on as plain text: a paragraph for each event, a line for each fact, the old in
 * brackets. `items` are those of the week that a person left in.
 */
export function writeWeek(
  wording: Wording,
  week: Week,
  { club, team, link, items = week.items }: Letter & { readonly items?: readonly WeekItem[] },
): string {
  const { first: today, last, next } = week;
  const { clock } = wording;
  const words = wordsOf(wording, 'weekdayAndDay', today);
  const { t, formats, times, labelled } = words;

  function linesOfItem({ event, change }: WeekItem): readonly string[] {
    const known = change ?? { kind: 'changed', event, before: undefined, values: [] };
    if (known.kind === 'removed' || event.status === 'cancelled') {
      const { before = event } = known;
      const what = join(plain(before.name), times.whole(before, today));
      return [labelled(t('event:cancelled'), what), words.reason(known)];
    }
    const date = times.whole(event, today);
    const when = words.when(date, known);
    const name = words.name(known);
    return [
      // Old and new together would be a long line with the name.
      ...(when === date ? [labelled(when, name)] : [labelled(when, '').trimEnd(), name]),
      words.place(known),
      words.newNote(known),
      words.again(known),
    ];
  }

  function nothing(): string {
    const day = formats.dayNear('day', clock.startOf(last), today);
    const none = t('message:nothingUntil', { day });
    if (next === undefined) return none;
    const what = join(plain(next.name), times.whole(next, today), plain(next.location));
    return `${none} ${t('message:nextEvent', { event: what })}`;
  }

  const paragraphs = items.map((item) =>
    linesOfItem(item)
      .filter((line) => line !== '')
      .join('\n'),
  );
  return [
    messageSubject(wording, { club, team }, week) + zoneNote(wording),
    ...(week.items.length === 0 ? [nothing()] : paragraphs),
    ...(link === null ? [] : [t('message:allDates', { address: link })]),
  ].join('\n\n');
}
