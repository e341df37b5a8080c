import { useTranslation } from 'react-i18next';
import type { DayRange, Period, Route } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import { useCurrent } from '../../base/navigation.ts';

/** The name of a filter, and the change of place that removes it. */
type NamedFilter = readonly [name: string, without: Partial<Route>];

export const isRange = (period: Period): period is DayRange =>
  period !== null && typeof period === 'object';

function usePeriodName(): (period: Period) => string {
  const { t } = useTranslation('filter');
  const formats = useFormats();
  return (period) => {
    if (!isRange(period)) return period === null ? t('anyTime') : t(period);
    const { from, to } = period;
    if (from && to) return formats.range('shortDay', from, to);
    if (from) return t('since', { day: formats.on('shortDay', from) });
    return t('until', { day: to ? formats.on('shortDay', to) : '' });
  };
}

/** Periods that have a chip of their own. */
export const chipPeriods = ['weekend', 'week'] as const;

/** Returns the active filters without a chip of their own, except the search. */
export function useNamedFilters(): readonly NamedFilter[] {
  const { t } = useTranslation(['filter', 'event']);
  const nameOf = usePeriodName();
  const period = useCurrent('period');
  const statuses = useCurrent('statuses');
  const types = useCurrent('types');
  const changedOnly = useCurrent('changedOnly');
  return [
    ...(period === null || chipPeriods.some((name) => name === period)
      ? []
      : [[nameOf(period), { period: null }] as const]),
    ...statuses.map(
      (status) =>
        [t(`event:${status}`), { statuses: statuses.filter((one) => one !== status) }] as const,
    ),
    ...types.map(
      (type) => [t(`event:${type}`), { types: types.filter((one) => one !== type) }] as const,
    ),
    ...(changedOnly ? [[t('filter:changed'), { changedOnly: false }] as const] : []),
  ];
}
