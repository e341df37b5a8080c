import './calendar.css';
import { useMediaQuery } from '@mantine/hooks';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../../../db/fold.ts';
import type { Clock } from '../../../dates/clock.ts';
import { addDays, type Day, weekStartOf } from '../../../dates/days.ts';
import type { Span } from '../../base/address.ts';
import { regionalTag } from '../../base/format.ts';
import { adjustRoute, goTo, useCurrent, useRoute } from '../../base/navigation.ts';
import { usePreferences } from '../../base/preferences.ts';
import { useClubSettings } from '../../data/club-settings.ts';
import { useDaysOff } from '../../data/days-off.ts';
import { useEditor } from '../../data/editor.ts';
import { useMirror } from '../../data/mirror-context.ts';
import type { EventSet } from '../../data/read-all.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { type Contents, useContents } from './contents.ts';
import { Days } from './day-columns.tsx';
import { DayDialog } from './day-dialog.tsx';
import { type Surroundings, SurroundingsContext } from './day-item.tsx';
import { arrowSteps, dayAround, useMoving } from './moving.ts';
import { anchorOf, dayInMonth, type Range, rangeOf, withinTime } from './range.ts';
import { Toolbar, useTitle } from './toolbar.tsx';
import { Year } from './year.tsx';

const isVisible = (element: Element) => element.checkVisibility();

/** Returns the day to which an arrow key moves; days that a list hides are skipped. */
function dayFrom(day: Day, step: number, grid: HTMLElement): Day {
  const cells = Array.from(grid.querySelectorAll('[data-date]'));
  if (cells.every(isVisible)) return addDays(day, step);
  const direction = Math.sign(step);
  const at = cells.findIndex((cell) => dayAround(cell) === day);
  const beyond = direction < 0 ? cells.slice(0, at).reverse() : cells.slice(at + 1);
  const next = beyond.find(isVisible);
  const edge = dayAround((direction < 0 ? cells[0] : cells.at(-1)) as Element);
  return (next && dayAround(next)) ?? addDays(edge ?? day, direction);
}

/** Months that a key moves by. */
const monthSteps: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/** Gives the days a single tab stop and keys, which may leave the visible range. */
function useDayKeys(grid: RefObject<HTMLElement | null>, current: Day, isShown: boolean) {
  const toFocus = useRef(false);

  const apply = useCallback(() => {
    const cells = Array.from(grid.current?.querySelectorAll('[data-date]') ?? []).filter(isVisible);
    const stop = cells.find((cell) => dayAround(cell) === current) ?? cells[0];
    for (const cell of cells) {
      const tabIndex = cell === stop ? 0 : -1;
      for (const button of cell.querySelectorAll('button')) {
        if (button.tabIndex !== tabIndex) button.tabIndex = tabIndex;
      }
    }
    // Another range is not rendered at once.
    if (!toFocus.current || !isShown) return;
    toFocus.current = false;
    stop?.querySelector('button')?.focus();
  }, [grid, current, isShown]);

  useLayoutEffect(apply);

  const focusNext = useCallback(() => {
    toFocus.current = true;
  }, []);
  function onKeyDown(event: KeyboardEvent): void {
    const day = dayAround(event.target as Element);
    if (!day || !grid.current || event.altKey || event.ctrlKey || event.metaKey) return;
    const [days, months] = [arrowSteps[event.key], monthSteps[event.key]];
    const to = days ? dayFrom(day, days, grid.current) : months && dayInMonth(day, months);
    const next = to ? withinTime(to) : null;
    if (next === null) return;
    event.preventDefault();
    focusNext();
    adjustRoute({ day: next });
  }
  return { onKeyDown, focusNext };
}

/**
 * Opens the form for a new event on a day: by a double click on it, or by `n`. In a mirrored club
 * the form says why it is closed.
 */
function useNewEvent() {
  const editor = useEditor();
  const mirror = useMirror();
  const hasForm = editor !== undefined || Boolean(mirror);
  const { letterKeys } = usePreferences();
  const open = (target: EventTarget): boolean => {
    const around = dayAround(target as Element);
    const day = around && withinTime(around);
    if (!hasForm || !day) return false;
    goTo({ form: 'new', formDay: day, event: null });
    return true;
  };
  return {
    onDoubleClick({ target }: MouseEvent): void {
      if (!(target as Element).closest('button')) open(target);
    },
    onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'n' || !letterKeys || event.altKey || event.ctrlKey || event.metaKey)
        return;
      if (open(event.target)) event.preventDefault();
    },
  };
}

