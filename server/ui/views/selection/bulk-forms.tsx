import { Button, TextInput } from '@mantine/core';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, type Day, weekStartOf } from '../../../dates/days.ts';
import { readTimeOfDay } from '../../../dates/line/fields.ts';
import { readStep, readWeekday } from '../../../dates/line/step.ts';
import type { Event } from '../../../http/contract.ts';
import type { Language } from '../../../messages/messages.ts';
import { useClock } from '../../base/days.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { useUnsavedText } from '../../base/unsaved.ts';
import { changedDate } from '../../data/changed-event.ts';
import { useDaysOff } from '../../data/days-off.ts';
import { bulkPreview, type EventsChange } from '../../data/editor.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { CopyField, useCopyDay } from './copy-day.tsx';

/** A change of the selected events, or copies of them. */
export type BulkChange = EventsChange | { readonly kind: 'copy'; readonly days: number };

type BulkFormProps = {
  /** The selected events, by date. */
  readonly events: readonly Event[];
  /** Makes a change, or none if it is undefined, and calls `forget` unless that fails. */
  readonly onClose: (change: BulkChange | undefined, forget: () => void) => void;
};

/** Names a field among the unsaved texts: other events have another text. */
function nameOf(field: string, events: readonly Event[]): string {
  return `bulk ${field} ${events[0]?.id} ${events.length}`;
}

/** A small form above the bar. The rows show its change before it is made. */
function BulkForm(props: {
  readonly title: string;
  /** Text of the button. */
  readonly submit: string;
  /** The change to make; undefined while the form has none. */
  readonly change: BulkChange | undefined;
  readonly onClose: (change?: BulkChange) => void;
  readonly children: ReactNode;
}) {
  const { title, submit, change, onClose, children } = props;
  const { t } = useTranslation('selection');
  const form = useRef<HTMLFormElement>(null);
  const heading = useId();
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  // The change is a new object in each render.
  const key = JSON.stringify(change?.kind === 'copy' ? null : (change ?? null));
  useEffect(() => {
    bulkPreview.set(JSON.parse(key));
    return () => bulkPreview.set(null);
  }, [key]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== undefined) onClose(change);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
    }
    // The keys of the bar are not those of a field.
    event.stopPropagation();
  };
  return (
    <div className="boxed bulk-form" role="dialog" aria-labelledby={heading} onKeyDown={onKeyDown}>
      <h2 id={heading}>{title}</h2>
      <form ref={form} className="stack loose" onSubmit={onSubmit}>
        {children}
        <div className="flow bulk-buttons">
          <Button type="submit" disabled={change === undefined}>
            {submit}
          </Button>
          <Button variant="default" onClick={() => onClose()}>
            {t('close')}
          </Button>
        </div>
      </form>
    </div>
  );
}

/** Values that fill the field of a form with one click. */
function Chips(props: {
  readonly values: readonly (readonly [text: string, shown: string])[];
  readonly onChoose: (text: string) => void;
}) {
  const { values, onChoose } = props;
  return (
    <div className="flow bulk-chips">
      {values.map(([text, shown]) => (
        <button
          key={text}
          type="button"
          className="chip"
          aria-label={text}
          onClick={() => onChoose(text)}
        >
          {shown}
        </button>
      ))}
    </div>
  );
}

/** Maximum number of values that a sentence lists. */
const maxListed = 5;

/** A sentence about the first and last result of a move, and those that fall on days off. */
function MoveResult(props: { readonly events: readonly Event[]; readonly change: EventsChange }) {
  const { events, change } = props;
  const clock = useClock();
  const { t } = useTranslation('selection');
  const formats = useFormats();
  const daysOff = useDaysOff();
  const [first] = events;
  if (first === undefined) return null;
  const days = events.map(({ date }) => clock.dayOf(changedDate(clock, date, change) ?? date));
  const named = (day: Day) => formats.on('weekdayInYear', day);
  const off = days.flatMap((day) => {
    const [holiday] = daysOff.namesOn(day);
    return holiday === undefined ? [] : [t('dayAndHoliday', { day: named(day), holiday })];
  });
  const count = events.length;
  return (
    <>
      {t('dayMoves', {
        count,
        shown: formats.number(count),
        from: named(clock.dayOf(first.date)),
        to: named(days[0] ?? ''),
      })}
      {off.length > 0 &&
        ` ${t('onDaysOff', {
          count: off.length,
          shown: formats.number(off.length),
          days: off.slice(0, maxListed).join(', ') + (off.length > maxListed ? ', …' : ''),
        })}`}
    </>
  );
}

