import { useTranslation } from 'react-i18next';
import type { Day } from '../time/days.ts';
import { useFormats } from '../time/format.ts';

/** Number of events from which a day is highlighted. */
const many = 4;

/** Returns a function that names a day with its number of events. */
export function useDayName(): (day: Day, count: number) => string {
  const { t } = useTranslation('calendar');
  const formats = useFormats();
  return (date, count) => {
    const day = formats.on('longDay', date);
    if (count === 0) return t('dayEmpty', { day });
    return t('day', { day, count, shown: formats.number(count) });
  };
}

/** The number of a day in its month, and below it the number of its events. */
export function DayCount({ number, count }: { readonly number: string; readonly count: number }) {
  const formats = useFormats();
  return (
    <>
      <span className="calendar-number">{number}</span>
      {count > 0 && (
        // CSS shows the number: as text it would repeat the accessible name of the day.
        <span
          className="calendar-count"
          data-count={formats.number(count)}
          data-many={count >= many || undefined}
        />
      )}
    </>
  );
}
