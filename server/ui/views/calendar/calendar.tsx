import '@fullcalendar/react/skeleton.css';
import './calendar.css';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../../../db/fold.ts';
import { useSize } from '../../base/browser.ts';
import { addDays, type Day, startOf, weekStartOf } from '../../base/days.ts';
import { regionalTag } from '../../base/format.ts';
import { adjustPlace, goTo, usePlace } from '../../base/navigation.ts';
import type { EventSet } from '../../data/read-all.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { type DayContents, useContents } from './contents.ts';
import { DayDialog } from './day-dialog.tsx';
import { Days } from './day-grid.tsx';
import { type ItemSurroundings, SurroundingsContext } from './day-item.tsx';
import { anchorOf, type Range, rangeOf, shiftYears, withinTime, yearsAhead } from './range.ts';
import { Toolbar } from './toolbar.tsx';
import { Year } from './year.tsx';

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

function isRead({ first, end }: Range, source: EventSet | undefined): boolean {
  if (source === undefined) return false;
  const { events, pastRead, comingRead } = source;
  const begins = events[0]?.date ?? '';
  const ends = events.at(-1)?.date ?? '';
  return (pastRead || startOf(first) > begins) && (comingRead || startOf(end) <= ends);
}

/** Opens the clicked day in the agenda, unless the click was on a button or a link. */
function openDay({ target }: MouseEvent, years: number): void {
  const clicked = target as Element;
  const day = clicked.closest('[role="cell"]') && dayAround(clicked, years);
  if (day && !clicked.closest('button, [role="link"]')) goTo({ view: 'agenda', day });
}

function useSurroundings(
  contents: DayContents | undefined,
  day: Day,
  listDay: (day: Day) => void,
): ItemSurroundings {
  const { event: chosen, words } = usePlace();
  const view = contents?.layout.view;
  return useMemo(
    () => ({
      chosen,
      searched: wordsOf(words),
      current: view === 'listWeek' ? null : day,
      isRoomy: view === 'listWeek' || view === 'dayGridWeek',
      listDay,
    }),
    [chosen, words, view, day, listDay],
  );
}

export function CalendarView() {
  const { t, i18n } = useTranslation('calendar');
  const { source, today } = useVisibleEvents();
  const { span, day: placeDay } = usePlace();
  const day: Day = placeDay ?? today;
  const weekStart = weekStartOf(regionalTag(i18n.language));
  const anchor = anchorOf(span, day, weekStart);
  const range = useMemo(() => rangeOf(span, anchor, weekStart), [span, anchor, weekStart]);
  const grid = useRef<HTMLDivElement>(null);
  const years = span === 'year' ? 0 : yearsAhead(anchor);
  const contents = useContents(range, useSize(grid));
  const onKeyDown = useDayKeys(grid, day, years);
  const [listedDay, setListedDay] = useState<Day | null>(null);
  const surroundings = useSurroundings(contents, day, setListedDay);
  return (
    <div className="calendar">
      <Toolbar span={span} day={day} range={range} />
      <p role="status" className="calendar-state">
        {isRead(range, source) ? '' : t('stillReading')}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the elements in it are focusable */}
      <div
        ref={grid}
        className="calendar-grid"
        data-roomy={surroundings.isRoomy || undefined}
        data-counts={contents?.layout.room === null || undefined}
        onClick={(event) => openDay(event, years)}
        onKeyDown={onKeyDown}
      >
        {contents && (
          <SurroundingsContext value={surroundings}>
            {contents.layout.view === 'year' ? (
              <Year {...contents} today={today} weekStart={weekStart} />
            ) : (
              <Days {...contents} view={contents.layout.view} today={today} weekStart={weekStart} />
            )}
          </SurroundingsContext>
        )}
      </div>
      <DayDialog day={listedDay} onClose={() => setListedDay(null)} />
    </div>
  );
}
