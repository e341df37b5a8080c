import './table.css';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { wordsOf } from '../events/highlight.tsx';
import { useVisibleEvents } from '../events/shown.tsx';
import { type Column, columns } from '../place/place.ts';
import { usePlace } from '../place/use-place.ts';
import { letterSize, useSize } from '../shell/use-size.ts';
import { ColumnMenu } from './column-menu.tsx';
import { tracksOf, widthOf } from './columns.tsx';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useRowAnchor } from './use-kept-row.ts';
import { type GoneTo, useRowKeys } from './use-row-keys.ts';
import { type Sorted, useSorted } from './use-sorted.ts';

/** Heights of rows in rem: one line, or three where there is no room for columns. */
const wideRow = 2.75;
const narrowRow = 5.25;

/** Which columns are shown, and whether there is room for them side by side. */
function useLayout(width = Number.POSITIVE_INFINITY) {
  const { hidden } = usePlace();
  return useMemo(() => {
    const shown = columns.filter((column) => column === 'name' || !hidden.includes(column));
    const isNarrow = width < widthOf(shown);
    return { shown, isNarrow, rowHeight: isNarrow ? narrowRow : wideRow };
  }, [hidden, width]);
}

/** What is said of the order, also to who does not see the arrow. */
function SortState({ isSorting, sorted }: { isSorting: boolean; sorted: Sorted }) {
  const { t } = useTranslation('table');
  const column = t(sorted.sort);
  const said = t(sorted.order === 'asc' ? 'ascending' : 'descending', { column });
  return (
    <p role="status" className={isSorting ? 'table-sorting' : 'only-spoken'}>
      {isSorting ? t('sorting') : said}
    </p>
  );
}

/** Renders the rows near the screen, and the one that has the focus, wherever it is. */
function useRows(sorted: Sorted, table: RefObject<HTMLDivElement | null>, rowHeight: number) {
  const { events } = sorted;
  const { event: chosen, day } = usePlace();
  const { today } = useVisibleEvents();
  const [goneTo, setGoneTo] = useState<GoneTo | null>(null);
  const gone = useMemo(() => findAgain(events, goneTo), [events, goneTo]);
  const size = rowHeight * letterSize();
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => table.current,
    estimateSize: () => size,
    overscan: 12,
    rangeExtractor: (range) => withRow(range, gone?.index),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when rows change height
  useEffect(() => virtualizer.measure(), [virtualizer, size]);
  useRowAnchor({ virtualizer, sorted, chosen, day: day ?? today });
  const keys = useRowKeys({ events, virtualizer, table, goneTo: gone, onGoTo: setGoneTo });
  const rows = virtualizer.getVirtualItems();
  const onScreen = rows.find(({ start }) => start >= (virtualizer.scrollOffset ?? 0));
  return {
    rows,
    keys,
    tabStop: gone?.index ?? onScreen?.index,
    height: virtualizer.getTotalSize(),
  };
}

function Rows({
  events,
  shown,
  rows: { rows, height, tabStop },
}: {
  readonly events: readonly Event[];
  readonly shown: readonly Column[];
  readonly rows: ReturnType<typeof useRows>;
}) {
  const { words, event: chosen } = usePlace();
  const searched = useMemo(() => wordsOf(words), [words]);
  return (
    <div role="presentation" className="table-rows" style={{ height }}>
      {rows.map(({ index, start }) => {
        const event = events[index];
        return (
          event && (
            <TableRow
              key={event.id}
              event={event}
              index={index}
              start={start}
              shown={shown}
              searched={searched}
              isChosen={event.id === chosen}
              isTabStop={index === tabStop}
            />
          )
        );
      })}
    </div>
  );
}

/** All shown events, in columns that can be sorted by and hidden. */
export function TableView() {
  const { t } = useTranslation('table');
  const { events } = useVisibleEvents();
  const { sorted, isSorting } = useSorted(events, usePlace());
  const table = useRef<HTMLDivElement>(null);
  const { shown, isNarrow, rowHeight } = useLayout(useSize(table)?.width);
  const rows = useRows(sorted, table, rowHeight);
  return (
    <div className="table" data-narrow={isNarrow || undefined}>
      <ColumnMenu />
      <SortState isSorting={isSorting} sorted={sorted} />
      {/* biome-ignore lint/a11y/useSemanticElements: rows that are not on screen are not in it */}
      <div
        role="grid"
        className="table-grid"
        aria-label={t('table')}
        aria-rowcount={sorted.events.length + 1}
        aria-colcount={shown.length}
        aria-busy={isSorting}
        style={{ '--table-columns': tracksOf(shown), '--table-row': `${rowHeight}rem` } as object}
        {...rows.keys}
      >
        <TableHead shown={shown} />
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div ref={table} role="rowgroup" className="table-scroller">
          <Rows events={sorted.events} shown={shown} rows={rows} />
        </div>
      </div>
    </div>
  );
}

/** Where a row is after the order has changed; null if it is gone. */
function findAgain(events: Sorted['events'], goneTo: GoneTo | null): GoneTo | null {
  if (goneTo === null || events[goneTo.index]?.id === goneTo.id) return goneTo;
  const index = events.findIndex(({ id }) => id === goneTo.id);
  return index < 0 ? null : { id: goneTo.id, index };
}

/** The rows to render: those near the screen, and the one that has the focus. */
function withRow(range: Range, row: number | undefined): number[] {
  const rows = defaultRangeExtractor(range);
  if (row === undefined || row >= range.count || rows.includes(row)) return rows;
  return [...rows, row].sort((one, other) => one - other);
}
