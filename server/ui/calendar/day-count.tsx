import { useTranslation } from 'react-i18next';
import type { Day } from '../time/days.ts';
import { useFormats } from '../time/format.ts';

/** From how many events on a day stands out. */
const many = 4;

/** What a day is called, with how many events it has. */
export function useDayName(): (day: Day, count: number) => string {
  const { t } = useTranslation('calendar');
  const formats = useFormats();
  return (date, count) => {
    const day = formats.on('longDay', date);
    if (count === 0) return t('dayEmpty', { day });
    return t('day', { day, count, shown: formats.number(count) });
  };
}

/** The number of a day in its month, and below it that of its events. */
export function DayCount({ number, count }: { readonly number: string; readonly count: number }) {
  const formats = useFormats();
  return (
    <>
      <span className="calendar-number">{number}</span>
      {count > 0 && (
        // Not as text, as the day's own name says it, and better.
        <span
          className="calendar-count"
          data-count={formats.number(count)}
          data-many={count >= many || undefined}
        />
      )}
    </>
  );
}
