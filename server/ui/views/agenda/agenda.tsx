import './agenda.css';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCalendarDue } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../../../db/fold.ts';
import type { Event } from '../../../contract.ts';
import type { Day } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo, usePlace, useTodayRequests } from '../../base/navigation.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { Highlighted } from '../event/highlight.tsx';
import { Marks } from '../event/marks.tsx';
import { useListKeys, useScrollAnchor } from './position.ts';
import { arrangeRows, type Row } from './rows.ts';

function AgendaHeading({ kind, day }: { readonly kind: 'month' | 'today'; readonly day: Day }) {
  const { t } = useTranslation('agenda');
  const formats = useFormats();
  if (kind === 'month') return <h2 className="agenda-month">{formats.on('month', day)}</h2>;
  return (
    <h2 className="agenda-today">
      {t('todayMark')}, {formats.on('longDay', day)}
    </h2>
  );
}

/** Maximum length of a text in a row, in characters: far more than any row can show. */
const maxTextLength = 300;

const AgendaEvent = memo(function AgendaEvent({
  event,
  searched,
  isChosen,
  isTabStop,
}: {
  readonly event: Event;
  readonly searched: readonly string[];
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
}) {
  const formats = useFormats();
  const date = new Date(event.date);
  return (
    <button
      type="button"
      className="agenda-event"
      data-event={event.id}
      data-cancelled={event.status === 'cancelled' || undefined}
      aria-current={isChosen}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => goTo({ event: event.id })}
    >
      <span className="agenda-day">
        <span>{formats.at('weekday', date)}</span>
        <b>{date.getDate()}</b>
        <span className="only-spoken">{formats.at('month', date)}</span>
      </span>
      <span className="agenda-time">{formats.time(date)}</span>
      <span className="agenda-what">
        <strong dir="auto">
          <Highlighted text={event.name.slice(0, maxTextLength)} searched={searched} />
        </strong>
        <span dir="auto">
          <Highlighted text={event.location.slice(0, maxTextLength)} searched={searched} />
        </span>
      </span>
      <Marks event={event} />
    </button>
  );
});

/** Row heights in pixels at a font size of 16 pixels; they scale with the font size. */
const heights: Readonly<Record<Row['kind'], number>> = { month: 52, today: 40, event: 60 };
const rowKinds = ['month', 'today', 'event'] as const;
/** Row height of events on narrow screens, where the marks are below the text. */
const narrowEventHeight = 76;

function useRowHeight(isNarrow: boolean): (kind: Row['kind']) => number {
  const fontScale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return (kind) => fontScale * (kind === 'event' && isNarrow ? narrowEventHeight : heights[kind]);
}

/** The events by month. The list opens at today; past events are above. */
export function Agenda() {
  const { t } = useTranslation('agenda');
  const { events, today } = useVisibleEvents();
  const { words, event: chosen, day } = usePlace();
  const searched = useMemo(() => wordsOf(words), [words]);
  const rows = useMemo(() => arrangeRows(events, today), [events, today]);
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 36rem)', false, { getInitialValueInEffect: false });
  const heightOf = useRowHeight(isNarrow);
  const startOfRow = (row: number) =>
    rowKinds.reduce((sum, kind) => sum + rows.countAbove(row, kind) * heightOf(kind), 0);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => scroller.current,
    estimateSize: (row) => heightOf(rows.kindAt(row)),
    initialOffset: () => startOfRow(rows.rowOfDay(day ?? today)),
    overscan: 15,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes measured at the other width are invalid
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isNarrow]);
  const anchor = useScrollAnchor({
    virtualizer,
    startOfRow,
    scroller,
    rows,
    events,
    day: day ?? today,
    today,
  });
  useTodayRequests(anchor.jumpToToday);
  const keys = useListKeys({ virtualizer, startOfRow, rows, events, chosen, scroller });

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: only the rows near the viewport are rendered */}
      <div ref={scroller} className="agenda" role="list" aria-label={t('list')} {...keys.list}>
        <div
          className="agenda-rows"
          role="presentation"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, key, size, start }) => {
            const row = rows.at(index);
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above
              <div
                key={key}
                role="listitem"
                className="agenda-row"
                aria-setsize={rows.count}
                aria-posinset={index + 1}
                style={{ height: size, transform: `translateY(${start}px)` }}
              >
                {row.kind === 'event' ? (
                  <AgendaEvent
                    event={row.event}
                    searched={searched}
                    isChosen={row.event.id === chosen}
                    isTabStop={keys.tabStop === row.index}
                  />
                ) : (
                  <AgendaHeading kind={row.kind} day={row.day} />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {anchor.isAwayFromToday && (
        <Button
          className="agenda-jump"
          leftSection={<IconCalendarDue size={18} aria-hidden />}
          onClick={anchor.jumpToToday}
        >
          {t('today')}
        </Button>
      )}
    </>
  );
}
