import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { EventStatus, EventType } from '../../../../db/model.ts';
import type { Clock } from '../../../dates/clock.ts';
import type { Day } from '../../../dates/days.ts';
import { parsePlainWords } from '../../../dates/line/plain-words.ts';
import type { Event } from '../../../http/contract.ts';
import { useEndLine } from '../../base/event-words.ts';
import { adjustRoute } from '../../base/navigation.ts';
import { useDaysOff } from '../../data/days-off.ts';
import { drafts } from '../../data/editor.ts';
import { type Proposal, proposedEvent } from '../../data/proposals.ts';
import { useClubText } from '../parts/desktop-provider.tsx';
import type { Conflict } from './fields.tsx';
import { useLineContext } from './line-context.ts';
import { type Series, withToggled } from './series.ts';
import {
  describeForm,
  emptyValues,
  endLineOf,
  type Field,
  type FormState,
  fields,
  readForm,
  readUnsavedForm,
  timestampOf,
  type Values,
  valuesOf,
  valuesOfLine,
  withMovedEnd,
  writeForm,
} from './values.ts';

/** A form that is not edited yet. */
const untouched = (initial: Values): FormState => ({ line: '', initial, edited: {} });

/** Returns a kept form with the day that was chosen now, unless it began with that day. */
function onDay(state: FormState, day: Day | null): FormState {
  const { initial, edited } = state;
  if (day === null || initial.date === day) return state;
  return { ...state, initial: { ...initial, date: day }, edited: { ...edited, date: day } };
}

type UnsavedForm = {
  readonly state: FormState;
  /** True if the form opened with text that was typed before. */
  readonly wasUnsaved: boolean;
  readonly update: (change: (before: FormState) => FormState) => void;
  /** Begins a form without text. */
  readonly begin: (initial: Values) => void;
  readonly forget: () => void;
};

/** Keeps the state of a form outside of it until it is saved or discarded. */
function useUnsavedForm(name: string, initial: () => Values, day: Day | null): UnsavedForm {
  const [text, setText, forget] = useClubText(`event ${name}`, { describe: describeForm });
  /** The state without unsaved text. */
  const [clean, setClean] = useState(() => untouched(initial()));
  const unsaved = useMemo(() => {
    const form = readUnsavedForm(text);
    return form && onDay(form, day);
  }, [text, day]);
  const [wasUnsaved, setWasUnsaved] = useState(unsaved !== undefined);
  const state = unsaved ?? clean;
  const latest = useRef(state);
  latest.current = state;
  return {
    state,
    wasUnsaved,
    update(change) {
      // A second change may come before the next render.
      latest.current = change(latest.current);
      setClean(latest.current);
      setText(writeForm(latest.current));
    },
    begin(values) {
      latest.current = untouched(values);
      setClean(latest.current);
      setWasUnsaved(false);
      forget();
    },
    forget,
  };
}

function without<Key extends string>(values: Partial<Values>, field: Key): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== field));
}

/** Returns the fields that somebody else has changed since the form opened. */
function findConflicts(
  { initial, edited }: FormState,
  theirs: Values,
  mine: Values,
): Partial<Record<Field, Conflict>> {
  const conflicts: { [Name in Field]?: Conflict } = {};
  for (const field of fields) {
    const isEdited = edited[field] !== undefined;
    if (theirs[field] === initial[field] || (isEdited && mine[field] === theirs[field])) continue;
    conflicts[field] = { theirs: theirs[field], mine: isEdited ? mine[field] : undefined };
  }
  return conflicts;
}

/** Shows the event of the form among the others while it is written. */
function useDraftOf(
  clock: Clock,
  values: Values,
  series: Series | undefined,
  isComplete: boolean,
  toggle: (day: Day) => void,
): void {
  const endLine = useEndLine();
  const onToggle = useEffectEvent(toggle);
  const shown = isComplete ? { values, series } : null;
  // The values are new objects in each render.
  const key = JSON.stringify(shown);
  useEffect(() => {
    const { values: form, series: repeated } = JSON.parse(key) ?? {};
    if (form === undefined) return;
    const at = (day: Day) => {
      const moved = { ...withMovedEnd(form, { date: day }), date: day };
      return {
        date: timestampOf(clock, day, form.time),
        description: endLineOf(moved, endLine) || null,
      };
    };
    const days = new Set(repeated?.days);
    drafts.set({
      event: {
        name: form.name.trim(),
        location: form.location,
        status: form.status as EventStatus,
        eventType: (form.eventType || null) as EventType | null,
        ...at(form.date),
      },
      dates: (repeated?.possible ?? []).map((day: Day) => ({
        ...at(day),
        isLeftOut: !days.has(day),
      })),
      toggle: (day) => onToggle(day),
    });
    return () => drafts.set(null);
  }, [key, endLine, clock]);
  // The list shows the first date once, when the repetition is understood.
  const first = series?.days[0];
  const isShown = useRef(false);
  useEffect(() => {
    if (first === undefined || isShown.current) return;
    isShown.current = true;
    adjustRoute({ day: first });
  }, [first]);
}

