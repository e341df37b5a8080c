import './table.css';
import { memo, type RefObject, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { wordsOf } from '../../../../db/fold.ts';
import type { Event } from '../../../http/contract.ts';
import { type Column, columns } from '../../base/address.ts';
import { remInPixels, useDocumentTop, useSize } from '../../base/browser.ts';
import { useClock } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { useTexts } from '../../base/i18n.ts';
import { IconArrowDown, IconArrowUp } from '../../base/icons.ts';
import { currentRoute, goTo, useRoute } from '../../base/navigation.ts';
import { type PlacedRow, useRowWindow } from '../../base/row-window.ts';
import { changedEvent } from '../../data/changed-event.ts';
import { bulkPreview, type EventsChange, useEditor } from '../../data/editor.ts';
import { type Proposal, proposedEvent, useProposals } from '../../data/proposals.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { BulkBar } from '../selection/bulk-bar.tsx';
import { type Selection, useFocusAfterClear, useSelection } from '../selection/selection.ts';
import { ColumnMenu, cells, tracksOf, widthOf } from './columns.tsx';
import { type RowFocus, relocate, useRowAnchor, useRowKeys } from './row-focus.ts';
import { type Sorted, useSorted } from './sort.ts';

/** The checkbox of a row, which the keys of the row replace for the keyboard. */
function RowCheckbox(props: { readonly event: Event; readonly isSelected: boolean }) {
  const { event, isSelected } = props;
  const { id, name } = event;
  const { t } = useTexts('selection');
  return (
    // biome-ignore lint/a11y/useSemanticElements: only the rows near the viewport are rendered
    // biome-ignore lint/a11y/useFocusableInteractive: rows take the focus, not their cells
    <div role="gridcell" className="centred pick table-select" data-pick={id}>
      <input
        type="checkbox"
        tabIndex={-1}
        readOnly
        checked={isSelected}
        aria-label={t('select', { name })}
      />
    </div>
  );
}

export const TableRow = memo(function TableRow({
  event,
  index,
  start,
  visibleColumns,
  searched,
  isPast,
  isChosen,
  isSelected,
  preview,
  proposals,
  isTabStop,
}: {
  readonly event: Event;
  /** Position among all rows, from 0. */
  readonly index: number;
  /** Offset from the first row, in pixels. */
  readonly start: number;
  readonly visibleColumns: readonly Column[];
  readonly searched: readonly string[];
  readonly isPast: boolean;
  readonly isChosen: boolean;
  /** Undefined if rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  /** A change that is shown, but not made; null without one. */
  readonly preview: EventsChange | null;
  /** The proposals for the event; undefined without any. */
  readonly proposals: readonly Proposal[] | undefined;
  readonly isTabStop: boolean;
}) {
  const clock = useClock();
  const next =
    (preview && changedEvent(clock, event, preview)) ?? proposedEvent(event, proposals ?? []);
  const showsState = !visibleColumns.includes('status');
  return (
    // biome-ignore lint/a11y/useSemanticElements: only the rows near the viewport are rendered
    <div
      role="row"
      className="table-row"
      aria-rowindex={index + 2}
      aria-current={isChosen || undefined}
      aria-selected={isSelected}
      data-event={event.id}
      data-index={index}
      data-status={event.status}
      data-past={isPast || undefined}
      data-proposed={proposals !== undefined || undefined}
      tabIndex={isTabStop ? 0 : -1}
      style={{ transform: `translateY(${start}px)` }}
    >
      {isSelected !== undefined && <RowCheckbox event={event} isSelected={isSelected} />}
      {visibleColumns.map((column) => {
        const Cell = cells[column];
        return (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: rows take the focus, not their cells
          <div key={column} role="gridcell" className={`cut table-cell table-${column}`}>
            <Cell event={event} next={next} searched={searched} showsState={showsState} />
          </div>
        );
      })}
    </div>
  );
});

const directions = { asc: 'ascending', desc: 'descending' } as const;

function Heading({ column }: { readonly column: Column }) {
  const { t } = useTranslation('table');
  const { sort, order } = useRoute();
  const isSorted = sort === column;
  const sortBy = () => {
    const { sort: last, order: lastOrder } = currentRoute();
    goTo({ sort: column, order: last === column && lastOrder === 'asc' ? 'desc' : 'asc' });
  };
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    // biome-ignore lint/a11y/useSemanticElements: virtualised rows cannot be in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: its button is focusable
    <div role="columnheader" aria-sort={isSorted ? directions[order] : 'none'}>
      <button type="button" className="inline quiet strong table-sort" onClick={sortBy}>
        {t(column)}
        {isSorted && <Arrow size={16} aria-hidden />}
      </button>
    </div>
  );
}

