import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, addMonths, type Day, seasonName } from '../../../dates/days.ts';
import { type Span, spans } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import { IconChevronLeft, IconChevronRight } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { changePreferences, usePreferences } from '../../base/preferences.ts';
import { Segments } from '../../base/segments.tsx';
import { TypeName } from '../../base/type-mark.tsx';
import { ClubSettingsContext } from '../../data/club-settings.ts';
import { FilterChip, RemovableChips } from '../filter/filter-bar.tsx';
import { TeamChip } from '../filter/team-chip.tsx';
import type { Contents } from './contents.ts';
import { type Range, stepBy } from './range.ts';

/** Returns the name of the range on view. */
export function useTitle(span: Span, { anchor, first, end }: Range): string {
  const { t } = useTranslation('calendar');
  const formats = useFormats();
  if (span === 'year') return t('season', { name: seasonName({ first, end }) });
  if (span === 'month') return formats.on('month', anchor);
  return formats.range('day', first, addDays(end, -1));
}

function Step({ span, anchor, step }: { span: Span; anchor: Day; step: 1 | -1 }) {
  const { t } = useTranslation('calendar');
  const to = stepBy(span, anchor, step);
  const Chevron = step === 1 ? IconChevronRight : IconChevronLeft;
  return (
    <ActionIcon
      variant="default"
      className="calendar-step"
      aria-label={t(`${step === 1 ? 'next' : 'previous'}_${span}`)}
      disabled={to === null}
      onClick={() => goTo({ day: to })}
    >
      <Chevron size={18} aria-hidden />
    </ActionIcon>
  );
}

type Shown = Pick<Contents, 'types'> & {
  /** True if days off are on view. */
  readonly hasDaysOff: boolean;
};

/** The types of the events on view, and the colour of days off. */
function Legend({ types, hasDaysOff }: Shown) {
  const { t } = useTranslation(['calendar', 'daysOff']);
  return (
    <ul className="flow calendar-legend" aria-label={t('types')}>
      {types.map((type) => (
        <li key={type}>
          <TypeName type={type} />
        </li>
      ))}
      {hasDaysOff && (
        <li className="row close quiet calendar-off-name">
          <span className="calendar-off-swatch" aria-hidden />
          {t('daysOff:legend')}
        </li>
      )}
    </ul>
  );
}

/** The choice of the month in which a season begins, in a browser: a window has the club's. */
function SeasonStart() {
  const { t } = useTranslation('clubs');
  const formats = useFormats();
  const { seasonStart } = usePreferences();
  if (use(ClubSettingsContext) !== undefined) return null;
  return (
    <NativeSelect
      className="calendar-season-start"
      aria-label={t('seasonStart')}
      title={t('seasonStart')}
      value={String(seasonStart)}
      onChange={({ currentTarget }) =>
        changePreferences({ seasonStart: Number(currentTarget.value) })
      }
      data={Array.from({ length: 12 }, (_, index) => ({
        value: String(index + 1),
        label: formats.on('longMonth', addMonths('2000-01-01', index)),
      }))}
    />
  );
}

export function Toolbar({
  span,
  anchor,
  title,
  types,
  hasDaysOff,
}: {
  readonly span: Span;
  readonly anchor: Day;
  readonly title: string;
} & Shown) {
  const { t } = useTranslation(['calendar', 'filter']);
  return (
    <div className="cluster calendar-toolbar">
      <Button
        variant="default"
        className="calendar-today-button"
        aria-keyshortcuts="t"
        onClick={() => goTo({ day: null })}
      >
        {t('today')}
      </Button>
      <Step span={span} anchor={anchor} step={-1} />
      <Step span={span} anchor={anchor} step={1} />
      <h2 className="calendar-title" aria-live="polite">
        {title}
      </h2>
      {span === 'year' && <SeasonStart />}
      {(types.length > 0 || hasDaysOff) && <Legend types={types} hasDaysOff={hasDaysOff} />}
      <search className="cluster calendar-filters" aria-label={t('filter:filters')}>
        <TeamChip />
        <RemovableChips />
        <FilterChip />
      </search>
      <Segments
        className="calendar-spans"
        label={t('span')}
        value={span}
        options={spans.map((name) => [name, t(name)] as const)}
        onChange={(next) => goTo({ span: next })}
      />
    </div>
  );
}
