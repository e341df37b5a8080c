import { createContext, use } from 'react';
import type { ActionInput, ActionResult } from '../../actions/bridge.ts';
import { dayMs } from '../../dates/units.ts';
import { useNow } from '../base/days.ts';
import { goTo } from '../base/navigation.ts';
import { createSharedValue } from '../base/shared-value.ts';
import type { DraftEvent } from './editor.ts';

/** A followed calendar, as the list has it. */
export type FollowedCalendar = ActionResult<'follow list'>['calendars'][number];

/** A value that was edited here and changed in the calendar, in words. */
type ValuePair = {
  readonly field: 'time' | 'date' | 'location' | 'name' | 'other';
  readonly label: string;
  readonly here: string;
  readonly there: string;
};

/** A question of a calendar about an event. */
export type CalendarQuestion = {
  readonly calendar: FollowedCalendar;
  readonly event: { readonly id: number; readonly name: string; readonly date: string };
  /** The time since which the calendar lacks the event, or has another value. */
  readonly since: string;
  /** The values of which one is right; empty for an event that is missing in the calendar. */
  readonly values: readonly ValuePair[];
};

/** Answers about events: cancel or keep those that are missing, keep the values here or take the others. */
export type CalendarAnswers = Pick<ActionInput<'follow answer'>, 'cancel' | 'keep' | 'take'>;

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
  /** Answers a calendar with a notice and Undo; `title` and `text` are those of the notice. */
  readonly answer: (
    calendar: number,
    answers: CalendarAnswers,
    words: { readonly title: string; readonly text: string },
  ) => Promise<void>;
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
