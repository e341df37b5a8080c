import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlainWordsContext } from '../../../dates/line/line.ts';
import type { Language } from '../../../messages/messages.ts';
import { useClock, useToday } from '../../base/days.ts';
import { useDaysOff } from '../../data/days-off.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import type { FormContext } from './values.ts';

/** Returns the places of the club, most used first. */
function usePlaces(): readonly string[] {
  const { all } = useVisibleEvents();
  return useMemo(() => {
    const counts = new Map<string, number>();
    for (const { location } of all?.events ?? []) {
      if (location !== '') counts.set(location, (counts.get(location) ?? 0) + 1);
    }
    return [...counts].toSorted(([, one], [, other]) => other - one).map(([place]) => place);
  }, [all]);
}

/** Returns what the line is read with: today, the time, the language, known places and holidays. */
export function useLineContext(): PlainWordsContext & FormContext {
  const zone = useClock();
  const { language } = useTranslation().i18n;
  const today = useToday();
  const places = usePlaces();
  const now = zone.timeOf(new Date());
  const { holidays } = useDaysOff();
  return useMemo(
    () => ({ today, now, language: language as Language, places, zone, holidays }),
    [today, now, language, places, zone, holidays],
  );
}
