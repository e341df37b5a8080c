import { type KeyboardEvent, useState } from 'react';

/** Position in the chart: the month, and the part of its bar, from below. */
export type Cell = { readonly month: number; readonly part: number };

type Direction = { readonly months: number; readonly parts: number };

/** Steps of the arrow keys for months side by side (columns) and below each other (rows). */
const directions = {
  columns: {
    ArrowLeft: { months: -1, parts: 0 },
    ArrowRight: { months: 1, parts: 0 },
    ArrowUp: { months: 0, parts: 1 },
    ArrowDown: { months: 0, parts: -1 },
  },
  rows: {
    ArrowUp: { months: -1, parts: 0 },
    ArrowDown: { months: 1, parts: 0 },
    ArrowRight: { months: 0, parts: 1 },
    ArrowLeft: { months: 0, parts: -1 },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Direction>>>>;

function directionOf(key: string, chart: HTMLElement): Direction | undefined {
  const areRows = getComputedStyle(chart).flexDirection === 'column';
  const byKey: Readonly<Record<string, Direction>> = directions[areRows ? 'rows' : 'columns'];
  return byKey[key];
}

/** Returns the position one step away; months without events are skipped. */
export function stepFrom(
  { month, part }: Cell,
  { months, parts }: Direction,
  lengths: readonly number[],
): Cell {
  if (months === 0) {
    const last = (lengths[month] ?? 1) - 1;
    return { month, part: Math.min(last, Math.max(0, part + parts)) };
  }
  for (let next = month + months; next >= 0 && next < lengths.length; next += months) {
    const length = lengths[next] ?? 0;
    if (length > 0) return { month: next, part: Math.min(part, length - 1) };
  }
  return { month, part };
}

/** Gives the chart a single tab stop and arrow keys. */
export function useArrowKeys(lengths: readonly number[]) {
  const [lastFocused, setLastFocused] = useState<Cell>({ month: 0, part: 0 });
  const exists = lastFocused.part < (lengths[lastFocused.month] ?? 0);
  const stop = exists ? lastFocused : { month: lengths.findIndex((length) => length > 0), part: 0 };

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const chart = event.currentTarget;
    const direction = directionOf(event.key, chart);
    if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const { month, part } = stepFrom(stop, direction, lengths);
    chart.querySelector<HTMLElement>(`[data-cell="${month}-${part}"]`)?.focus();
  }

  return {
    isStop: ({ month, part }: Cell) => month === stop.month && part === stop.part,
    onFocusCell: setLastFocused,
    onKeyDown,
  };
}
