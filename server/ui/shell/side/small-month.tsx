import { ActionIcon } from '@mantine/core';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Clock } from '../../../dates/clock.ts';
import {
  addDays,
  addMonths,
  type Day,
  monthOf,
  partsOf,
  weekStartOf,
} from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { IconChevronLeft, IconChevronRight } from '../../base/icons.ts';
import { useRoute } from '../../base/navigation.ts';
import { eventsBetween } from '../../data/event-queries.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { rangeOf, withinTime } from '../../views/calendar/range.ts';
import { useGoToDay } from './go-to-day.ts';

/** Returns the number of events on each day of a month. */
function countByDay(clock: Clock, events: readonly Event[], month: Day): ReadonlyMap<Day, number> {
  const counts = new Map<Day, number>();
  const last = addDays(addMonths(month, 1), -1);
  for (const { date } of eventsBetween(clock, events, month, last)) {
    const day = clock.dayOf(date);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return counts;
}

/** Returns the day to which a key moves the focus. */
const daySteps: Readonly<Record<string, (day: Day) => Day>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
  Home: (day) => monthOf(day),
  End: (day) => addDays(addMonths(day, 1), -1),
};

/** Splits days into weeks. */
function weeksOf(days: readonly Day[]): readonly (readonly Day[])[] {
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** The month of the day on view; a step to another month lasts until that day changes. */
function useMonth(): readonly [Day, (month: Day) => void] {
  const { today } = useVisibleEvents();
  const { day } = useRoute();
  const base = monthOf(day ?? today);
  const [stepped, setStepped] = useState({ base, month: base });
  const month = stepped.base === base ? stepped.month : base;
  return [month, (next) => setStepped({ base, month: next })];
}

/** A month with its days underlined that have events; a day leads to it in the agenda. */
export function SmallMonth() {
  const { t, i18n } = useTranslation('calendar');
  const formats = useFormats();
  const { ofTeam, today, clock } = useVisibleEvents();
  const { day: shownDay } = useRoute();
  const goToDay = useGoToDay();
  const [month, setMonth] = useMonth();
  const [focusDay, setFocusDay] = useState<Day | undefined>();
  const table = useRef<HTMLTableElement>(null);
  const shouldFocus = useRef(false);
  const counts = useMemo(() => countByDay(clock, ofTeam, month), [ofTeam, month, clock]);
  const weeks = weeksOf(rangeOf('month', month, weekStartOf(regionalTag(i18n.language))).days);
  const isHere = (day: Day | null | undefined) => day != null && monthOf(day) === month;
  const tabStop = [focusDay, shownDay, today].find(isHere) ?? month;

  useLayoutEffect(() => {
    if (!shouldFocus.current) return;
    shouldFocus.current = false;
    table.current?.querySelector<HTMLElement>(`[data-day="${tabStop}"]`)?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const step = daySteps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = withinTime(step(tabStop));
    if (next === null) return;
    shouldFocus.current = true;
    setFocusDay(next);
    setMonth(monthOf(next));
  };

  const steps = [
    { name: 'previous_month', to: withinTime(addMonths(month, -1)), Chevron: IconChevronLeft },
    { name: 'next_month', to: withinTime(addMonths(month, 1)), Chevron: IconChevronRight },
  ] as const;
  return (
    <>
      <div className="apart small-month-head">
        <h3 aria-live="polite">{capitalize(formats.on('month', month))}</h3>
        <span>
          {steps.map(({ name, to, Chevron }) => (
            <ActionIcon
              key={name}
              variant="subtle"
              color="gray"
              aria-label={t(name)}
              disabled={to === null}
              onClick={() => to !== null && setMonth(to)}
            >
              <Chevron size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
          ))}
        </span>
      </div>
      <table ref={table} className="month-table small-month" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col">
                <span aria-hidden>{formats.on('narrowWeekday', day)}</span>
                <span className="only-spoken">{formats.on('longWeekday', day)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => {
                const count = counts.get(day) ?? 0;
                const name = formats.on('longDay', day);
                const shown = formats.number(count);
                return (
                  <td key={day}>
                    {isHere(day) && (
                      <button
                        type="button"
                        data-day={day}
                        data-full={count > 0 || undefined}
                        data-shown={day === shownDay || undefined}
                        aria-current={day === today ? 'date' : undefined}
                        aria-label={count === 0 ? name : t('day', { day: name, count, shown })}
                        tabIndex={day === tabStop ? 0 : -1}
                        onClick={() => {
                          setFocusDay(day);
                          goToDay(day);
                        }}
                      >
                        {partsOf(day).date}
                      </button>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
