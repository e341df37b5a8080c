import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { daysBetween } from '../../../dates/days.ts';
import { useClock, useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';

export type ListedBackup = ActionResult<'backup list'>['backups'][number];

/** Returns functions that word the time and the contents of backups. */
export function useBackupWords() {
  const clock = useClock();
  const { t } = useTranslation(['backups', 'event']);
  const formats = useFormats();
  const today = useToday();
  const describeDay = (timestamp: string) => formats.dayNear('day', timestamp, today);
  return {
    describeDay,
    /** Words a moment: "today at 07:00". */
    describeTime(timestamp: string): string {
      const time = formats.time(timestamp);
      const days = daysBetween(clock.dayOf(timestamp), today);
      if (days === 0) return t('today', { time });
      if (days === 1) return t('yesterday', { time });
      return t('onDay', { day: describeDay(timestamp), time });
    },
    /** Words a recent day: "Sunday". */
    describeRecentDay(timestamp: string): string {
      const days = daysBetween(clock.dayOf(timestamp), today);
      return days >= 0 && days < 7
        ? formats.at('longWeekday', timestamp)
        : formats.dayNear('day', timestamp, today);
    },
    /** Words the contents: "2 clubs, 60 events". */
    describeCounts: ({ users, events }: ListedBackup['counts']): string =>
      [
        t('clubs', { count: users, shown: formats.number(users) }),
        t('event:number', { count: events, shown: formats.number(events) }),
      ].join(', '),
  };
}
