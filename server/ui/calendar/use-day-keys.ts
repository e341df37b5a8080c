import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { adjustPlace } from '../place/use-place.ts';
import { addDays, type Day } from '../time/days.ts';
import { shiftYears } from './calendar-years.ts';
import { withinTime } from './range.ts';

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

const days = ':is(td, [role="cell"])[data-date]';

/** Returns the day of the cell that contains an element. */
export function dayAround(element: Element, years: number): Day | undefined {
  const date = element.closest(days)?.getAttribute('data-date');
  return date ? (withinTime(shiftYears(date, -years)) ?? undefined) : undefined;
}

/** Gives the days a single tab stop and arrow keys, which may leave the visible range. */
export function useDayKeys(grid: RefObject<HTMLElement | null>, current: Day, years: number) {
  const toFocus = useRef(false);

  const apply = useCallback(() => {
    for (const link of grid.current?.querySelectorAll<HTMLElement>(
      `${days} :is(button.calendar-day-link, [role="link"])`,
    ) ?? []) {
      const isCurrent = dayAround(link, years) === current;
      link.tabIndex = isCurrent ? 0 : -1;
      if (!isCurrent || !toFocus.current) continue;
      toFocus.current = false;
      link.focus();
    }
  }, [grid, current, years]);

  useLayoutEffect(apply);
  // FullCalendar does not render its days together with this component.
  useEffect(() => {
    if (grid.current === null) return;
    const observer = new MutationObserver(apply);
    observer.observe(grid.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [grid, apply]);

  return function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const day = dayAround(event.target as Element, years);
    const next = day && withinTime(addDays(day, step));
    if (!next) return;
    event.preventDefault();
    toFocus.current = true;
    adjustPlace({ day: next });
  };
}