const minutesOfDay = 1_440;

/** A form for another day: a number of days later, or another day of the week. */
function MoveForm({ events, onClose }: BulkFormProps) {
  const { t, i18n } = useTranslation('selection');
  const formats = useFormats();
  const [to, setTo, forget] = useUnsavedText(nameOf('move', events));
  const days = (readStep(to) ?? Number.NaN) / minutesOfDay;
  const weekday = readWeekday(to, i18n.language as Language);
  const change: EventsChange | undefined = Number.isInteger(days)
    ? { kind: 'move', days }
    : weekday === undefined
      ? undefined
      : { kind: 'weekday', weekday };
  const weekStart = weekStartOf(regionalTag(i18n.language));
  // 4 January 1970 was a Sunday.
  const weekdays = Array.from({ length: 7 }, (_, at) => addDays('1970-01-04', weekStart + at));
  const count = events.length;
  return (
    <BulkForm
      title={t('move')}
      submit={t('moveNumber', { count, shown: formats.number(count) })}
      change={change}
      onClose={(requested) => onClose(requested, forget)}
    >
      <TextInput
        label={t('moveTo')}
        value={to}
        autoComplete="off"
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
      <Chips
        values={[
          ...[t('daysLater'), t('weekLater')].map((text) => [text, text] as const),
          ...weekdays.map(
            (day) => [formats.on('longWeekday', day), formats.on('weekday', day)] as const,
          ),
        ]}
        onChoose={setTo}
      />
      <p className="small quiet" role="status">
        {change !== undefined ? (
          <MoveResult events={events} change={change} />
        ) : (
          t(to.trim() === '' ? 'moveHelp' : 'moveUnclear')
        )}
      </p>
    </BulkForm>
  );
}

/** Maximum number of places to choose from. */
const maxPlaces = 200;

