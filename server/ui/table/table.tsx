import './table.css';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../../db/fold.ts';
import type { Event } from '../../contract.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import { type Column, columns } from '../place/place.ts';
import { usePlace } from '../place/use-place.ts';
import { letterSize, useSize } from '../shell/use-size.ts';
import { ColumnMenu } from './column-menu.tsx';
import { tracksOf, widthOf } from './columns.tsx';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';
import { useRowAnchor } from './use-kept-row.ts';
import { type RowFocus, useRowKeys } from './use-row-keys.ts';
import { type Sorted, useSorted } from './use-sorted.ts';

/** Row heights in rem: one line, or three if there is no room for columns. */
const wideRow = 2.75;
const narrowRow = 5.25;

/** Returns the visible columns, and the row height for columns side by side or stacked. */
function useLayout(width = Number.POSITIVE_INFINITY) {
  const { hidden } = usePlace();
  return useMemo(() => {
    const shown = columns.filter((column) => column === 'name' || !hidden.includes(column));
    const isNarrow = width < widthOf(shown);
    return { shown, isNarrow, rowHeight: isNarrow ? narrowRow : wideRow };
  }, [hidden, width]);
}

/** The sort order for screen readers, or a visible note while sorting. */
function SortState({ isSorting, sorted }: { isSorting: boolean; sorted: Sorted }) {
  const { t } = useTranslation('table');
  const column = t(sorted.sort);
  const description = t(sorted.order === 'asc' ? 'ascending' : 'descending', { column });
  return (
    <p role="status" className={isSorting ? 'table-sorting' : 'only-spoken'}>
      {isSorting ? t('sorting') : description}
    </p>
  );
}

/** Returns the rows near the viewport, always with the focused one, and their keys. */
function useRows(sorted: Sorted, table: RefObject<HTMLDivElement | null>, rowHeight: number) {
  const { events } = sorted;
  const { event: chosen, day } = usePlace();
  const { today } = useVisibleEvents();
  const [lastFocus, setLastFocus] = useState<RowFocus | null>(null);
  const focused = useMemo(() => relocate(events, lastFocus), [events, lastFocus]);
  const size = rowHeight * letterSize();
  const virtualizer = useVirtualizer({
    count: events.length,
    getScrollElement: () => table.current,
    estimateSize: () => size,
    overscan: 12,
    rangeExtractor: (range) => withRow(range, focused?.index),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured again when their height changes
  useEffect(() => virtualizer.measure(), [virtualizer, size]);
  useRowAnchor({ virtualizer, sorted, chosen, day: day ?? today });
  const keys = useRowKeys({
    events,
    virtualizer,
    table,
    lastFocus: focused,
    onFocusRow: setLastFocus,
  });
  const rows = virtualizer.getVirtualItems();
  const onScreen = rows.find(({ start }) => start >= (virtualizer.scrollOffset ?? 0));
  return {
    rows,
    keys,
    tabStop: focused?.index ?? onScreen?.index,
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
      {/* biome-ignore lint/a11y/useSemanticElements: only the rows near the viewport are rendered */}
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

/** Finds a row after the order has changed; returns null if it is gone. */
function relocate(events: Sorted['events'], lastFocus: RowFocus | null): RowFocus | null {
  if (lastFocus === null || events[lastFocus.index]?.id === lastFocus.id) return lastFocus;
  const index = events.findIndex(({ id }) => id === lastFocus.id);
  return index < 0 ? null : { id: lastFocus.id, index };
}

/** Returns the rows to render: those near the viewport, and the focused one. */
function withRow(range: Range, row: number | undefined): number[] {
  const rows = defaultRangeExtractor(range);
  if (row === undefined || row >= range.count || rows.includes(row)) return rows;
  return [...rows, row].sort((one, other) => one - other);
}
