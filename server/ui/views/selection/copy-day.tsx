import { TextInput } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { daysBetween } from '../../../dates/days.ts';
import { readDay } from '../../../dates/line/fields.ts';
import { readDays } from '../../../dates/line/step.ts';
import type { Event } from '../../../http/contract.ts';
import type { Language } from '../../../messages/messages.ts';
import { useClock, useToday } from '../../base/days.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { useUnsavedText } from '../../base/unsaved.ts';
import { changedEvent } from '../../data/changed-event.ts';
import { copies } from '../../data/editor.ts';

/** Two years, as the action allows. */
const maxDays = 731;

/** The day of the first copy, as a person writes it. */
type CopyDay = {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly forget: () => void;
  /** Days from an event to its copy; undefined for a text that is no day, or one too far away. */
  readonly days: number | undefined;
  /** The days of the copies in words; empty without any. */
  readonly range: string;
};

/** Returns the day of the first copy of some events, by date. The lists show the copies meanwhile. */
export function useCopyDay(events: readonly Event[], name: string): CopyDay {
  const clock = useClock();
  const { i18n } = useTranslation();
  const today = useToday();
  const times = useEventTimes('weekdayAndDay');
  const [text, setText, forget] = useUnsavedText(name);
  const [first] = events;
  const last = events.at(-1);
  const read = () => {
    if (first === undefined || text.trim() === '') return undefined;
    const step = readDays(text);
    if (step !== undefined) return step;
    const day = readDay(text, { today, language: i18n.language as Language });
    return typeof day === 'string' ? daysBetween(clock.dayOf(first.date), day) : undefined;
  };
  const found = read();
  const days = found !== undefined && Math.abs(found) <= maxDays ? found : undefined;
  const moved = (event: Event) =>
    days === undefined ? undefined : changedEvent(clock, event, { kind: 'move', days });
  // The events are new objects in each render of the bar.
  const key = JSON.stringify(days === undefined ? [] : events.flatMap((one) => moved(one) ?? []));
  const dates = JSON.stringify(events.map(({ date }) => date));
  useEffect(() => {
    const of: readonly string[] = JSON.parse(dates);
    copies.set(
      (JSON.parse(key) as readonly Event[]).map((event, at) => ({
        ...event,
        // No whole number, as those of the service are.
        ...{ id: at + 0.25, status: 'active', copyOf: of[at] ?? event.date },
      })),
    );
    return () => copies.set([]);
  }, [key, dates]);
  const [from, to] = [first, last].map((event) => event && moved(event)?.date);
  const range =
    from === undefined || to === undefined
      ? ''
      : clock.dayOf(from) === clock.dayOf(to)
        ? times.day(from)
        : times.range(clock.dayOf(from), clock.dayOf(to));
  return { text, setText, forget, days, range };
}

/** The field of that day, with what it means, or what it lacks. */
export function CopyField(props: CopyDay & { readonly count: number }) {
  const { text, setText, days, range, count } = props;
  const { t } = useTranslation('selection');
  const isUnclear = text.trim() !== '' && days === undefined;
  return (
    <>
      <TextInput
        label={t(count === 1 ? 'copyDay' : 'firstCopy')}
        description={t('copyHelp', { count })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={text}
        autoComplete="off"
        error={isUnclear ? t('copyUnclear') : undefined}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <p className="small quiet" role="status">
        {days !== undefined && t('copies', { count, shown: String(count), days: range })}
      </p>
    </>
  );
}
