import i18next from 'i18next';
import { dayOf, isWithoutTime, zoneNote } from '../../base/days.ts';
import { formatsOf } from '../../base/format.ts';
import type { ToldEvent, UntoldChange } from '../../data/told.ts';
import { withoutComma } from '../parts/change-words.ts';

/** The groups of a message, in its order. A deleted event is a cancelled one for the members. */
export const groups = ['moved', 'cancelled', 'new', 'changed'] as const;
export type Group = (typeof groups)[number];

export const groupOf = ({ kind }: UntoldChange): Group => (kind === 'removed' ? 'cancelled' : kind);

/** Returns functions that word changes in a language, which need not be that of the page. */
function wordsOf(language: string, today: string) {
  const t = i18next.getFixedT(language, 'message');
  const formats = formatsOf(language);
  const day = ({ date }: ToldEvent) => {
    const text = formats.dayNear('longDay', date, today);
    return language === 'en' ? withoutComma(text) : text;
  };
  const time = ({ date }: ToldEvent) => formats.time(date);
  const join = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(', ');
  const moment = (event: ToldEvent) =>
    join(day(event), time(event)).concat(isWithoutTime(event.date) ? '' : zoneNote());

  /** Words the date of an event and, in brackets, the part of the old one that differs. */
  function movedDate(event: ToldEvent, before: ToldEvent): string {
    const text = moment(event);
    if (event.date === before.date) return text;
    const isSameDay = dayOf(event.date) === dayOf(before.date);
    const isSameTime = time(event) === time(before);
    const old = isSameDay
      ? time(before)
      : isSameTime
        ? day(before)
        : join(day(before), time(before));
    return old === '' ? text : t('wasBefore', { text, before: old });
  }

  function movedPlace(event: ToldEvent, before: ToldEvent): string {
    if (event.location === before.location || before.location === '') return event.location;
    const text = event.location === '' ? '–' : event.location;
    return t('wasBefore', { text, before: before.location });
  }

  /** Words a change in one line. */
  function line({ kind, event, before = event }: UntoldChange): string {
    const name =
      event.name === before.name
        ? event.name
        : t('wasBefore', { text: event.name, before: before.name });
    if (kind === 'cancelled' || kind === 'removed') {
      const what = join(before.name, day(before));
      return event.note === '' ? what : t('labelled', { label: what, text: event.note });
    }
    const place = kind === 'new' ? event.location : movedPlace(event, before);
    const when = kind === 'new' ? moment(event) : movedDate(event, before);
    const note = kind === 'new' || event.note === before.note ? '' : event.note;
    return t('labelled', { label: name, text: join(when, place, note) });
  }
  return { t, line };
}

/** Writes the message about changes: plain text, grouped, the new first and the old in brackets. */
export function writeLetter(
  changes: readonly UntoldChange[],
  {
    club,
    language,
    today,
  }: { readonly club: string; readonly language: string; readonly today: string },
): string {
  const { t, line } = wordsOf(language, today);
  const parts = groups.flatMap((group) => {
    const lines = changes
      .filter((change) => groupOf(change) === group)
      .map((change) => `• ${line(change)}`);
    return lines.length === 0 ? [] : [[t(group), ...lines].join('\n')];
  });
  return [t('heading', { club }), ...parts].join('\n\n');
}