function PlaceForm({ events, onClose }: BulkFormProps) {
  const { t } = useTranslation('selection');
  const formats = useFormats();
  const { all } = useVisibleEvents();
  const [place, setPlace, forget] = useUnsavedText(nameOf('place', events), {
    initial: events[0]?.location ?? '',
  });
  const list = useId();
  const known = [...new Set(all?.events.map(({ location }) => location))];
  return (
    <BulkForm
      title={t('place')}
      submit={t('setNumber', { count: events.length, shown: formats.number(events.length) })}
      change={{ kind: 'set', values: { location: place.trim() } }}
      onClose={(change) => onClose(change, forget)}
    >
      <TextInput
        label={t('placeLabel')}
        value={place}
        list={list}
        autoComplete="off"
        onChange={({ currentTarget }) => setPlace(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <datalist id={list}>
        {known.slice(0, maxPlaces).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </BulkForm>
  );
}

/** A form for the reason of a cancellation, which may be empty. */
function CancelForm({ events, onClose }: BulkFormProps) {
  const { t } = useTranslation('selection');
  const formats = useFormats();
  const [reason, setReason, forget] = useUnsavedText(nameOf('reason', events));
  return (
    <BulkForm
      title={t('cancelTitle')}
      submit={t('cancelNumber', { count: events.length, shown: formats.number(events.length) })}
      change={{ kind: 'cancel', reason }}
      onClose={(change) => onClose(change, forget)}
    >
      <TextInput
        label={t('reason')}
        description={t('reasonHelp')}
        value={reason}
        maxLength={200}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </BulkForm>
  );
}

/** Returns a function that words the change of times: how most events move, and which differ. */
function useTimeWords() {
  const clock = useClock();
  const { t } = useTranslation('selection');
  const formats = useFormats();
  return (events: readonly Event[], change: EventsChange): string => {
    if (change.kind === 'time' && change.time === undefined) {
      const { length: count } = events;
      const end = formats.clock(change.end ?? '');
      return t('endMoves', { count, shown: formats.number(count), end });
    }
    const groups = Map.groupBy(events, ({ date }) => formats.time(date));
    const withTime = [...groups].filter(([time]) => time !== '');
    const [most, ...others] = withTime.toSorted(([, one], [, other]) => other.length - one.length);
    const untimed = groups.get('') ?? [];
    const counted = (some: readonly Event[]) => ({
      count: some.length,
      shown: formats.number(some.length),
    });
    const to = (event: Event) => formats.time(changedDate(clock, event.date, change) ?? event.date);
    const sentences: string[] = [];
    const [first] = most?.[1] ?? [];
    if (most !== undefined && first !== undefined) {
      sentences.push(t('timeMoves', { ...counted(most[1]), from: most[0], to: to(first) }));
    }
    const different = others.flatMap(([, some]) => some);
    const [one] = different;
    if (one !== undefined) {
      const times = others.slice(0, maxListed).map(([time]) => time);
      const day = formats.at('dayInYear', one.date);
      sentences.push(t('differs', { ...counted(different), day, times: times.join(', ') }));
    }
    const [free] = untimed;
    if (free !== undefined && change.kind === 'shift') {
      sentences.push(t('noTimeStays', counted(untimed)));
    } else if (free !== undefined && most === undefined) {
      sentences.push(t('timeGets', { ...counted(untimed), to: to(free) }));
    } else if (free !== undefined) sentences.push(t('noTimeMoves', counted(untimed)));
    return sentences.join(' ');
  };
}

/** A form for the time of day of all events, each on its own day. */
function TimeForm({ events, onClose }: BulkFormProps) {
  const clock = useClock();
  const { t, i18n } = useTranslation('selection');
  const formats = useFormats();
  const timeWords = useTimeWords();
  const [from, setFrom, forgetFrom] = useUnsavedText(nameOf('time', events));
  const [to, setTo, forgetTo] = useUnsavedText(nameOf('end', events));
  const minutes = readStep(from);
  const { today } = useVisibleEvents();
  const context = { today, language: i18n.language as Language };
  const read = minutes === undefined ? readTimeOfDay(from, context) : undefined;
  const time = read || undefined;
  const end = minutes === undefined ? readTimeOfDay(to, context) : '';
  const starts = events.map(({ date }) => time ?? clock.momentIn(date).time);
  const isOrdered = !end || starts.every((start) => end >= start);
  const change = ((): EventsChange | undefined => {
    if (minutes !== undefined) {
      return Math.abs(minutes) < minutesOfDay ? { kind: 'shift', minutes } : undefined;
    }
    const hasNone = read === undefined || (read === '' && !end);
    if (hasNone || time === '00:00' || end === undefined || !isOrdered) return undefined;
    return { kind: 'time', ...(time && { time }), ...(end && { end }), language: i18n.language };
  })();
  const leaving =
    change && events.find(({ date }) => changedDate(clock, date, change) === undefined);
  const times = [...new Set(events.map(({ date }) => formats.time(date) || t('noTime')))];
  const result = (): string => {
    if (leaving !== undefined) {
      return t('leavesDay', { name: leaving.name, day: formats.at('dayInYear', leaving.date) });
    }
    if (change !== undefined) return timeWords(events, change);
    if (from.trim() === '' && !end)
      return t('timeNow', { times: times.slice(0, maxListed).join(', ') });
    if (!isOrdered) return t('endsBefore');
    return t(end === undefined ? 'endsUnclear' : 'timeUnclear');
  };
  const count = events.length;
  return (
    <BulkForm
      title={t('setTime')}
      submit={t('timeNumber', { count, shown: formats.number(count) })}
      change={leaving === undefined ? change : undefined}
      onClose={(requested) =>
        onClose(requested, () => {
          forgetFrom();
          forgetTo();
        })
      }
    >
      <div className="halves bulk-fields">
        <TextInput
          label={t('from')}
          value={from}
          autoComplete="off"
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <TextInput
          label={t('to')}
          value={to}
          autoComplete="off"
          // A step moves the ends as far.
          disabled={minutes !== undefined}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </div>
      <Chips
        values={[t('minutesLater'), t('minutesEarlier')].map((text) => [text, text] as const)}
        onChoose={setFrom}
      />
      <p className="small quiet" role="status">
        {result()}
      </p>
    </BulkForm>
  );
}

/** A form for the day of the first copy. */
function CopyForm({ events, onClose }: BulkFormProps) {
  const { t } = useTranslation('selection');
  const formats = useFormats();
  const copying = useCopyDay(events, nameOf('copy', events));
  const { days, forget } = copying;
  const count = events.length;
  return (
    <BulkForm
      title={t('copyTitle')}
      submit={t('copyNumber', { count, shown: formats.number(count) })}
      change={days === undefined ? undefined : { kind: 'copy', days }}
      onClose={(change) => onClose(change, forget)}
    >
      <CopyField count={count} {...copying} />
    </BulkForm>
  );
}

export const bulkForms = {
  time: TimeForm,
  move: MoveForm,
  copy: CopyForm,
  place: PlaceForm,
  cancel: CancelForm,
} as const satisfies Readonly<Record<string, (props: BulkFormProps) => ReactNode>>;
