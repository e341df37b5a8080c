import { useTranslation } from 'react-i18next';
import type { EditableField } from '../../../../db/model.ts';
import type { ActionResult } from '../../../actions/bridge.ts';
import { partsOf } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { dayOf, zoneNote } from '../../base/days.ts';
import { splitEvent } from '../../base/event-end.ts';
import { useFormats } from '../../base/format.ts';
import type { EventsChange } from '../../data/editor.ts';

/** An event before and after a change; one of them is absent if it was added or deleted. */
type EventImages = { readonly before?: Event; readonly after?: Event };

/** The words for a change. */
export type ChangeWords = {
  /** The name of the event; empty for several events. */
  readonly title: string;
  readonly text: string;
  /** A text for the members; absent if there is nothing to tell them. */
  readonly message?: string;
  /** The events of the text for the members. */
  readonly ids?: readonly number[];
};

/** Removes the comma behind an English weekday: "Tue 24 Nov 2026". */
export function withoutComma(date: string): string {
  return date.replace(/^(\p{L}+),/u, '$1');
}

type Value = Event[EditableField] | undefined;

/** The common effect of a change of several events. */
type CommonChange = NonNullable<ActionResult<'history'>['history'][number]['common']>;

/** The change of one field. */
type FieldChange = {
  readonly field: EditableField;
  readonly before?: Value;
  readonly after?: Value;
};

const describedFields = [
  'name',
  'date',
  'location',
  'eventType',
  'status',
  'registrationOpen',
  'description',
] as const satisfies readonly EditableField[];

/** Number of events above which a text for the members would be too long. */
const maxMessageEvents = 30;

