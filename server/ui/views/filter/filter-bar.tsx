import './filter-bar.css';
import { Checkbox, Popover, Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../../dates/days.ts';
import {
  type DayRange,
  namedPeriods,
  type Period,
  statusesFor,
  typeFilters,
} from '../../base/address.ts';
import { DayField } from '../../base/day-field.tsx';
import { IconCalendarDue, IconFilter, IconX } from '../../base/icons.ts';
import { goTo, goToToday, isTodayOutOfSight, useCurrent } from '../../base/navigation.ts';
import { chipPeriods, isRange, useNamedFilters } from './active-filters.ts';
import { ChangedChoice } from './changed-choice.tsx';
import { TeamChip } from './team-chip.tsx';

/** Returns the value of a period in the radio group. */
function choiceOf(period: Period): string {
  if (isRange(period)) return 'range';
  return period ?? 'all';
}

function TimeChoices() {
  const { t } = useTranslation('filter');
  const period = useCurrent('period');
  const range = isRange(period) ? period : { from: null, to: null };
  const choose = (name: string) =>
    goTo({ period: namedPeriods.find((known) => known === name) ?? null });
  const setEnd = (end: keyof DayRange, day: Day | null) => {
    const next = { ...range, [end]: day };
    goTo({ period: next.from === null && next.to === null ? null : next });
  };
  return (
    <div>
      <Radio.Group label={t('time')} value={choiceOf(period)} onChange={choose}>
        <div className="stack filter-options">
          <Radio value="all" label={t('anyTime')} />
          {namedPeriods.map((name) => (
            <Radio key={name} value={name} label={t(name)} />
          ))}
        </div>
      </Radio.Group>
      <fieldset className="filter-range">
        <legend>{t('range')}</legend>
        {(['from', 'to'] as const).map((end) => (
          <DayField
            key={end}
            name={`filter ${end}`}
            label={t(end)}
            value={range[end]}
            onDay={(day) => day !== undefined && setEnd(end, day)}
          />
        ))}
      </fieldset>
    </div>
  );
}

function StatusChoices() {
  const { t } = useTranslation(['filter', 'event']);
  const statuses = useCurrent('statuses');
  const options = statusesFor(statuses);
  const choose = (chosen: readonly string[]) =>
    goTo({ statuses: options.filter((status) => chosen.includes(status)) });
  return (
    <Checkbox.Group label={t('filter:status')} value={[...statuses]} onChange={choose}>
      <div className="stack filter-options">
        {options.map((status) => (
          <Checkbox key={status} value={status} label={t(`event:${status}`)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

function TypeChoices() {
  const { t } = useTranslation(['filter', 'event']);
  const types = useCurrent('types');
  const choose = (chosen: readonly string[]) =>
    goTo({ types: typeFilters.filter((type) => chosen.includes(type)) });
  return (
    <Checkbox.Group label={t('filter:type')} value={[...types]} onChange={choose}>
      <div className="stack filter-options">
        {typeFilters.map((type) => (
          <Checkbox key={type} value={type} label={t(`event:${type}`)} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

/** The filters without a chip of their own, in one dialog; the calendar has none of the time. */
export function FilterChip() {
  const { t } = useTranslation('filter');
  const view = useCurrent('view');
  return (
    <Popover
      // Not in a portal, so that it stays within the landmark of the filters.
      withinPortal={false}
      // Stays in the window with the focus, even when its button leaves a window made narrower.
      hideDetached={false}
      middlewares={{ shift: { limiter: { fn: ({ x, y }) => ({ x, y }) } } }}
      // The row of chips clips what it contains, unless that is fixed in the window.
      floatingStrategy="fixed"
      position="bottom-start"
      width="min(30rem, calc(100vw - 1.5rem))"
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <button type="button" className="chip">
          <IconFilter size={16} stroke={1.75} aria-hidden />
          <span className="filter-word">{t('filter')}</span>
        </button>
      </Popover.Target>
      <Popover.Dropdown className="filter-choices" aria-label={t('filter')}>
        {view !== 'calendar' && <TimeChoices />}
        <div className="stack wide filter-groups">
          <TypeChoices />
          <StatusChoices />
          <ChangedChoice />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The way back while today is out of sight. */
function TodayChip() {
  const { t } = useTranslation('agenda');
  if (!isTodayOutOfSight.use()) return null;
  return (
    <button type="button" className="chip today-chip" aria-keyshortcuts="t" onClick={goToToday}>
      <IconCalendarDue size={16} stroke={1.75} aria-hidden />
      {t('todayMark')}
    </button>
  );
}

/** The periods that people ask for most, as toggles. */
function PeriodChips() {
  const { t } = useTranslation('filter');
  const period = useCurrent('period');
  return chipPeriods.map((name) => (
    <button
      key={name}
      type="button"
      className="chip"
      aria-pressed={period === name}
      onClick={() => goTo({ period: period === name ? null : name })}
    >
      {t(name)}
    </button>
  ));
}

/** The other active filters, each a button that removes it. */
export function RemovableChips() {
  const { t } = useTranslation('filter');
  const filters = useNamedFilters();
  return filters.map(([name, without]) => (
    <button
      key={name}
      type="button"
      className="chip"
      data-chosen
      aria-label={t('remove', { name })}
      onClick={() => goTo(without)}
    >
      {name}
      <IconX size={14} aria-hidden />
    </button>
  ));
}

/** The filters of the list; `children` stand at the end of the row. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('filter');
  return (
    <search className="row loose filter-bar" aria-label={t('filters')}>
      {/* biome-ignore lint/a11y/useSemanticElements: not a group of form fields */}
      <div className="filter-chips" role="group" aria-label={t('show')}>
        <TeamChip />
        <PeriodChips />
        <FilterChip />
        <TodayChip />
        <RemovableChips />
      </div>
      {children}
    </search>
  );
}
