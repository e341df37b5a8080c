import './filter-bar.css';
import { Button, Checkbox, Pill, Popover, Radio, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventStatuses } from '../../../../db/model.ts';
import { type DayRange, namedPeriods, type Period, typeFilters } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import { goTo, usePlace } from '../../base/navigation.ts';
import { useConfirmedText } from '../../data/club.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { isRange, useNamedFilters } from './active-filters.ts';

function FilterMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // Not in a portal, so that it stays within the landmark of the filters.
    <Popover withinPortal={false} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          size="compact-md"
          fw={500}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className="filter-choices">{children}</Popover.Dropdown>
    </Popover>
  );
}

/** Returns the value of a period in the radio group. */
function choiceOf(period: Period): string {
  if (isRange(period)) return 'range';
  return period ?? 'all';
}

function TimeMenu() {
  const { t } = useTranslation('filter');
  const { period } = usePlace();
  const range = isRange(period) ? period : { from: null, to: null };
  const choose = (name: string) =>
    goTo({ period: namedPeriods.find((known) => known === name) ?? null });
  const setEnd = (end: keyof DayRange, text: string) => {
    const next = { ...range, [end]: text === '' ? null : text };
    goTo({ period: next.from === null && next.to === null ? null : next });
  };
  return (
    <FilterMenu label={t('time')}>
      <Radio.Group label={t('time')} value={choiceOf(period)} onChange={choose}>
        <div className="filter-options">
          <Radio value="all" label={t('anyTime')} />
          {namedPeriods.map((name) => (
            <Radio key={name} value={name} label={t(name)} />
          ))}
        </div>
      </Radio.Group>
      <fieldset className="filter-range">
        <legend>{t('range')}</legend>
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            min="0001-01-01"
            max="9999-12-31"
            label={t(end)}
            value={range[end] ?? ''}
            onChange={({ currentTarget }) => setEnd(end, currentTarget.value)}
          />
        ))}
      </fieldset>
    </FilterMenu>
  );
}

function StateMenu() {
  const { t } = useTranslation(['filter', 'event']);
  const { statuses } = usePlace();
  const choose = (chosen: readonly string[]) =>
    goTo({ statuses: eventStatuses.filter((status) => chosen.includes(status)) });
  return (
    <FilterMenu label={t('filter:status')}>
      <Checkbox.Group label={t('filter:status')} value={[...statuses]} onChange={choose}>
        <div className="filter-options">
          {eventStatuses.map((status) => (
            <Checkbox key={status} value={status} label={t(`event:${status}`)} />
          ))}
        </div>
      </Checkbox.Group>
    </FilterMenu>
  );
}

function TypeMenu() {
  const { t } = useTranslation(['filter', 'event']);
  const { types } = usePlace();
  const choose = (chosen: readonly string[]) =>
    goTo({ types: typeFilters.filter((type) => chosen.includes(type)) });
  return (
    <FilterMenu label={t('filter:type')}>
      <Checkbox.Group label={t('filter:type')} value={[...types]} onChange={choose}>
        <div className="filter-options">
          {typeFilters.map((type) => (
            <Checkbox key={type} value={type} label={t(`event:${type}`)} />
          ))}
        </div>
      </Checkbox.Group>
    </FilterMenu>
  );
}

/** The active filters, each with a button to remove it. */
function Chips() {
  const { t } = useTranslation('filter');
  const filters = useNamedFilters();
  return filters.map(([name, without]) => (
    <Pill
      key={name}
      size="md"
      withRemoveButton
      removeButtonProps={{
        'aria-label': t('remove', { name }),
        'aria-hidden': false,
        tabIndex: 0,
      }}
      onRemove={() => goTo(without)}
    >
      {name}
    </Pill>
  ));
}

/** The number of events that pass the filters, or the progress of reading; and the data's time. */
function Tally() {
  const { t } = useTranslation(['event', 'shell']);
  const formats = useFormats();
  const { club, events, source } = useVisibleEvents();
  const confirmed = useConfirmedText(club, (moment) => formats.at('moment', moment));
  if (source === undefined) return null;
  const isWhole = source.pastRead && source.comingRead;
  const soFar = t('shell:readSoFar', {
    read: formats.number(source.events.length),
    total: formats.number(source.total),
  });
  const when = source.asOf ? formats.at('moment', source.asOf) : confirmed;
  return (
    <>
      <span role="status">
        {isWhole
          ? t('event:number', { count: events.length, shown: formats.number(events.length) })
          : soFar}
      </span>
      <span>{t('shell:asOf', { when })}</span>
    </>
  );
}

export function FilterBar({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('filter');
  return (
    <search className="filter-bar" aria-label={t('filters')}>
      <TimeMenu />
      <StateMenu />
      <TypeMenu />
      <Chips />
      <div className="filter-bar-end">
        <Tally />
        {children}
      </div>
    </search>
  );
}