/** Returns functions that word changes of events in the language of the page. */
export function useChangeWords() {
  const { t } = useTranslation(['changeWords', 'event', 'panel']);
  const formats = useFormats();

  const dayName = (date: string) => {
    const isThisYear = partsOf(dayOf(date)).year === partsOf(dayOf(new Date())).year;
    return withoutComma(formats.at(isThisYear ? 'weekdayInYear' : 'weekdayAndDay', date));
  };
  const moment = (date: string) =>
    [dayName(date), formats.time(date)].filter((part) => part !== '').join(', ');
  const arrow = (before: string, after: string) => `${before} → ${after}`;
  const labelled = (label: string, text: string) => t('labelled', { label, text });

  /** Words two dates: only the times on the same day, only the days at the same time. */
  const momentPair = (before: string, after: string): readonly [string, string] => {
    const [from, to] = [formats.time(before), formats.time(after)];
    if (from === to) return [dayName(before), dayName(after)];
    const isSameDay = dayOf(before) === dayOf(after);
    return isSameDay && from !== '' && to !== '' ? [from, to] : [moment(before), moment(after)];
  };

  const valueWords = (field: EditableField, value: Value): string => {
    if (field === 'status') return t(`event:${value as Event['status']}`);
    if (field === 'eventType') return t(`event:${(value as Event['eventType']) ?? 'none'}`);
    if (field === 'registrationOpen') {
      return t(value === undefined ? 'panel:notGiven' : value ? 'panel:open' : 'panel:closed');
    }
    if (value === '' || value === undefined || value === null) return t('nothing');
    return String(value);
  };

  /** Words the old and the new value of a field. */
  const wordPair = ({ field, before, after }: FieldChange): readonly [string, string] =>
    field === 'date'
      ? momentPair(String(before), String(after))
      : [valueWords(field, before), valueWords(field, after)];

  /** Words the change of a field, such as "14:00 → 15:00". */
  const describeField = (fieldChange: FieldChange): string => {
    const { field } = fieldChange;
    if (field === 'description') return t('newNote');
    const change = arrow(...wordPair(fieldChange));
    return field === 'registrationOpen' ? labelled(t('panel:registration'), change) : change;
  };

  /** Returns true for a note of which only the end changed, with the date. */
  const isMovedEnd = (field: EditableField, before: Event, after: Event): boolean =>
    field === 'description' &&
    before.date !== after.date &&
    splitEvent(before).end !== undefined &&
    splitEvent(before).text === splitEvent(after).text;

  const changesOf = (before: Event, after: Event): readonly FieldChange[] =>
    describedFields
      .filter((field) => before[field] !== after[field] && !isMovedEnd(field, before, after))
      .map((field) => ({ field, before: before[field], after: after[field] }));

  const describeChange = (before: Event, after: Event): string => {
    const changes = changesOf(before, after);
    const isSameDay = dayOf(before.date) === dayOf(after.date);
    const isAtOtherTime = changes.some(({ field }) => field === 'date') && isSameDay;
    const times = [before.date, after.date].every((date) => formats.time(date) !== '');
    const isCancellation = after.status === 'cancelled' && before.status !== 'cancelled';
    const reason = isCancellation ? reasonOf(before, after) : '';
    const texts = changes.map((change) =>
      change.field === 'description' && reason !== '' ? reason : describeField(change),
    );
    // The times alone would not say which day it is.
    return [...(isAtOtherTime && times ? [dayName(after.date)] : []), ...texts].join(', ');
  };

  const longMoment = (date: string) =>
    [withoutComma(formats.at('longDay', date)), formats.time(date)]
      .filter((part) => part !== '')
      .join(', ')
      .concat(formats.time(date) === '' ? '' : zoneNote());
  const isPublic = (event: Event | undefined) => event !== undefined && event.status !== 'draft';

  /** Returns the reason for a cancellation: the first line that it added to the note. */
  const reasonOf = (before: Event | undefined, after: Event): string => {
    const [line = ''] = splitEvent(after).text.split('\n', 1);
    return before === undefined || splitEvent(before).text.startsWith(line) ? '' : line;
  };

  /** Words a change for the members: the news, the date and the place. */
  const writeMessage = ({ before, after }: EventImages): string | undefined => {
    const event = after ?? before;
    if (event === undefined || !(isPublic(before) || isPublic(after))) return undefined;
    const isOff = after === undefined || after.status === 'cancelled';
    const isMoved = before !== undefined && before.date !== event.date;
    const isRelocated = before !== undefined && before.location !== event.location;
    const news = isOff
      ? t('event:cancelled')
      : before === undefined || !isPublic(before)
        ? t('event:new')
        : isMoved
          ? t('event:moved')
          : isRelocated
            ? t('event:relocated')
            : t('changed');
    const when = longMoment(event.date);
    const place = event.location;
    const lines = [
      labelled(news, event.name),
      isMoved && !isOff ? arrow(longMoment(before.date), when) : when,
      isRelocated && !isOff && before.location !== '' ? arrow(before.location, place) : place,
      isOff ? reasonOf(before, event) : '',
    ];
    return lines.filter((line) => line !== '').join('\n');
  };

  const describeEvent = (images: EventImages): ChangeWords => {
    const { before, after } = images;
    const message = writeMessage(images);
    const event = after ?? before;
    const more = message === undefined || !event ? {} : { message, ids: [event.id] };
    if (before === undefined && after !== undefined) {
      return { title: after.name, text: t('added', { when: moment(after.date) }), ...more };
    }
    if (before === undefined) return { title: '', text: '' };
    if (after === undefined) {
      return { title: before.name, text: t('removed', { when: moment(before.date) }), ...more };
    }
    return { title: before.name, text: describeChange(before, after), ...more };
  };

  /** Words the events of a repetition that were added. */
  const describeAdded = (events: readonly Event[]): ChangeWords => {
    const [first] = events;
    const count = events.length;
    if (first === undefined || count === 1)
      return describeEvent({ ...(first && { after: first }) });
    return { title: first.name, text: t('addSeveral', { count, shown: formats.number(count) }) };
  };

  /** Words the same change of several events; `kind` names it. */
  const describeEvents = (
    change: EventsChange['kind'],
    all: readonly EventImages[],
    count: number,
  ): ChangeWords => {
    const isMove = change === 'time' || change === 'shift' || change === 'weekday';
    const kind = isMove ? 'move' : change;
    const text = t(`${kind}Several`, { count, shown: formats.number(count) });
    if (count > maxMessageEvents) return { title: '', text };
    const messages = all.flatMap((images) => writeMessage(images) ?? []);
    const ids = all.flatMap(({ before, after }) => (after ?? before)?.id ?? []);
    return {
      title: '',
      text,
      ...(messages.length > 0 && { message: messages.join('\n\n'), ids }),
    };
  };

  /** Words what a change did to several events, such as "12 events moved to 14:00". */
  const describeCommon = ({ kind, values, days, time }: CommonChange, count: number): string => {
    const counted = { count, shown: formats.number(count) };
    if (kind === 'added') return t('addSeveral', counted);
    if (kind === 'removed') return t('removeSeveral', counted);
    const [value, ...others] = values;
    if (others.length === 0 && value?.field === 'status' && value.value === 'cancelled') {
      return t('cancelSeveral', counted);
    }
    if (days !== undefined) {
      const number = Math.abs(days);
      const shift = t('days', { count: number, shown: formats.number(number) });
      return t(days > 0 ? 'laterSeveral' : 'earlierSeveral', { ...counted, days: shift });
    }
    if (time !== undefined) return t('timeSeveral', { ...counted, time: formats.time(time) });
    const texts = values.map((one) => valueWords(one.field, one.value)).filter((text) => text);
    const isWorded = texts.length > 0 && values.every(({ field }) => field !== 'description');
    return isWorded
      ? t('valueSeveral', { ...counted, value: texts.join(', ') })
      : t('setSeveral', counted);
  };

  return {
    labelled,
    wordPair,
    describeField,
    describeCommon,
    describeEvent,
    describeAdded,
    describeEvents,
    moment,
  };
}
