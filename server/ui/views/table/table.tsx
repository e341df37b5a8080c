import './table.css';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../../../db/fold.ts';
import type { Event } from '../../../contract.ts';
import { type Column, columns } from '../../base/address.ts';
import { remInPixels, useSize } from '../../base/browser.ts';
import { goTo, usePlace } from '../../base/navigation.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { ColumnMenu, cells, tracksOf, widthOf } from './columns.tsx';
import { type RowFocus, useRowAnchor, useRowKeys } from './row-focus.ts';
import { type Sorted, useSorted } from './sort.ts';

export const TableRow = memo(function TableRow({
  event,
  index,
  start,
  visibleColumns,
  searched,
  isChosen,
  isTabStop,
}: {
  readonly event: Event;
  /** Position among all rows, from 0. */
  readonly index: number;
  /** Offset from the first row, in pixels. */
  readonly start: number;
  readonly visibleColumns: readonly Column[];
  readonly searched: readonly string[];
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
}) {
  const showsState = !visibleColumns.includes('status');
  return (
    // biome-ignore lint/a11y/useSemanticElements: only the rows near the viewport are rendered
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table handles the keys of all rows
    <div
      role="row"
      className="table-row"
      aria-rowindex={index + 2}
      aria-current={isChosen || undefined}
      data-event={event.id}
      data-index={index}
      data-cancelled={event.status === 'cancelled' || undefined}
      tabIndex={isTabStop ? 0 : -1}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => goTo({ event: event.id })}
    >
      {visibleColumns.map((column) => {
        const Cell = cells[column];
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: rows take the focus, not their cells
          <div key={column} role="gridcell" className={`table-cell table-${column}`}>
            <Cell event={event} searched={searched} showsState={showsState} />
          </div>
        );
      })}
    </div>
  );
});

const directions = { asc: 'ascending', desc: 'descending' } as const;

function Heading({ column }: { readonly column: Column }) {
  const { t } = useTranslation('table');
  const { sort, order } = usePlace();
  const isSorted = sort === column;
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    // biome-ignore lint/a11y/useSemanticElements: virtualised rows cannot be in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: its button is focusable
    <div role="columnheader" aria-sort={isSorted ? directions[order] : 'none'}>
      <button
        type="button"
        className="table-sort"
        onClick={() => goTo({ sort: column, order: isSorted && order === 'asc' ? 'desc' : 'asc' })}
      >
        {t(column)}
        {isSorted && <Arrow size={16} aria-hidden />}
      </button>
    </div>
  );
}

export function TableHead({ visibleColumns }: { readonly visibleColumns: readonly Column[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: same as its headings
    // biome-ignore lint/a11y/useFocusableInteractive: same as its headings
    <div role="row" className="table-head" aria-rowindex={1}>
      {visibleColumns.map((column) => (
        <Heading key={column} column={column} />
      ))}
    </div>
  );
}

/** Row heights in rem: one line, or three if there is no room for columns. */
const wideRow = 2.75;
const narrowRow = 5.25;
/** Maximum width of a scroll bar in rem. */
const scrollBar = 1;

/** Returns the visible columns, and the row height for columns side by side or stacked. */
function useLayout(width: number) {
  const { hidden } = usePlace();
  return useMemo(() => {
    const visibleColumns = columns.filter(
      (column) => column === 'name' || !hidden.includes(column),
    );
    const isNarrow = width < widthOf(visibleColumns);
    return { visibleColumns, isNarrow, rowHeight: isNarrow ? narrowRow : wideRow };
  }, [hidden, width]);
}

/** The sort order for screen readers. */
function SortState({ sorted: { sort, order } }: { readonly sorted: Sorted }) {
  const { t } = useTranslation('table');
  return (
    <p role="status" className="only-spoken">
      {t(order === 'asc' ? 'ascending' : 'descending', { column: t(sort) })}
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
  const size = rowHeight * remInPixels();
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
  visibleColumns,
  rows: { rows, height, tabStop },
}: {
  readonly events: readonly Event[];
  readonly visibleColumns: readonly Column[];
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
              visibleColumns={visibleColumns}
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

function Grid({ width }: { readonly width: number }) {
  const { t } = useTranslation('table');
  const { events } = useVisibleEvents();
  const sorted = useSorted(events, usePlace());
  const table = useRef<HTMLDivElement>(null);
  const { visibleColumns, isNarrow, rowHeight } = useLayout(width);
  const rows = useRows(sorted, table, rowHeight);
  return (
    <div className="table" data-narrow={isNarrow || undefined}>
      <ColumnMenu />
      <SortState sorted={sorted} />
      {/* biome-ignore lint/a11y/useSemanticElements: only the rows near the viewport are rendered */}
      <div
        role="grid"
        className="table-grid"
        aria-label={t('table')}
        aria-rowcount={sorted.events.length + 1}
        aria-colcount={visibleColumns.length}
        style={
          {
            '--table-columns': tracksOf(visibleColumns),
            '--table-row': `${rowHeight}rem`,
          } as object
        }
        {...rows.keys}
      >
        <TableHead visibleColumns={visibleColumns} />
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div ref={table} role="rowgroup" className="table-scroller">
          <Rows events={sorted.events} visibleColumns={visibleColumns} rows={rows} />
        </div>
      </div>
    </div>
  );
}

/** The events as a table. Its rows are placed once its width decides how high they are. */
export function TableView() {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  return (
    <div ref={frame} className="table-frame">
      {size && <Grid width={size.width - scrollBar} />}
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
