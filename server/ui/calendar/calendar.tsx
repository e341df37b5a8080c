import '@fullcalendar/react/skeleton.css';
import './calendar.css';
import { type MouseEvent, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../../db/fold.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import { goTo, usePlace } from '../place/use-place.ts';
import type { EventSet } from '../reading/walk.ts';
import { useSize } from '../shell/use-size.ts';
import { type Day, startOf } from '../time/days.ts';
import { regionalTag } from '../time/format.ts';
import { yearsAhead } from './calendar-years.ts';
import { type ItemSurroundings, SurroundingsContext } from './day-item.tsx';
import { Days } from './days.tsx';
import { anchorOf, type Range, rangeOf, weekStartOf } from './range.ts';
import { Toolbar } from './toolbar.tsx';
import { type DayContents, useContents } from './use-contents.ts';
import { dayAround, useDayKeys } from './use-day-keys.ts';
import { Year } from './year.tsx';

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

function useSurroundings(contents: DayContents | undefined, day: Day): ItemSurroundings {
  const { event: chosen, words } = usePlace();
  const view = contents?.layout.view;
  return useMemo(
    () => ({
      chosen,
      searched: wordsOf(words),
      current: view === 'listWeek' ? null : day,
      isRoomy: view === 'listWeek' || view === 'dayGridWeek',
    }),
    [chosen, words, view, day],
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
  const surroundings = useSurroundings(contents, day);
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
    </div>
  );
}
