import './agenda.css';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCalendarDue } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../../db/fold.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import { useTodayRequests } from '../place/today.ts';
import { usePlace } from '../place/use-place.ts';
import { AgendaEvent } from './agenda-event.tsx';
import { AgendaHeading } from './agenda-heading.tsx';
import { arrangeRows, type Row } from './rows.ts';
import { useListKeys } from './use-list-keys.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';

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
