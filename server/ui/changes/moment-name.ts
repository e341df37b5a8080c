import { useTranslation } from 'react-i18next';
import { dayOf } from '../time/days.ts';
import { useFormats } from '../time/format.ts';
import { useToday } from '../time/use-today.ts';

/** Formats moments for use in a sentence: `Friday 1 May 2026, 18:00`, or `today, 18:00`. */
export function useMomentName(): (timestamp: string) => string {
  const { t } = useTranslation('changes');
  const formats = useFormats();
  const today = useToday();
  return (timestamp) => {
    const time = formats.at('time', timestamp);
    if (dayOf(timestamp) === today) return t('today', { time });
    return t('moment', { day: formats.at('longDay', timestamp), time });
  };
}
