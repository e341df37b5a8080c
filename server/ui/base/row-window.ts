import { useLayoutEffect, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';

/** A row of a list; its offsets count from the upper edge of the document, in pixels. */
export type PlacedRow = {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly size: number;
};

type RowList = {
  readonly count: number;
  /** Returns the offset of a row, or of the end of the list, in pixels below its upper edge. */
  readonly startOfRow: (row: number) => number;
  /** Offset of the list below the upper edge of the document, in pixels. */
  readonly top: number;
};

/** The first and the last row in the window. */
type RowRange = { readonly first: number; readonly last: number };

/** Returns the last row that begins at or above an offset below the upper edge of the list. */
export function rowAt(
  { count, startOfRow }: Pick<RowList, 'count' | 'startOfRow'>,
  offset: number,
): number {
  let low = 0;
  let high = Math.max(0, count - 1);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (startOfRow(middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function rangeAt(list: RowList, scrolled: number): RowRange {
  const offset = scrolled - list.top;
  return { first: rowAt(list, offset), last: rowAt(list, offset + window.innerHeight) };
}

const isSame = (one: RowRange, other: RowRange) =>
  one.first === other.first && one.last === other.last;

/**
 * Returns the rows of a list in the window and up to `overscan` rows beside them; the page scrolls the
 * list. Heights are known before rows are rendered, so that nothing is measured, and a long list costs
 * no more than a short one. `target` is the offset to which an effect before this hook scrolls the page;
 * undefined if it stays where it is.
 */
export function useRowWindow(
  list: RowList & { readonly target: number | undefined; readonly overscan: number },
): RowRange & { readonly items: readonly PlacedRow[] } {
  const { count, startOfRow, top, target, overscan } = list;
  const [, render] = useReducer((before: number) => before + 1, 0);
  const scrolled = useRef(0);
  const range = rangeAt(list, target ?? scrolled.current);
  const latest = useRef({ list, range });
  useLayoutEffect(() => {
    scrolled.current = window.scrollY;
    latest.current = { list, range };
    // The document may end before the target.
    if (!isSame(rangeAt(list, window.scrollY), range)) render();
  });

  useLayoutEffect(() => {
    const follow = () => {
      scrolled.current = window.scrollY;
      const { list: shown, range: before } = latest.current;
      // In the same frame, which would otherwise show an empty place.
      if (!isSame(rangeAt(shown, window.scrollY), before)) flushSync(render);
    };
    window.addEventListener('scroll', follow, { passive: true });
    window.addEventListener('resize', follow);
    return () => {
      window.removeEventListener('scroll', follow);
      window.removeEventListener('resize', follow);
    };
  }, []);

  const from = Math.max(0, range.first - overscan);
  const length = Math.max(0, Math.min(count, range.last + overscan + 1) - from);
  const items = Array.from({ length }, (_, at) => {
    const index = from + at;
    const [start, end] = [top + startOfRow(index), top + startOfRow(index + 1)];
    return { index, start, end, size: end - start };
  });
  return { ...range, items };
}
