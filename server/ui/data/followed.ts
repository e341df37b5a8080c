import { createContext, use } from 'react';
import { dayMs } from '../../dates/units.ts';
import type {
  AnswerCalendar,
  CalendarQuestion,
  FollowedCalendar,
} from '../base/calendar-questions.tsx';
import { useNow } from '../base/days.ts';
import { goTo } from '../base/navigation.ts';
import { createSharedValue } from '../base/shared-value.ts';
import type { DraftEvent } from './editor.ts';

/** The calendars that the club follows. */
export type Followed = {
  readonly calendars: readonly FollowedCalendar[];
  /** All questions, by date of their events. */
  readonly questions: readonly CalendarQuestion[];
  readonly byEvent: ReadonlyMap<number, readonly CalendarQuestion[]>;
  /** The events that the club only looks at, by date. */
  readonly looked: readonly DraftEvent[];
  /** Adds an event that the club only looks at to its own, with a notice and Undo. */
  readonly copy: (event: DraftEvent) => Promise<void>;
  readonly answer: AnswerCalendar;
};

const none: Followed = {
  ...{ calendars: [], questions: [], byEvent: new Map(), looked: [] },
  answer: () => Promise.resolve(),
  copy: () => Promise.resolve(),
};

/** The event to look at whose panel is open; null for none. */
export const lookedShown = createSharedValue<DraftEvent | null>(null);

export const FollowedContext = createContext(none);

/** Returns true for an event that the club only looks at. */
export const isLooked = (event: DraftEvent): boolean => event.lookedFrom !== undefined;

/** Opens the panel of an event to look at, in the place of another one. */
export function openLooked(event: DraftEvent): void {
  goTo({ event: null, form: null });
  lookedShown.set(event);
}

/** Returns the number of calendars that were not read for a day or longer. */
export function useOldAddresses(): number {
  const now = useNow().getTime();
  const { calendars } = useFollowed();
  const isOld = ({ failure, goodAt }: FollowedCalendar) =>
    failure !== null && now - Date.parse(goodAt ?? failure.since) >= dayMs;
  return calendars.filter(isOld).length;
}

/** Returns the calendars that the club follows; none in a browser, which never gets them. */
export const useFollowed = (): Followed => use(FollowedContext);