export type OpenFormProps = {
  readonly kind: 'new' | 'edit';
  /** The event that is edited. */
  readonly event?: Event;
  /** The day of a new event. */
  readonly day: Day | null;
  /** The last proposal for the event without an answer, whose values the form shows. */
  readonly proposal?: Proposal;
};

/** Returns the values with which a form begins. */
function initialValues(clock: Clock, { event, day }: Pick<OpenFormProps, 'event' | 'day'>): Values {
  return event === undefined ? { ...emptyValues, date: day ?? '' } : valuesOf(clock, event);
}

/** The state of an open form. `event` is the stored one with the values of the last proposal. */
export function useEventForm(props: OpenFormProps) {
  const { kind, day, proposal } = props;
  const isNew = kind !== 'edit';
  const event = props.event && proposedEvent(props.event, proposal ? [proposal] : []);
  const context = useLineContext();
  const { zone: clock } = context;
  const endLine = useEndLine();
  const daysOff = useDaysOff();
  const name = event === undefined ? kind : `${kind} ${event.id}`;
  const initial = () => initialValues(clock, { day, ...(event && { event }) });
  const { state, update, ...unsaved } = useUnsavedForm(name, initial, day);
  /** Fields that the person has left, whose errors are shown. */
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const words = useMemo(() => parsePlainWords(state.line, context), [state.line, context]);
  const theirs = isNew || event === undefined ? undefined : valuesOf(clock, event);
  const values = withMovedEnd(
    theirs ?? { ...state.initial, ...valuesOfLine(words, daysOff) },
    state.edited,
  );
  const reading = readForm(values, context, daysOff);
  const { values: stored, errors, series } = reading;
  const isComplete = Object.keys(errors).length === 0;
  const change = (changed: Partial<Values>) =>
    update((before) => {
      const edited = Object.entries({ ...before.edited, ...changed }).filter(
        ([field, value]) => isNew || value !== before.initial[field as Field],
      );
      return { ...before, edited: Object.fromEntries(edited) };
    });
  useDraftOf(clock, stored, series, isNew && isComplete, (toggled) =>
    change({ except: withToggled(stored, toggled) }),
  );
  const begin = (next: Values) => {
    unsaved.begin(next);
    setLeft(new Set());
  };
  /** Makes the stored value of a field the one that the person knows. */
  const know = <State extends Pick<FormState, 'initial'>>(before: State, field: Field): State => ({
    ...before,
    initial: { ...before.initial, ...(theirs && { [field]: theirs[field] }) },
  });
  return {
    isNew,
    event,
    state,
    words,
    clock,
    places: context.places,
    daysOff,
    values,
    stored,
    series,
    movedTime: reading.movedTime,
    /** The errors of the fields that the person has left. */
    shownErrors: Object.fromEntries(
      Object.entries(errors).filter(([field]) => left.has(field as Field)),
    ),
    errors,
    isComplete,
    /** The line of the end in the note; empty for none. */
    shownEnd: isComplete ? endLineOf(stored, endLine) : '',
    endLine,
    conflicts: theirs === undefined ? {} : findConflicts(state, theirs, stored),
    wasUnsaved: unsaved.wasUnsaved,
    change,
    changeLine: (line: string) => update((before) => ({ ...before, line })),
    leave: (...names: readonly Field[]) => setLeft(new Set([...left, ...names])),
    takeTheirs: (field: Field) =>
      update(({ edited, ...before }) => ({
        ...know(before, field),
        edited: without(edited, field),
      })),
    keepMine: (field: Field) => update((before) => know(before, field)),
    startOver: () => begin(initial()),
    /** Begins the form for another event of the same type and place. */
    beginAnother: () =>
      begin({ ...emptyValues, eventType: stored.eventType, location: stored.location }),
    forget: unsaved.forget,
  };
}

export type EventFormState = ReturnType<typeof useEventForm>;
