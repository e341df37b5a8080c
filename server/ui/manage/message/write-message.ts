import i18next from 'i18next';
import type { Clock } from '../../../dates/clock.ts';
import { type Noted, noteOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import { createEventTimes } from '../../base/event-words.ts';
import { formatsOf } from '../../base/format.ts';
import type { UnannouncedChange } from '../../data/announced.ts';

/** The groups of a message, in its order. */
export const groups = ['moved', 'cancelled', 'new', 'changed'] as const;
export type Group = (typeof groups)[number];

/** Returns the group of a change: a deleted event is a cancelled one for the members. */
export function groupOf({ kind }: UnannouncedChange): Group {
  return kind === 'removed' ? 'cancelled' : kind === 'again' ? 'new' : kind;
}

/** Fewest new events that are one line together. */
const minSeries = 3;

const linesOf = (text: string) => text.split(/\r?\n/).map((line) => line.trim());

/** Returns functions that word changes in a language, which need not be that of the page. */
function wordsOf(clock: Clock, language: string, today: string) {
  const t = i18next.getFixedT(language, ['message', 'changeWords']);
  const formats = formatsOf(clock, language);
  const times = createEventTimes(clock, language, 'longDay');
  const join = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(', ');
  const isWhen = (values: UnannouncedChange['values']) =>
    values.some(({ field }) => field === 'date' || field === 'end');

  /** Words the days and times of an event and, in brackets, the part of the old ones that differs. */
  function movedDate(event: Event, before: Event): string {
    const text = times.zoned(event, today);
    const hasEnd = [event, before].some((each) => noteOf(each, clock).end !== undefined);
    const [day, time] = [times.day(before.date, today), formats.time(before.date)];
    const isSameDay = clock.dayOf(event.date) === clock.dayOf(before.date);
    const isSameTime = time === formats.time(event.date);
    const part = isSameDay ? time : isSameTime ? day : times.moment(before.date, today);
    const old = hasEnd ? times.whole(before, today) : part;
    return old === '' ? text : t('wasBefore', { text, before: old });
  }

  function movedPlace(event: Event, before: Event): string {
    if (event.location === before.location || before.location === '') return event.location;
    const text = event.location === '' ? '–' : event.location;
    return t('wasBefore', { text, before: before.location });
  }

  /** Returns the lines of a note that members do not know. */
  function newLines(before: Noted, after: Noted): string {
    const known = new Set(linesOf(noteOf(before, clock).text));
    const lines = linesOf(noteOf(after, clock).text).filter((line) => !known.has(line));
    return join(...lines) || t('noteRemoved');
  }

  /** Words a change in one line. */
  function line({ kind, event, before = event, values }: UnannouncedChange): string {
    const name =
      event.name === before.name
        ? event.name
        : t('wasBefore', { text: event.name, before: before.name });
    if (kind === 'cancelled' || kind === 'removed') {
      const what = join(before.name, times.day(before.date, today));
      const reason = values.find(({ field }) => field === 'reason');
      return reason === undefined
        ? what
        : t('labelled', { label: what, text: String(reason.after) });
    }
    const place = movedPlace(event, before);
    const when = isWhen(values) ? movedDate(event, before) : times.zoned(event, today);
    const note = values.some(({ field }) => field === 'note') ? newLines(before, event) : '';
    const again = kind === 'again' ? t('changeWords:again') : '';
    return t('labelled', { label: name, text: join(when, place, note, again) });
  }

  /** Words new events with one name, place, weekday and time. */
  function seriesLine(events: readonly Event[]): string {
    const [first, last] = [events[0] as Event, events.at(-1) as Event];
    const days = t('onWeekdays', { weekday: formats.at('longWeekday', first.date) });
    const when = [days, times.clock(first)].filter(Boolean).join(' ');
    const span = times.range(clock.dayOf(first.date), clock.dayOf(last.date), today, 'day');
    const count = t('dates', { count: events.length, shown: formats.number(events.length) });
    return t('labelled', { label: first.name, text: join(when, span, count, first.location) });
  }

  /** Words new events: those that members read as one series, in one line. */
  function newEvents(changes: readonly UnannouncedChange[]): readonly string[] {
    const keyOf = ({ kind, event }: UnannouncedChange) => {
      const { id, name, location, date } = event;
      const clock = times.clock(event);
      return JSON.stringify(
        clock === undefined || kind === 'again'
          ? id
          : [name, location, formats.at('weekday', date), clock],
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

/** Writes the message about changes: plain text, grouped, the new first and the old in brackets. */
export function writeMessage(
  clock: Clock,
  changes: readonly UnannouncedChange[],
  {
    club,
    language,
    today,
  }: { readonly club: string; readonly language: string; readonly today: string },
): string {
  const { t, line, newEvents } = wordsOf(clock, language, today);
  const parts = groups.flatMap((group) => {
    const own = changes.filter((change) => groupOf(change) === group);
    const lines = (group === 'new' ? newEvents(own) : own.map(line)).map((text) => `• ${text}`);
    return lines.length === 0 ? [] : [[t(group), ...lines].join('\n')];
  });
  return [t('heading', { club }), ...parts].join('\n\n');
}
