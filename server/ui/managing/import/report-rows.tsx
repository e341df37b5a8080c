import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { letterSize } from '../../shell/use-size.ts';
import { ReportRow } from './report-row.tsx';
import type { ReportedRow } from './work.ts';

/** Estimated height of a row before it is measured, in rem. */
const estimatedHeight = 2.75;

/** A virtual list of rows of a report. */
export function ReportRows({
  label,
  rows,
}: {
  readonly label: string;
  readonly rows: readonly ReportedRow[];
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimatedHeight * letterSize(),
    overscan: 8,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section ref={scroller} className="import-rows" tabIndex={0} aria-label={label}>
      <ul style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li
                key={index}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ReportRow row={row} />
              </li>
            )
          );
        })}
      </ul>
    </section>
  );
}