/** The checkbox that selects all rows, or none. */
function AllCheckbox({ selection }: { readonly selection: Selection }) {
  const { t } = useTranslation('selection');
  const formats = useFormats();
  const { count, isAll } = selection;
  const isSome = selection.ids.size > 0 && !isAll;
  return (
    // biome-ignore lint/a11y/useSemanticElements: virtualised rows cannot be in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: its checkbox is focusable
    <div role="columnheader" className="centred pick table-select">
      <input
        type="checkbox"
        ref={(input) => {
          if (input) input.indeterminate = isSome;
        }}
        checked={isAll}
        aria-label={t('selectAll', { shown: formats.number(count) })}
        onChange={isAll ? selection.clear : selection.selectAll}
      />
    </div>
  );
}

/** Row heights in rem: one line, or three if there is no room for columns. */
const wideRow = 2.75;
const narrowRow = 5.25;

/** Returns the visible columns with their tracks, and the row height for columns side by side or stacked. */
function useLayout(width: number, hasCheckbox: boolean) {
  const { hidden } = useRoute();
  const timeLength = useFormats().clock('20:00').length;
  return useMemo(() => {
    const visibleColumns = columns.filter(
      (column) => column === 'name' || !hidden.includes(column),
    );
    const form = { hasCheckbox, timeLength };
    const isNarrow = width < widthOf(visibleColumns, form);
    const tracks = tracksOf(visibleColumns, form);
    return { visibleColumns, tracks, isNarrow, rowHeight: isNarrow ? narrowRow : wideRow };
  }, [hidden, width, hasCheckbox, timeLength]);
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
function useRows(
  sorted: Sorted,
  { rows, head, bar }: Record<'rows' | 'head' | 'bar', RefObject<HTMLDivElement | null>>,
  rowHeight: number,
) {
  const { events } = sorted;
  const { event: chosen, day } = useRoute();
  const { today } = useVisibleEvents();
  const [lastFocus, setLastFocus] = useState<RowFocus | null>(null);
  const focused = useMemo(() => relocate(events, lastFocus), [events, lastFocus]);
  const size = rowHeight * remInPixels();
  const top = useDocumentTop(rows);
  const coverOf = () => {
    const stuck = [head.current, bar.current].find(
      (element) => element !== null && getComputedStyle(element).position === 'sticky',
    );
    return stuck ? Number.parseFloat(getComputedStyle(stuck).top) + stuck.offsetHeight : 0;
  };
  const places = { top, size, coverOf };
  const target = useRowAnchor({ places, sorted, chosen, day: day ?? today });
  const { items: near } = useRowWindow({
    count: events.length,
    startOfRow: (row) => row * size,
    top,
    target,
    overscan: 12,
  });
  const items = withRow(near, focused?.index, { top, size, count: events.length });
  const keys = useRowKeys({
    events,
    places,
    rows,
    lastFocus,
    focused,
    onFocusRow: setLastFocus,
  });
  const edge = window.scrollY + coverOf();
  return {
    items,
    keys,
    top,
    tabStop: focused?.index ?? items.find(({ start }) => start >= edge)?.index ?? items[0]?.index,
    height: events.length * size,
  };
}

function Rows(props: {
  readonly events: readonly Event[];
  readonly visibleColumns: readonly Column[];
  /** Ids of the selected events; undefined if rows cannot be selected. */
  readonly selected: ReadonlySet<number> | undefined;
  /** The change of the selected events that is shown. */
  readonly preview: EventsChange | null;
  readonly rows: ReturnType<typeof useRows>;
}) {
  const { events, visibleColumns, selected, preview, rows } = props;
  const { items, top, tabStop } = rows;
  const { words, event: chosen } = useRoute();
  const { today, clock } = useVisibleEvents();
  const searched = useMemo(() => wordsOf(words), [words]);
  const byEvent = useProposals()?.byEvent;
  const startOfToday = clock.startOf(today);
  return items.map(({ index, start }) => {
    const event = events[index];
    return (
      event && (
        <TableRow
          key={event.id}
          event={event}
          index={index}
          start={start - top}
          visibleColumns={visibleColumns}
          searched={searched}
          isPast={event.date < startOfToday}
          isChosen={event.id === chosen}
          isSelected={selected?.has(event.id)}
          preview={selected?.has(event.id) ? preview : null}
          proposals={byEvent?.get(event.id)}
          isTabStop={index === tabStop}
        />
      )
    );
  });
}

function Grid({ width }: { readonly width: number }) {
  const { t } = useTranslation('table');
  const { events } = useVisibleEvents();
  const sorted = useSorted(events, useRoute());
  const canSelect = useEditor() !== undefined;
  const head = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const barHeight = useSize(bar)?.height ?? 0;
  const { visibleColumns, tracks, isNarrow, rowHeight } = useLayout(width, canSelect);
  const rows = useRows(sorted, { rows: list, head, bar }, rowHeight);
  const { selection, onClick, onKeyDown } = useSelection(sorted.events);
  const preview = bulkPreview.use();
  useFocusAfterClear(selection.ids.size, list);
  return (
    <div
      className="table"
      data-narrow={isNarrow || undefined}
      style={{ '--table-bar': `${barHeight}rem` } as object}
    >
      <div ref={bar} className="row table-bar">
        <ColumnMenu />
      </div>
      <SortState sorted={sorted} />
      {/* biome-ignore lint/a11y/useSemanticElements: only the rows near the viewport are rendered */}
      <div
        role="grid"
        className="table-grid"
        aria-label={t('table')}
        aria-rowcount={selection.count + 1}
        aria-colcount={visibleColumns.length + (canSelect ? 1 : 0)}
        aria-multiselectable={canSelect || undefined}
        style={
          {
            '--table-columns': tracks,
            '--table-row': `${rowHeight}rem`,
          } as object
        }
        onClick={onClick}
        onFocus={rows.keys.onFocus}
        onKeyDown={(event) => {
          onKeyDown(event);
          rows.keys.onKeyDown(event);
        }}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: same as its headings */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: same as its headings */}
        <div ref={head} role="row" className="table-head" aria-rowindex={1}>
          {canSelect && <AllCheckbox selection={selection} />}
          {visibleColumns.map((column) => (
            <Heading key={column} column={column} />
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div ref={list} role="rowgroup" className="table-rows" style={{ height: rows.height }}>
          <Rows
            events={sorted.events}
            visibleColumns={visibleColumns}
            selected={canSelect ? selection.ids : undefined}
            preview={preview}
            rows={rows}
          />
        </div>
      </div>
      <BulkBar selection={selection} />
    </div>
  );
}

/** The events as a table. Its rows are placed once its width decides how high they are. */
export function TableView() {
  const frame = useRef<HTMLDivElement>(null);
  const size = useDeferredValue(useSize(frame));
  return <div ref={frame}>{size && <Grid width={size.width} />}</div>;
}

/** Returns the rows to render: those near the window, and the focused one. */
function withRow(
  near: readonly PlacedRow[],
  row: number | undefined,
  { top, size, count }: { readonly top: number; readonly size: number; readonly count: number },
): readonly PlacedRow[] {
  if (row === undefined || row >= count || near.some(({ index }) => index === row)) return near;
  const start = top + row * size;
  const focused = { index: row, start, end: start + size, size };
  return [...near, focused].sort((one, other) => one.index - other.index);
}
