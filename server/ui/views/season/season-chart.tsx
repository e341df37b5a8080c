import './season-chart.css';
import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Day, monthOf, partsOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { usePreferences } from '../../base/preferences.ts';
import type { Kind, KindCount, MonthCount, SeasonCount } from './counts.ts';
import { useKindName } from './kind-name.ts';

/** Position in the chart: the month, and the part of its bar, from below. */
type Cell = { readonly month: number; readonly part: number };

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
function useArrowKeys(lengths: readonly number[]) {
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

type Choose = (month: Day, kind: Kind | null) => void;

type MonthProps = {
  readonly count: MonthCount;
  /** Position in the season, from 0. */
  readonly index: number;
  readonly most: number;
  readonly isNow: boolean;
  readonly keys: ReturnType<typeof useArrowKeys>;
  readonly onChoose: Choose;
};

const hasEvents = ({ count }: KindCount) => count > 0;

function Month({ count: { month, total, kinds }, index, most, isNow, keys, onChoose }: MonthProps) {
  const { t } = useTranslation(['season', 'event']);
  const nameOf = useKindName();
  const formats = useFormats();
  const name = formats.on('month', month);
  const { year, month: number } = partsOf(month);
  const parts = kinds.filter(hasEvents);
  return (
    <div className="season-month" data-now={isNow || undefined}>
      <div className="season-bar" style={{ '--share': total / (most || 1) } as CSSProperties}>
        {parts.map(({ kind, count }, part) => {
          const events = t('event:number', { count, shown: formats.number(count) });
          const spoken = t('bar', { month: name, kind: nameOf(kind), events });
          return (
            <button
              key={kind}
              type="button"
              className="season-part season-fill"
              data-kind={kind}
              data-cell={`${index}-${part}`}
              style={{ flexGrow: count }}
              aria-label={spoken}
              title={spoken}
              tabIndex={keys.isStop({ month: index, part }) ? 0 : -1}
              onFocus={() => keys.onFocusCell({ month: index, part })}
              onClick={() => onChoose(month, kind)}
            >
              {/* The number of a single part would repeat the total. */}
              {parts.length > 1 && <span className="season-number">{formats.number(count)}</span>}
            </button>
          );
        })}
      </div>
      {/* The buttons and the table have this information for screen readers. */}
      <span className="season-total" aria-hidden>
        {total === 0 ? '' : formats.number(total)}
      </span>
      <span className="season-label" aria-hidden>
        {formats.on('shortMonth', month)}
        {(index === 0 || number === 1) && <small>{year}</small>}
      </span>
    </div>
  );
}

/** A bar of events for each month with a part for each kind; a click on a part lists its events. */
export function SeasonChart({
  count,
  today,
  onChoose,
}: {
  readonly count: SeasonCount;
  readonly today: Day;
  readonly onChoose: Choose;
}) {
  const { t } = useTranslation('season');
  const { seasonBy } = usePreferences();
  const keys = useArrowKeys(count.months.map(({ kinds }) => kinds.filter(hasEvents).length));
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <div
      className="season-chart"
      role="group"
      aria-label={t(seasonBy === 'status' ? 'chartByStatus' : 'chartByType')}
      onKeyDown={keys.onKeyDown}
    >
      {count.months.map((month, index) => (
        <Month
          key={month.month}
          count={month}
          index={index}
          most={count.most}
          isNow={month.month === monthOf(today)}
          keys={keys}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}
