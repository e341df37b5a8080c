import { memo } from 'react';
import type { Event } from '../../contract.ts';
import type { Column } from '../place/place.ts';
import { goTo } from '../place/use-place.ts';
import { cells } from './columns.tsx';

export const TableRow = memo(function TableRow({
  event,
  index,
  start,
  shown,
  searched,
  isChosen,
  isTabStop,
}: {
  readonly event: Event;
  /** Position among all rows, from 0. */
  readonly index: number;
  /** Offset from the first row, in pixels. */
  readonly start: number;
  readonly shown: readonly Column[];
  readonly searched: readonly string[];
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
}) {
  const showsState = !shown.includes('status');
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
      {shown.map((column) => {
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
