import i18next from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EditableField } from '../../../../db/model.ts';
import type { ActionResult } from '../../../actions/bridge.ts';
import type { Clock } from '../../../dates/clock.ts';
import type { Moment } from '../../../dates/end-line.ts';
import {
  changedValues,
  type FieldChange,
  type ValueChange,
  valuesOfFields,
} from '../../../event/changes.ts';
import { createEventTimes } from '../../../event/times.ts';
import { reasonOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import { useClock } from '../../base/days.ts';
import { formatsIn, wordingOf } from '../../base/format.ts';
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
  /** A new event that is not in the list, and why. */
  readonly unlisted?: { readonly id: number; readonly why: string };
};

type Value = Event[EditableField] | undefined;

/** The common effect of a change of several events. */
type CommonChange = NonNullable<ActionResult<'history'>['history'][number]['common']>;

/** Number of events above which a text for the members would be too long. */
const maxMessageEvents = 30;

/** Creates functions that word changes of events in a language. */
export function createChangeWords(clock: Clock, language: string) {
  const t = i18next.getFixedT(language, [
    'changeWords',
    'event',
    'eventForm',
    'importColumns',
    'panel',
  ]);
  const formats = formatsIn(clock, language);

  const times = createEventTimes(wordingOf(clock, language), 'weekdayAndDay');
  const longTimes = createEventTimes(wordingOf(clock, language), 'longDay');
  const dayName = (date: string) => times.day(date, clock.dayOf(new Date()));
  const moment = (date: string) => times.moment(date, clock.dayOf(new Date()));
  const span = (event: Event) => times.whole(event, clock.dayOf(new Date()));
  const arrow = (before: string, after: string) => `${before} → ${after}`;
  const labelled = (label: string, text: string) => t('labelled', { label, text });

  /** Returns the changed values of fields of an event, which was at `date` before. */
  const valuesIn = (fields: readonly FieldChange[], date: string) =>
    valuesOfFields(fields, date, clock);

  /** Words two dates: only the times on the same day, only the days at the same time. */
  const momentPair = (before: string, after: string): readonly [string, string] => {
    const [from, to] = [formats.time(before), formats.time(after)];
    if (from === to) return [dayName(before), dayName(after)];
    const isSameDay = clock.dayOf(before) === clock.dayOf(after);
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

  const endWords = (end: Moment | undefined) => {
    if (end === undefined) return t('nothing');
    const day = dayName(clock.startOf(end.day));
    return end.time === '' ? day : `${day}, ${formats.clock(end.time)}`;
  };

  /** Words the old and the new value; the old reason is not known. */
  const wordPair = (change: ValueChange): readonly [string, string] => {
    const { field, after } = change;
    if (field === 'reason') return ['', after];
    if (field === 'note') return [change.before || t('nothing'), after || t('nothing')];
    if (field === 'end') {
      const { before } = change;
      const isSameDay = before?.time && after?.time && before.day === after.day;
      return isSameDay
        ? [formats.clock(before.time), formats.clock(after.time)]
        : [endWords(before), endWords(after)];
    }
    const { before } = change;
    return field === 'date'
      ? momentPair(String(before), String(after))
      : [valueWords(field, before as Value), valueWords(field, after as Value)];
  };

  /** Names a changed value. */
  const labelOf = (change: ValueChange): string => {
    const { field } = change;
    if (field === 'reason' || field === 'note') return t('importColumns:description');
    if (field === 'end') return t('eventForm:ends');
    const isTime =
      field === 'date' && clock.dayOf(String(change.before)) === clock.dayOf(String(change.after));
    return t(`importColumns:${isTime ? 'time' : field}`);
  };

  /** Words the change of a value, such as "14:00 → 15:00". */
  const describeValue = (change: ValueChange): string => {
    if (change.field === 'note') return t(change.after === '' ? 'noNote' : 'newNote');
    if (change.field === 'reason') return change.after;
    const text = arrow(...wordPair(change));
    if (change.field === 'end') return labelled(t('eventForm:ends'), text);
    return change.field === 'registrationOpen' ? labelled(t('panel:registration'), text) : text;
  };

  const describeChange = (before: Event, after: Event): string => {
    const changes = changedValues(before, after, clock);
    const isSameDay = clock.dayOf(before.date) === clock.dayOf(after.date);
    const isAtOtherTime = changes.some(({ field }) => field === 'date') && isSameDay;
    const haveTimes = [before.date, after.date].every((date) => formats.time(date) !== '');
    const texts = changes.map(describeValue);
    // The times alone would not say which day it is.
    return [...(isAtOtherTime && haveTimes ? [dayName(after.date)] : []), ...texts].join(', ');
  };

  const isPublic = (event: Event | undefined) => event !== undefined && event.status !== 'draft';

  /** Words a change for the members: the news, the date and the place. */
  const writeMessage = ({ before, after }: EventImages): string | undefined => {
    const event = after ?? before;
    if (event === undefined || !(isPublic(before) || isPublic(after))) return undefined;
    const isOff = after === undefined || after.status === 'cancelled';
    const isKnown = before !== undefined && isPublic(before);
    const isBack = before?.status === 'cancelled' && !isOff;
    const changes = isKnown ? changedValues(before, event, clock) : [];
    const change = (field: ValueChange['field']) => changes.find((each) => each.field === field);
    const isMoved = change('date') !== undefined || change('end') !== undefined;
    const isRelocated = change('location') !== undefined;
    const news = isOff
      ? t('event:cancelled')
      : !isKnown
        ? t('event:new')
        : isBack
          ? t('again')
          : isMoved
            ? t('event:moved')
            : isRelocated
              ? t('event:relocated')
              : t('changed');
    const place = event.location;
    const note = change('note');
    const lines = [
      labelled(news, event.name),
      isMoved && !isOff && before
        ? arrow(longTimes.whole(before), longTimes.zoned(event))
        : longTimes.zoned(event),
      isRelocated && !isOff && before?.location ? arrow(before.location, place) : place,
      isOff ? reasonOf(before, event, clock) : '',
      !isOff && note ? String(note.after) : '',
    ];
    return lines.filter((line) => line !== '').join('\n');
  };

  const describeEvent = (images: EventImages): ChangeWords => {
    const { before, after } = images;
    const message = writeMessage(images);
    const event = after ?? before;
    const more = message === undefined || !event ? {} : { message, ids: [event.id] };
    if (before === undefined && after !== undefined) {
      return { title: after.name, text: t('added', { when: span(after) }), ...more };
    }
    if (before === undefined) return { title: '', text: '' };
    if (after === undefined) {
      return {
        title: before.name,
        text: t('removed', { when: span(before) }),
        ...more,
      };
    }
    return { title: before.name, text: describeChange(before, after), ...more };
  };

  /** Words the events that were added together: those of a repetition, copies, or a season. */
  const describeAdded = (events: readonly Event[]): ChangeWords => {
    const [first] = events;
    const count = events.length;
    if (first === undefined || count === 1)
      return describeEvent({ ...(first && { after: first }) });
    const isSeries = events.every(({ name }) => name === first.name);
    const text = t('addSeveral', { count, shown: formats.number(count) });
    return { title: isSeries ? first.name : '', text };
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
    valuesIn,
    labelled,
    labelOf,
    wordPair,
    describeValue,
    describeCommon,
    describeEvent,
    describeAdded,
    describeEvents,
    moment,
  };
}

/** Returns the words for changes of events in the language of the page. */
export function useChangeWords(): ReturnType<typeof createChangeWords> {
  const clock = useClock();
  const { language } = useTranslation().i18n;
  return useMemo(() => createChangeWords(clock, language), [language, clock]);
}
