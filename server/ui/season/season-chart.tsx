import './season-chart.css';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { usePreferences } from '../shell/preferences.ts';
import { type Day, monthOf, partsOf } from '../time/days.ts';
import { useFormats } from '../time/format.ts';
import type { Kind, KindCount, MonthCount, SeasonCount } from './counts.ts';
import { useArrowKeys } from './use-arrow-keys.ts';

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
  const formats = useFormats();
  const name = formats.on('month', month);
  const { year, month: number } = partsOf(month);
  const parts = kinds.filter(hasEvents);
  return (
    <div className="season-month" data-now={isNow || undefined}>
      <div className="season-bar" style={{ '--share': total / (most || 1) } as CSSProperties}>
        {parts.map(({ kind, count }, part) => {
          const events = t('event:number', { count, shown: formats.number(count) });
          const spoken = t('bar', { month: name, kind: t(`event:${kind}`), events });
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
