import { createContext, use, useMemo } from 'react';
import type { ActionInput, ActionResult } from '../../actions/bridge.ts';
import type { Day } from '../../dates/days.ts';
import type { Event } from '../../http/contract.ts';
import { createSharedValue } from '../base/shared-value.ts';
import { type Proposal, useProposals, valuesOf } from './proposals.ts';

/** A change of several events, which is one entry in the history. */
export type EventsChange = ActionInput<'events change'>['change'];

type ProposalAnswers = NonNullable<ActionInput<'proposal answer'>['answers']>;

/** The changes that a person can make in the views. Each shows a notice with Undo, or its error. */
export type Editor = {
  /**
   * Moves an event to another day, at the same time of day; with `follow` the view shows that day.
   * Moves of an event while their notice is shown are one change.
   */
  readonly moveTo: (
    event: Event,
    day: Day,
    options?: { readonly follow: boolean },
  ) => Promise<void>;
  /** Changes several events at once; resolves to true if it succeeded. */
  readonly change: (ids: readonly number[], change: EventsChange) => Promise<boolean>;
  /**
   * Adds copies of events some days later, which keep their distances; resolves to the first one, or
   * to undefined if that failed.
   */
  readonly copy: (ids: readonly number[], days: number) => Promise<Event | undefined>;
  /** Answers proposals of other computers as one change; resolves to true if it succeeded. */
  readonly answerProposals: (answers: ProposalAnswers) => Promise<boolean>;
  /** Returns the events that were added together with one, none if it was added alone; and its moves. */
  readonly together: (
    id: number,
  ) => Promise<Pick<ActionResult<'events together'>, 'ids' | 'edited' | 'moves'>>;
};

export const noSelection: ReadonlySet<number> = new Set();

/** The events that are selected in a list; they may be outside the current filters. */
export const selectedEvents = createSharedValue(noSelection);

/** Events that were added together with selected ones, and then changed one by one. */
export const editedSince = createSharedValue(noSelection);

/** The change of the selected events that a form is about to make; null without one. */
export const bulkPreview = createSharedValue<EventsChange | null>(null);

export const EditorContext = createContext<Editor | undefined>(undefined);

/** Returns the editor; undefined in a browser, which can only read. */
export function useEditor(): Editor | undefined {
  return use(EditorContext);
}

/** An event in the form that has not been added yet, as far as the lists show it. */
export type Draft = Pick<
  Event,
  'name' | 'date' | 'location' | 'description' | 'status' | 'eventType'
>;

/** An event in the form as a row of a list. */
export type DraftEvent = Event & {
  /** Its number among those of a repetition; undefined for a single one, or one left out. */
  readonly number?: number;
  readonly isLeftOut?: boolean;
  /** True for a new event that was proposed to another computer. */
  readonly isProposed?: boolean;
  /** The date of the event of which it is a copy. */
  readonly copyOf?: string;
  /** The name of the calendar of an event that the club only looks at. */
  readonly lookedFrom?: string;
};

/** The events in the form, several for a repetition. */
export type Drafts = {
  readonly event: Draft;
  /** The moments of a repetition, in order, with their notes; empty for a single event. */
  readonly dates: readonly {
    readonly date: string;
    readonly description: string | null;
    readonly isLeftOut: boolean;
  }[];
  /** Leaves out a day of a repetition, or puts it back. */
  readonly toggle: (day: Day) => void;
};

/** The drafts that the lists show among the events; null for none. */
export const drafts = createSharedValue<Drafts | null>(null);

/** The copies that a form is about to add, as the lists show them. */
export const copies = createSharedValue<readonly DraftEvent[]>([]);

/**
 * Returns true for an event of a draft, a proposal or a calendar to look at: its id is no whole number,
 * as those of the service are.
 */
export const isDraft = ({ id }: Pick<Event, 'id'>): boolean => !Number.isInteger(id);

function eventsOfForm(shown: Drafts | null): readonly DraftEvent[] {
  if (shown === null) return [];
  const { event, dates } = shown;
  if (dates.length === 0) return [{ ...event, id: 0.5, createdAt: event.date }];
  let number = 0;
  return dates.map(({ date, description, isLeftOut }, at) => {
    if (!isLeftOut) number += 1;
    const shared = { ...event, id: at + 0.5, date, description, createdAt: date };
    return isLeftOut ? { ...shared, isLeftOut } : { ...shared, number };
  });
}

/** The values of an event of which only the name and the date are given. */
export const emptyEvent = {
  location: '',
  description: null,
  status: 'active',
  eventType: null,
} as const;

/** Returns the new events of proposals. */
function eventsOfProposals(added: readonly Proposal[]): readonly DraftEvent[] {
  return added.map((proposal, at) => {
    const { name, date } = proposal.event;
    const event = { ...emptyEvent, name, date, ...valuesOf(proposal) };
    return { ...event, id: -at - 0.5, createdAt: proposal.madeAt, isProposed: true };
  });
}

/** Returns the drafts and the proposed new events, as events for the lists. */
export function useDraftEvents(): readonly DraftEvent[] {
  const shown = drafts.use();
  const added = useProposals()?.added;
  const copied = copies.use();
  return useMemo(
    () => [...eventsOfForm(shown), ...eventsOfProposals(added ?? []), ...copied],
    [shown, added, copied],
  );
}
