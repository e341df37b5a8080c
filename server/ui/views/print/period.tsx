import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, addMonths, type Day, monthOf, partsOf } from '../../../dates/days.ts';
import { parseSpokenDay } from '../../../dates/line/spoken-day.ts';
import type { Language } from '../../../messages/messages.ts';
import type { Route } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import { useRoute } from '../../base/navigation.ts';
import { useUnsavedText } from '../../base/unsaved.ts';
import { useClubSettings } from '../../data/club-settings.ts';
import { boundsOf } from '../../data/event-queries.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import type { Choices } from './print-choices.ts';

/** First and last day of a sheet; null for today, and for the end of next month. */
export type Period = Pick<Choices, 'from' | 'to'>;

/** The days of a period. */
export type Days = { readonly first: Day; readonly last: Day };

function endOfNextMonth(day: Day): Day {
  return addDays(addMonths(day, 2), -1);
}

export function daysOf({ from, to }: Period, today: Day): Days {
  const first = from ?? today;
  return { first, last: to !== null && to >= first ? to : endOfNextMonth(first) };
}

/** Returns the first day of each month of a period. */
export function monthsOf({ first, last }: Days): Day[] {
  const [start, end] = [partsOf(first), partsOf(last)];
  const count = (end.year - start.year) * 12 + end.month - start.month + 1;
  return Array.from({ length: count }, (_, index) => addMonths(first, index));
}

/** Returns the period that the view shows from which the sheet was opened; undefined for none. */
function periodOfView(route: Route, today: Day, seasonStart: number): Period | undefined {
  const { period, day, sheet, view } = route;
  if (period !== null && typeof period === 'object') {
    const { from, to } = period;
    return { from: from ?? monthOf(to ?? today), to };
  }
  const { from, to } = boundsOf(period, today, seasonStart);
  if (from !== null && to !== null) return { from, to };
  const month = day !== null && (sheet === 'month' || view === 'calendar') ? monthOf(day) : null;
  if (month === null || month === monthOf(today)) return undefined;
  return { from: month, to: addDays(addMonths(month, 1), -1) };
}

/** Returns the period of a sheet: that of the view, or the stored one unless it is over. */
export function usePeriod(
  choices: Choices,
  onChange: (change: Period) => void,
): readonly [Period, (period: Period) => void] {
  const { today } = useVisibleEvents();
  const { seasonStart } = useClubSettings();
  const route = useRoute();
  const [period, setPeriod] = useState<Period>(() => {
    const isOver = choices.to !== null && choices.to < today;
    const { from, to } = isOver ? { from: null, to: null } : choices;
    return periodOfView(route, today, seasonStart) ?? { from, to };
  });
  const change = (next: Period) => {
    setPeriod(next);
    onChange(next);
  };
  return [period, change];
}

/** A field for a day in words: "14 March", "next Saturday". It is read on Enter and when it is left. */
function DayField(props: {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  /** Returns the reason why a day cannot be used. */
  readonly problemOf?: (day: Day) => string | undefined;
  readonly onDay: (day: Day) => void;
}) {
  const { name, label, text, problemOf, onDay } = props;
  const { t, i18n } = useTranslation('print');
  const { today } = useVisibleEvents();
  const [typed, setTyped, forget] = useUnsavedText(`print ${name}`, { initial: text });
  const [isLeft, setLeft] = useState(true);
  const isEdited = typed !== text;
  const day = isEdited
    ? parseSpokenDay(typed, { today, language: i18n.language as Language })
    : undefined;
  const problem = day === undefined ? t('dayUnclear') : problemOf?.(day);
  const finish = () => {
    setLeft(true);
    if (day === undefined || problem !== undefined) return;
    onDay(day);
    forget();
  };
  return (
    <TextInput
      label={label}
      value={typed}
      error={isEdited && isLeft && problem}
      autoComplete="off"
      onChange={({ currentTarget }) => {
        setLeft(false);
        setTyped(currentTarget.value);
      }}
      onBlur={finish}
      onKeyDown={({ key }) => key === 'Enter' && finish()}
    />
  );
}

/** Fields for the first and the last day. */
export function PeriodFields(props: {
  readonly period: Period;
  readonly onPeriod: (period: Period) => void;
}) {
  const { period, onPeriod } = props;
  const { t } = useTranslation('print');
  const formats = useFormats();
  const { today } = useVisibleEvents();
  const { first, last } = daysOf(period, today);
  const setFirst = (day: Day) =>
    onPeriod({ from: day === today ? null : day, to: last < day ? null : period.to });
  const [firstText, lastText] = [first, last].map((day) =>
    day === today ? t('today') : formats.on('shortDay', day),
  );
  return (
    <div className="halves studio-period">
      <DayField name="from" label={t('from')} text={firstText ?? ''} onDay={setFirst} />
      <DayField
        name="to"
        label={t('to')}
        text={lastText ?? ''}
        problemOf={(day) => (day < first ? t('endBeforeStart') : undefined)}
        onDay={(to) => onPeriod({ ...period, to })}
      />
    </div>
  );
}
