import { z } from 'zod';
import {
  type CalendarMemory,
  changeCalendar,
  readCalendarEvents,
  removeCalendar,
} from '../../db/calendars.ts';
import { noteSourceValue } from '../../db/event-edit.ts';
import type { EventStatus } from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { asUsage, problem } from '../base/errors.ts';
import {
  EndInput,
  EventNumber,
  editAs,
  prepareCancel,
  prepareChange,
} from '../club/event-actions.ts';
import type { ActionTools } from '../club/tools.ts';
import { formatsOf } from '../dates/formats.ts';
import { zoneNamed } from '../dates/zone.ts';
import { supportedLanguage, translator } from '../messages/messages.ts';
import { withReader, withWriter } from '../store/store.ts';
import { readAddresses, storeAddress, storeFollowState, withCalendars } from './addresses.ts';
import { clubOf, requireCalendar } from './listed.ts';

export const FollowAnswer = z.strictObject({
  id: z.int(),
  /** Events that take place no more. */
  cancel: z.array(EventNumber).default([]),
  /** Events that take place all the same, or values as they are here. */
  keep: z.array(EventNumber).default([]),
  /** Events that get the values of the calendar. */
  take: z.array(EventNumber).default([]),
  /** Events that were kept, about which the calendar asks again. */
  ask: z.array(EventNumber).default([]),
  /** The language of the reason of a cancellation. */
  language: EndInput.language,
});

type Answered = {
  readonly user: string;
  readonly cancelled: number;
  readonly kept: number;
  readonly taken: number;
  /** True if missing events were kept, about which the calendar can ask again. */
  readonly canAsk: boolean;
  readonly batch?: number;
};

/**
 * Answers the questions of a calendar about events, as one change with one undo. Throws
 * `follow_no_question` for an event without one.
 */
export async function answerFollowed(
  { id, cancel, keep, take, ask, language }: z.output<typeof FollowAnswer>,
  tools: ActionTools,
): Promise<Answered> {
  if (cancel.length + keep.length + take.length + ask.length === 0)
    throw asUsage(problem('follow_answer_none'));
  return await withCalendars(tools, async () => {
    const { calendar, user, timeZone } = await withReader(tools.home, (db) => {
      const found = requireCalendar(db, id);
      return { calendar: found, ...clubOf(db, found.userId, tools) };
    });
    const { memory } = calendar;
    const asked = memory.missing.filter(({ isAsked, isKept }) => isAsked && !isKept);
    const missing = new Map(asked.map((one) => [one.id, one]));
    const conflicts = Map.groupBy(memory.conflicts, (one) => one.id);
    const all = [...cancel, ...keep, ...take, ...ask];
    const twice = all.find((event, at) => all.indexOf(event) !== at);
    if (twice !== undefined) throw asUsage(problem('follow_answer_twice', { event: twice }));
    for (const event of [...cancel, ...keep, ...take]) {
      const isOfValues = conflicts.has(event) && !cancel.includes(event);
      const isOfEvent = missing.has(event) && !take.includes(event);
      if (!isOfValues && !isOfEvent) {
        throw problem('follow_no_question', { event, name: calendar.name });
      }
    }
    const tag = language === undefined || language === 'en' ? 'en-GB' : language;
    const formats = formatsOf(zoneNamed(timeZone), tag);
    const word = translator(supportedLanguage([tag]));
    const result = await editAs({ user }, tools, (clock) => {
      const cancels = cancel.map((event) => {
        const since = new Date(missing.get(event)?.since ?? 0).toISOString();
        const reason = word('follow:reason', { since: formats.at('dayInYear', since) });
        return prepareCancel({ id: event, reason })(clock);
      });
      const taken = take.flatMap((event) => conflicts.get(event) ?? []);
      // With the reason of a cancellation that is over.
      const states = taken
        .filter(({ field }) => field === 'status')
        .map(({ id: event, theirs }) =>
          prepareChange({ id: event, changes: { status: theirs as EventStatus } })(clock),
        );
      return (events) => {
        for (const cancelOne of cancels) cancelOne(events);
        for (const changeOne of states) changeOne(events);
        for (const { id: event, field, theirs } of taken) {
          const value = field === 'registrationOpen' ? theirs === 1 : theirs;
          if (field !== 'status') events.change(event, { [field]: value });
        }
        return { cancelled: cancel.length, kept: keep.length, taken: take.length };
      };
    });
    const answered = new Set([...cancel, ...keep, ...take]);
    const next: CalendarMemory = {
      ...memory,
      missing: memory.missing
        .filter((one) => !cancel.includes(one.id))
        .map(({ isKept = false, ...one }) => {
          const isStill = (isKept || keep.includes(one.id)) && !ask.includes(one.id);
          return isStill ? { ...one, isKept: true } : one;
        }),
      cancelled: [...memory.cancelled.filter((one) => !answered.has(one)), ...cancel],
      conflicts: memory.conflicts.filter((one) => !answered.has(one.id)),
    };
    const remember = (db: Writer) => {
      for (const one of keep.flatMap((event) => conflicts.get(event) ?? [])) {
        noteSourceValue(db, calendar.userId, { ...one, value: one.theirs });
      }
      changeCalendar(db, { ...requireCalendar(db, id), memory: next });
    };
    await withWriter(tools.home, remember, tools);
    const { cancelled, kept, taken, batch } = result;
    const canAsk = keep.some((event) => missing.has(event));
    return { user, cancelled, kept, taken, canAsk, ...(batch !== undefined && { batch }) };
  });
}

export const FollowRemove = z.strictObject({
  id: z.int(),
  /** `keep`: its events stay, as the club's own. `remove`: those to come go, and past ones stay. */
  events: z.enum(['keep', 'remove']).optional(),
});

type Removed = {
  readonly user: string;
  readonly name: string;
  readonly removed: number;
  readonly kept: number;
  readonly batch?: number;
};

/** Stops to follow a calendar. Throws `follow_events_choice` without an answer about its events. */
export async function removeFollowed(
  { id, events: choice }: z.output<typeof FollowRemove>,
  tools: ActionTools,
): Promise<Removed> {
  return await withCalendars(tools, async () => {
    const { home } = tools;
    const now = tools.now().toISOString();
    // Before anything is changed: it may not be readable.
    readAddresses(home);
    const { calendar, user, ids } = await withReader(home, (db) => {
      const found = requireCalendar(db, id);
      const all = found.looked === null ? readCalendarEvents(db, found) : [];
      return { calendar: found, ids: all, user: clubOf(db, found.userId, tools).user };
    });
    if (choice === undefined && ids.length > 0) {
      throw asUsage(problem('follow_events_choice', { name: calendar.name, count: ids.length }));
    }
    const isRemoving = choice === 'remove' && ids.length > 0;
    const remove = () =>
      editAs(
        { user },
        tools,
        () => (events) => {
          const adopted = new Set(calendar.memory.adopted);
          const toCome = ids.filter(
            (event) => !adopted.has(event) && (events.read(event)?.date ?? now) > now,
          );
          for (const event of toCome) events.remove(event);
          return { removed: toCome.length };
        },
        ids.length,
      );
    const { removed, batch } = isRemoving ? await remove() : { removed: 0, batch: undefined };
    await withWriter(home, (db) => removeCalendar(db, id), tools);
    storeAddress(home, id, undefined);
    storeFollowState(home, id, undefined);
    const kept = ids.length - removed;
    return { user, name: calendar.name, removed, kept, ...(batch !== undefined && { batch }) };
  });
}