function isRead(clock: Clock, { first, end }: Range, source: EventSet | undefined): boolean {
  if (source === undefined) return false;
  const { events, pastRead, comingRead } = source;
  const begins = events[0]?.date ?? '';
  const ends = events.at(-1)?.date ?? '';
  return (pastRead || clock.startOf(first) > begins) && (comingRead || clock.startOf(end) <= ends);
}

/** Shows the top of another span, as the page may be scrolled far down. */
function useTop(span: Span): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each span
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
  }, [span]);
}

/** Returns what is special about a range: that it may be incomplete, or that a filter hides all. */
function useNote(range: Range, { byDay }: Contents): string {
  const { t } = useTranslation(['calendar', 'shell']);
  const { source, events, clock } = useVisibleEvents();
  if (!isRead(clock, range, source)) return t('stillReading');
  return byDay.size === 0 && events.length === 0 ? t('shell:noMatch') : '';
}

export function CalendarView() {
  const { i18n } = useTranslation();
  const { today } = useVisibleEvents();
  const { event: chosen, words } = useRoute();
  // The buttons and keys that step to another range count from the last one.
  const span = useCurrent('span');
  const placeDay = useCurrent('day');
  const canMove = useEditor() !== undefined;
  const day: Day = placeDay ?? today;
  const weekStart = weekStartOf(regionalTag(i18n.language));
  const { seasonStart } = useClubSettings();
  const anchor = anchorOf(span, day, { weekStart, seasonStart });
  const range = useMemo(() => rangeOf(span, anchor, weekStart), [span, anchor, weekStart]);
  const isList = useMediaQuery('(max-width: 43.75rem)', false, { getInitialValueInEffect: false });
  const grid = useRef<HTMLDivElement>(null);
  const [openedDay, setOpenedDay] = useState<Day | null>(null);
  const moving = useMoving(grid);
  const contents = useContents(
    { span, range, day: placeDay },
    moving.movedId,
    span !== 'year' && !isList,
  );
  const isShown = contents.span === span && contents.anchor === anchor;
  const { onKeyDown: onDayKey, focusNext } = useDayKeys(grid, day, isShown);
  const newEvent = useNewEvent();
  const daysOff = useDaysOff();
  const title = useTitle(span, range);
  const note = useNote(range, contents);
  useTop(span);
  const isYear = contents.span === 'year';
  const openDay = useCallback(
    (opened: Day) => {
      if (!isYear) return setOpenedDay(opened);
      focusNext();
      goTo({ span: 'month', day: opened });
    },
    [isYear, focusNext],
  );
  const surroundings = useMemo<Surroundings>(
    () => ({
      chosen,
      searched: wordsOf(words),
      isRoomy: contents.span === 'week',
      isList,
      canMove,
      openDay,
    }),
    [chosen, words, contents.span, isList, canMove, openDay],
  );

  function onKeyDown(event: KeyboardEvent): void {
    if (moving.onKeyDown(event)) return;
    onDayKey(event);
    newEvent.onKeyDown(event);
  }

  return (
    <div className="calendar">
      <Toolbar
        span={span}
        anchor={anchor}
        title={title}
        types={contents.types}
        hasDaysOff={daysOff.between(range.first, addDays(range.end, -1)).length > 0}
      />
      <p role="status" className="optional calendar-state">
        {note}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the elements in it are focusable */}
      <div
        ref={grid}
        className="calendar-body"
        onKeyDown={onKeyDown}
        onDoubleClick={newEvent.onDoubleClick}
        {...moving.handlers}
      >
        <SurroundingsContext value={surroundings}>
          {isYear ? (
            <Year {...contents} today={today} weekStart={weekStart} />
          ) : (
            <Days {...contents} today={today} landing={moving.landing} label={title} />
          )}
        </SurroundingsContext>
      </div>
      <DayDialog day={openedDay} onClose={() => setOpenedDay(null)} />
    </div>
  );
}
