import { useCallback } from 'react';
import { type EndLanguage, type Moment, wordEnd } from '../../dates/end-line.ts';
import type { withoutYear } from '../../dates/formats.ts';
import { createEventTimes, type EventTimes, endWords } from '../../event/times.ts';
import { useClock } from './days.ts';
import { usePageLanguage, wordingOf } from './format.ts';

const timesByName = new Map<string, EventTimes>();

/** Returns the words for the times of events in the language of the page, cached because every row uses them. */
export function useEventTimes(format: keyof typeof withoutYear): EventTimes {
  const clock = useClock();
  const language = usePageLanguage();
  const name = `${language} ${format} ${clock.name}`;
  const times = timesByName.get(name) ?? createEventTimes(wordingOf(clock, language), format);
  timesByName.set(name, times);
  return times;
}

/** Returns a function that words the end of an event in short; undefined without an end. */
export const useShortEnd = (): EventTimes['short'] => useEventTimes('longDay').short;

/** Returns a function that words an end as the first line of a note. */
export function useEndLine(): (end: Moment, start: Moment) => string {
  const language = usePageLanguage() as EndLanguage;
  return useCallback((end, start) => wordEnd(end, start, language, endWords(language)), [language]);
}
