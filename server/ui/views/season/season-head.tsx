import { ActionIcon, Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { addMonths, type Day, noonOf, type Season, seasonName, seasonOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import {
  changePreferences,
  type SeasonBy,
  seasonParts,
  usePreferences,
} from '../../base/preferences.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

const months = Array.from({ length: 12 }, (_, index) => index + 1);

/** Checks that the URL can contain a day. */
const isKnownYear = (day: Day) => day >= '0001-01-01' && noonOf(day).getFullYear() <= 9999;

function StepButton({ season, by, label }: StepButtonProps) {
  const { today } = useVisibleEvents();
  const { seasonStart } = usePreferences();
  const day = addMonths(season.first, by);
  const isCurrent = seasonOf(today, seasonStart).first === day;
  const Icon = by < 0 ? IconChevronLeft : IconChevronRight;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      disabled={!isKnownYear(day)}
      onClick={() => goTo({ day: isCurrent ? null : day })}
    >
      <Icon size={20} aria-hidden className="season-arrow" />
    </ActionIcon>
  );
}

type StepButtonProps = {
  readonly season: Season;
  /** Number of months; negative for earlier seasons. */
  readonly by: number;
  readonly label: string;
};

export function SeasonHead({ season, total }: { readonly season: Season; readonly total: number }) {
  const { t } = useTranslation(['season', 'event']);
  const formats = useFormats();
  const { today } = useVisibleEvents();
  const { seasonStart, seasonBy } = usePreferences();
  const isCurrent = seasonOf(today, seasonStart).first === season.first;
  return (
    <div className="season-head">
      <div className="season-turns">
        <StepButton season={season} by={-12} label={t('previous')} />
        <StepButton season={season} by={12} label={t('next')} />
        <h2 aria-live="polite">
          {t('title', { name: seasonName(season) })}{' '}
          <span className="season-sum">
            {t('event:number', { count: total, shown: formats.number(total) })}
          </span>
        </h2>
        {!isCurrent && (
          <Button variant="default" onClick={() => goTo({ day: null })}>
            {t('current')}
          </Button>
        )}
      </div>
      <div className="season-choices">
        <SegmentedControl
          aria-label={t('groupBy')}
          value={seasonBy}
          onChange={(next) => changePreferences({ seasonBy: next as SeasonBy })}
          data={seasonParts.map((part) => ({ value: part, label: t(part) }))}
        />
        <NativeSelect
          className="season-start"
          label={t('start')}
          value={String(seasonStart)}
          onChange={({ currentTarget }) =>
            changePreferences({ seasonStart: Number(currentTarget.value) })
          }
          data={months.map((month) => ({
            value: String(month),
            label: formats.on('longMonth', `2000-${String(month).padStart(2, '0')}-01`),
          }))}
        />
      </div>
    </div>
  );
}
