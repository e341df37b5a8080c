import { useTranslation } from 'react-i18next';
import type { Day } from '../time/days.ts';
import { useFormats } from '../time/format.ts';

export function AgendaHeading({
  kind,
  day,
}: {
  readonly kind: 'month' | 'today';
  readonly day: Day;
}) {
  const { t } = useTranslation('agenda');
  const formats = useFormats();
  if (kind === 'month') return <h2 className="agenda-month">{formats.on('month', day)}</h2>;
  return (
    <h2 className="agenda-today">
      {t('todayMark')}, {formats.on('longDay', day)}
    </h2>
  );
}
