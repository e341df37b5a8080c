import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Span, spans } from '../../base/address.ts';
import { addDays, type Day, partsOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { TypeName } from '../../base/type-mark.tsx';
import type { Contents } from './contents.ts';
import { type Range, stepBy } from './range.ts';

/** Returns the name of the range on view. */
export function useTitle(span: Span, day: Day, range: Range): string {
  const formats = useFormats();
  if (span === 'year') return String(partsOf(day).year);
  if (span === 'month') return formats.on('month', day);
  return formats.range('day', range.first, addDays(range.end, -1));
}

function Step({ span, day, step }: { span: Span; day: Day; step: 1 | -1 }) {
  const { t } = useTranslation('calendar');
  const to = stepBy(span, day, step);
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

/** The types of the events on view. */
function Legend({ types }: Pick<Contents, 'types'>) {
  const { t } = useTranslation('calendar');
  return (
    <ul className="calendar-legend" aria-label={t('types')}>
      {types.map((type) => (
        <li key={type}>
          <TypeName type={type} />
        </li>
      ))}
    </ul>
  );
}

export function Toolbar({
  span,
  day,
  title,
  types,
}: {
  readonly span: Span;
  readonly day: Day;
  readonly title: string;
} & Pick<Contents, 'types'>) {
  const { t } = useTranslation('calendar');
  return (
    <div className="calendar-toolbar">
      <Button
        variant="default"
        className="calendar-today-button"
        onClick={() => goTo({ day: null })}
      >
        {t('today')}
      </Button>
      <Step span={span} day={day} step={-1} />
      <Step span={span} day={day} step={1} />
      <h2 className="calendar-title" aria-live="polite">
        {title}
      </h2>
      {types.length > 0 && <Legend types={types} />}
      <SegmentedControl
        className="calendar-spans"
        aria-label={t('span')}
        value={span}
        onChange={(next) => goTo({ span: next as Span })}
        data={spans.map((name) => ({ value: name, label: t(name) }))}
      />
    </div>
  );
}
