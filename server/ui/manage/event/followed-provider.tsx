import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import type { Clock } from '../../../dates/clock.ts';
import { minuteMs } from '../../../dates/units.ts';
import type { FieldChange } from '../../../event/changes.ts';
import { byDate } from '../../../event/places.ts';
import type { Event } from '../../../http/contract.ts';
import type { CalendarQuestion, FollowedCalendar } from '../../base/calendar-questions.tsx';
import { goTo } from '../../base/navigation.ts';
import type { DraftEvent } from '../../data/editor.ts';
import { type Followed, FollowedContext, lookedShown } from '../../data/followed.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { questionLookMs, useCalendars } from '../nav.tsx';
import { useActionQuery } from '../parts/action-hooks.ts';
import { type createChangeWords, useChangeWords } from '../parts/change-words.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { useEditing } from './editor-provider.tsx';

const none: readonly FollowedCalendar[] = [];
const noneLooked: readonly DraftEvent[] = [];

const isSameDay = ({ before, after }: FieldChange, clock: Clock) =>
  clock.dayOf(String(before)) === clock.dayOf(String(after));

const namedFields = ['date', 'location', 'name'] as const;

/** Returns the questions of a calendar, one for each event. */
function questionsOf(
  calendar: FollowedCalendar,
  words: ReturnType<typeof createChangeWords>,
  clock: Clock,
): CalendarQuestion[] {
  const missing = calendar.missing.map(({ since, ...event }) => ({
    ...{ calendar, event, since, values: [] },
  }));
  const byEvent = Map.groupBy(calendar.values, ({ id }) => id);
  const conflicts = [...byEvent.values()].flatMap((fields) => {
    const [first] = fields;
    if (first === undefined) return [];
    const changes = fields.map(({ field, here, theirs }) => ({
      field,
      before: here ?? undefined,
      after: (field === 'registrationOpen' && theirs !== null ? theirs === 1 : theirs) ?? undefined,
    }));
    const values = words.valuesIn(changes, first.date).map((change) => {
      const [here, there] = words.wordPair(change);
      const named = namedFields.find((field) => field === change.field) ?? 'other';
      const isTime = change.field === 'date' && isSameDay(change, clock);
      const field = isTime ? 'time' : named;
      return { field, label: words.labelOf(change), here, there } as const;
    });
    // Without values, it would be a question about a missing event.
    return values.length === 0 ? [] : [{ calendar, event: first, since: first.since, values }];
  });
  return [...missing, ...conflicts];
}

/** Returns the events to look at as those of the lists, by date, without those that the club has, too. */
function lookedEvents(
  calendars: ActionResult<'follow looked'>['calendars'],
  own: readonly Event[],
): readonly DraftEvent[] {
  const momentOf = ({ name, date }: Pick<Event, 'name' | 'date'>) => `${date} ${name}`;
  const known = new Set(own.map(momentOf));
  return calendars
    .flatMap(({ name, events }) => events.map((event) => ({ ...event, lookedFrom: name })))
    .filter((event) => !known.has(momentOf(event)))
    .map((event, at) => ({ ...event, id: -at - 0.25, createdAt: event.date }))
    .sort(byDate);
}

/** Interval at which the events to look at are read, in milliseconds: a sync of them changes no events. */
const lookedMs = 15 * minuteMs;

/** Provides the followed calendars of the open club to everything below. */
export function FollowedProvider({ children }: { readonly children: ReactNode }) {
  const { club } = useDesktop();
  const { i18n } = useTranslation();
  const { language } = i18n;
  const { answer, perform, fail } = useEditing();
  const words = useChangeWords();
  const { all, clock } = useVisibleEvents();
  const { data } = useCalendars({ intervalMs: questionLookMs, isInBackground: true });
  const calendars = data?.calendars ?? none;
  const isLooking = calendars.some(({ rules }) => rules.use === 'look');
  const { data: lookedAt } = useActionQuery(
    'follow looked',
    { user: club.name },
    { enabled: isLooking, intervalMs: lookedMs, isInBackground: true },
  );
  const events = isLooking ? all?.events : undefined;
  const looked = useMemo(
    () => (events === undefined ? noneLooked : lookedEvents(lookedAt?.calendars ?? [], events)),
    [lookedAt, events],
  );
  const value = useMemo<Followed>(() => {
    const questions = calendars
      .flatMap((calendar) => questionsOf(calendar, words, clock))
      .sort((one, other) => (one.event.date < other.event.date ? -1 : 1));
    return {
      ...{ calendars, questions, looked },
      byEvent: Map.groupBy(questions, ({ event }) => event.id),
      answer: (id, answers, notice) => answer({ id, language, ...answers }, notice),
      async copy({ name, date, location, description, status, eventType }) {
        const event = { name, date, location, description, status, eventType };
        try {
          const { result } = await perform('event add', { event }, (added) =>
            words.describeEvent({ after: added.event }),
          );
          lookedShown.set(null);
          goTo({ event: result.event.id });
        } catch (thrown) {
          fail(thrown);
        }
      },
    };
  }, [calendars, looked, words, clock, answer, perform, fail, language]);
  return <FollowedContext value={value}>{children}</FollowedContext>;
}
