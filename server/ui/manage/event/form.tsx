import './form.css';
import { Button, CloseButton } from '@mantine/core';
import { useFocusTrap, useMediaQuery } from '@mantine/hooks';
import {
  type FormEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { EventStatus, EventType } from '../../../../db/model.ts';
import type { Day } from '../../../dates/days.ts';
import { parsePlainWords } from '../../../dates/line/plain-words.ts';
import type { Event } from '../../../http/contract.ts';
import type { Message } from '../../../messages/message.ts';
import type { FormKind } from '../../base/address.ts';
import { useEscape } from '../../base/browser.ts';
import { BridgeError } from '../../base/desktop.ts';
import { useEndLine } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { useErrorMessage } from '../../base/i18n.ts';
import { adjustPlace, goTo, usePlace } from '../../base/navigation.ts';
import { useDaysOff, useHasDaysOff } from '../../data/days-off.ts';
import { drafts } from '../../data/editor.ts';
import { neighboursOf } from '../../data/event-queries.ts';
import { isOpen, type Proposal, proposedEvent, useProposals } from '../../data/proposals.ts';
import { useEvent, useVisibleEvents } from '../../data/visible-events.tsx';
import { useTask } from '../parts/action-hooks.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { useClubText } from '../parts/desktop-provider.tsx';
import { ErrorMessage, ErrorNotice } from '../parts/parts.tsx';
import { focusAdded, focusInstead, useEditing } from './editor.tsx';
import { type Conflict, EventFields, type FormFields } from './fields.tsx';
import { PlainWordsLine, useLineContext } from './line.tsx';
import { RepetitionFields, useSeriesWords } from './repetition.tsx';
import { type Series, withToggled } from './series.ts';
import {
  changesOf,
  describeForm,
  emptyValues,
  endLineOf,
  type Field,
  type FormState,
  fields,
  inputOf,
  isTimeOfDay,
  readForm,
  readKeptForm,
  timestampOf,
  type Values,
  valuesOf,
  valuesOfLine,
  withMovedEnd,
  writeForm,
} from './values.ts';

function close(): void {
  goTo({ form: null, formDay: null });
}

/** A form that is not edited yet. */
const untouched = (initial: Values): FormState => ({ line: '', initial, edited: {} });

/** Returns a kept form with the day that was chosen now, unless it began with that day. */
function onDay(state: FormState, day: Day | null): FormState {
  const { initial, edited } = state;
  if (day === null || initial.date === day) return state;
  return { ...state, initial: { ...initial, date: day }, edited: { ...edited, date: day } };
}

type KeptForm = {
  readonly state: FormState;
  /** True if the form opened with text that was typed before. */
  readonly wasUnsaved: boolean;
  readonly update: (change: (before: FormState) => FormState) => void;
  /** Begins a form without text. */
  readonly begin: (initial: Values) => void;
  readonly forget: () => void;
};

/** Keeps the state of a form outside of it until it is saved or discarded. */
function useKeptForm(name: string, initial: () => Values, day: Day | null): KeptForm {
  const [text, setText, forget] = useClubText(`event ${name}`, { describe: describeForm });
  /** The state without unsaved text. */
  const [clean, setClean] = useState(() => untouched(initial()));
  const kept = useMemo(() => {
    const form = readKeptForm(text);
    return form && onDay(form, day);
  }, [text, day]);
  const [wasUnsaved, setWasUnsaved] = useState(kept !== undefined);
  const state = kept ?? clean;
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
        date: timestampOf(day, form.time),
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
  }, [key, endLine]);
  // The list shows the first date once, when the repetition is understood.
  const first = series?.days[0];
  const isShown = useRef(false);
  useEffect(() => {
    if (first === undefined || isShown.current) return;
    isShown.current = true;
    adjustPlace({ day: first });
  }, [first]);
}

/** The field of a refused value, if it is one of the form. */
function fieldOf(error: Error | undefined): Field | undefined {
  if (!(error instanceof BridgeError)) return undefined;
  if (error.code === 'event_name_empty') return 'name';
  if (error.code === 'event_date_invalid') return 'date';
  if (error.code !== 'event_value_invalid') return undefined;
  const { key } = error.values['field'] as Message;
  return fields.find((field) => key === `field:${field}`);
}

/** The way to days off, for a repetition that is to leave them out in a club without any. */
function NoDaysOff() {
  const { t } = useTranslation('repetition');
  if (useHasDaysOff()) return null;
  return (
    <p className="small event-no-days-off" role="status">
      {t('noDaysOff')}{' '}
      <button
        type="button"
        className="link-button"
        onClick={() => goTo({ manage: 'club-settings', form: null })}
      >
        {t('addDaysOff')}
      </button>
    </p>
  );
}

type OpenFormProps = {
  readonly kind: FormKind;
  /** The event that is edited or duplicated. */
  readonly event?: Event;
  /** The day of a new event. */
  readonly day: Day | null;
  /** The last proposal for the event without an answer, whose values the form shows. */
  readonly proposal?: Proposal;
};

/** Returns the values with which a form begins. */
function initialValues({ kind, event, day }: OpenFormProps): Values {
  if (event === undefined) return { ...emptyValues, date: day ?? '' };
  const values = valuesOf(event);
  return kind === 'copy' && values.status !== 'draft' ? { ...values, status: 'active' } : values;
}

/** Titles of the form in a copy. */
const titles = { new: 'proposals:new', copy: 'proposals:new', edit: 'proposals:edit' } as const;

function OpenForm(props: OpenFormProps) {
  const { kind, day, proposal } = props;
  const isNew = kind !== 'edit';
  const { t } = useTranslation(['eventForm', 'proposals']);
  const proposals = useProposals();
  const isProposing = proposals !== undefined;
  const event = props.event && proposedEvent(props.event, proposal ? [proposal] : []);
  const { events } = useVisibleEvents();
  const { perform, propose, withdraw, lead, opener } = useEditing();
  const { describeEvent, describeAdded } = useChangeWords();
  const seriesWords = useSeriesWords();
  const formats = useFormats();
  const context = useLineContext();
  const endLine = useEndLine();
  const name = event === undefined ? kind : `${kind} ${event.id}`;
  const initial = () => initialValues({ kind, day, ...(event && { event }) });
  const kept = useKeptForm(name, initial, day);
  const { state, update } = kept;
  const [left, setLeft] = useState<ReadonlySet<Field>>(new Set());
  const form = useRef<HTMLFormElement>(null);
  const line = useRef<HTMLTextAreaElement>(null);
  useState(() => {
    opener.current = document.activeElement;
  });
  const coversPage = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  const trap = useFocusTrap(coversPage);
  useEscape({ own: '.event-form', within: '.event-form, #events' }, close);

  useLayoutEffect(() => {
    if (isNew) line.current?.focus();
    else form.current?.querySelector<HTMLElement>('#event-name')?.focus();
  }, [isNew]);

  const words = useMemo(() => parsePlainWords(state.line, context), [state.line, context]);
  const theirs = isNew || event === undefined ? undefined : valuesOf(event);
  const values = withMovedEnd(theirs ?? { ...state.initial, ...valuesOfLine(words) }, state.edited);
  const daysOff = useDaysOff();
  const { values: stored, errors, movedTime, series } = readForm(values, context, daysOff);
  const conflicts = theirs === undefined ? {} : findConflicts(state, theirs, stored);
  const isComplete = Object.keys(errors).length === 0;
  const shownLine = isComplete ? endLineOf(stored, endLine) : '';
  useDraftOf(stored, series, isNew && isComplete, (day) =>
    fieldForm.change({ except: withToggled(stored, day) }),
  );

  const leave = (...names: Field[]) => setLeft(new Set([...left, ...names]));
  const finish = () => {
    kept.forget();
    close();
  };
  const focusProblem = (selector: string) =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(selector)?.focus());

  const beginAnother = () => {
    const { eventType, location } = stored;
    kept.begin({ ...emptyValues, eventType, location });
    setLeft(new Set());
    line.current?.focus();
  };

  const proposing = async (isLast: boolean) => {
    if (isNew || props.event === undefined) {
      await propose('proposal add', { event: inputOf(stored, endLine) });
      if (isLast) finish();
      else beginAnother();
      return;
    }
    const { id } = props.event;
    // Compared with the copy: a value that is set back is no longer proposed.
    const changes = changesOf(stored, props.event, endLine);
    const isChanged = Object.keys(changes).length > 0;
    const replaces = proposal && { replaces: proposal.id };
    if (isChanged) await propose('proposal edit', { id, changes, ...replaces });
    else if (proposal) await withdraw(proposal.id);
    finish();
  };

  const saving = useTask(async (isLast: boolean) => {
    if (isProposing) {
      await proposing(isLast);
      return;
    }
    if (theirs === undefined || event === undefined || isNew) {
      const added = await perform(
        'event add',
        { event: inputOf(stored, endLine), ...(series && { days: [...series.days] }) },
        ({ event: after, series: several }) =>
          several === undefined ? describeEvent({ after }) : describeAdded(several.events),
      );
      if (isLast) {
        opener.current = null;
        kept.forget();
        goTo({ form: null, formDay: null, event: null });
        await focusAdded(added.result.event, added.isShown, lead);
        return;
      }
      beginAnother();
      return;
    }
    const changes = changesOf(stored, event, endLine);
    if (Object.keys(changes).length > 0) {
      const args = { id: event.id, changes, expected: event };
      await perform('event edit', args, ({ before, event: after }) =>
        describeEvent({ before, after }),
      );
    }
    finish();
  });

  const removing = useTask(async (removed: Event) => {
    if (isProposing) {
      const replaces = proposal && { replaces: proposal.id };
      await propose('proposal remove', { id: removed.id, ...replaces });
      finish();
      return;
    }
    const { next, previous } = neighboursOf(removed, events);
    await perform('event remove', { id: removed.id }, ({ event: before }) =>
      describeEvent({ before }),
    );
    opener.current = null;
    kept.forget();
    goTo({ form: null, formDay: null, event: null });
    focusInstead(next ?? previous, removed);
  });

  const mustChoose = Object.values(conflicts).some(({ mine }) => mine !== undefined);
  const isRefusedForConflict =
    saving.error instanceof BridgeError && saving.error.code === 'event_changed_meanwhile';
  useEffect(() => {
    if (!isRefusedForConflict || !mustChoose) return;
    form.current?.querySelector<HTMLElement>('.event-conflict button')?.focus();
  }, [isRefusedForConflict, mustChoose]);

  const isRepeated = isProposing && series !== undefined;
  const submit = (isLast: boolean) => {
    if (!isComplete) {
      setLeft(new Set(fields));
      focusProblem('[aria-invalid]');
    } else if (isRepeated) {
      line.current?.focus();
    } else if (mustChoose) {
      focusProblem('.event-conflict button');
    } else void saving.run(isLast);
  };

  const resetSaving = useEffectEvent(saving.reset);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit may have removed the reason
  useEffect(() => resetSaving(), [state]);

  /** Makes the stored value of a field the one that the person knows. */
  const know = <State extends Pick<FormState, 'initial'>>(before: State, field: Field): State => ({
    ...before,
    initial: { ...before.initial, ...(theirs && { [field]: theirs[field] }) },
  });
  const refusedField = fieldOf(saving.error);
  const refusal = useErrorMessage(saving.error);
  const fieldForm: FormFields = {
    values,
    stored,
    errors: Object.fromEntries(
      Object.entries(errors).filter(([field]) => left.has(field as Field)),
    ),
    movedTime,
    endLine: shownLine,
    conflicts,
    refusal:
      refusedField !== undefined && refusal !== undefined
        ? { field: refusedField, message: refusal }
        : undefined,
    places: context.places,
    change: (changed) =>
      update((before) => {
        const edited = Object.entries({ ...before.edited, ...changed }).filter(
          ([field, value]) => isNew || value !== before.initial[field as Field],
        );
        return { ...before, edited: Object.fromEntries(edited) };
      }),
    leave,
    takeTheirs: (field) => {
      update(({ edited, ...before }) => ({
        ...know(before, field),
        edited: without(edited, field),
      }));
      focusProblem(`#event-${field}`);
    },
    keepMine: (field) => {
      update((before) => know(before, field));
      focusProblem(`#event-${field}`);
    },
  };
  const startOver = () => {
    kept.begin(initial());
    setLeft(new Set());
    focusProblem('input, textarea');
  };
  const hasDay = errors.date === undefined;
  const count = series?.days.length ?? 1;
  const addWords = isProposing
    ? t('proposals:propose')
    : count === 1
      ? t('add')
      : t('addSeveral', { count, shown: formats.number(count) });
  const time =
    hasDay && errors.time === undefined && stored.time !== ''
      ? formats.time(timestampOf(stored.date, stored.time))
      : '';
  const until = isTimeOfDay(stored.ends) ? `–${formats.clock(stored.ends)}` : '';
  const moment =
    series !== undefined
      ? [seriesWords(series, time && time + until)]
      : [
          hasDay ? formats.on('longDay', stored.date) : '',
          time,
          shownLine.charAt(0).toLocaleLowerCase() + shownLine.slice(1),
        ];

  return (
    <section
      ref={trap}
      className="upright event-form"
      aria-labelledby="event-form-title"
      {...(coversPage && { role: 'dialog', 'aria-modal': true })}
    >
      <header className="apart event-form-head">
        <h2 id="event-form-title">{t(isProposing ? titles[kind] : kind)}</h2>
        <CloseButton size="lg" aria-label={t('close')} onClick={close} />
      </header>
      <form
        ref={form}
        noValidate
        onSubmit={(submitted: FormEvent) => {
          submitted.preventDefault();
          submit(true);
        }}
      >
        <div className="stack wide event-form-body">
          {kept.wasUnsaved && (
            <p className="event-unsaved">
              {t('unsaved')}{' '}
              <button type="button" className="link-button" onClick={startOver}>
                {t('startOver')}
              </button>
            </p>
          )}
          {isNew && (
            <PlainWordsLine
              text={state.line}
              words={words}
              moment={moment.filter((part) => part !== '').join(', ')}
              input={line}
              onChange={(text) => update((before) => ({ ...before, line: text }))}
            />
          )}
          {words.repetition?.exceptDaysOff && <NoDaysOff />}
          <EventFields form={fieldForm} event={isNew ? undefined : event}>
            {isNew && !isProposing && (
              <RepetitionFields form={fieldForm} series={series} daysOff={daysOff} />
            )}
          </EventFields>
        </div>
        <div className="cluster event-form-foot">
          {isRefusedForConflict && <ErrorMessage>{t('chooseFirst')}</ErrorMessage>}
          {refusedField === undefined && !isRefusedForConflict && (
            <ErrorNotice error={saving.error} />
          )}
          <ErrorNotice error={removing.error} />
          {isRepeated && <ErrorMessage>{t('proposals:noRepetition')}</ErrorMessage>}
          <Button type="submit">{isNew || isProposing ? addWords : t('save')}</Button>
          {isNew ? (
            <Button variant="default" onClick={() => submit(false)}>
              {t(isProposing ? 'proposals:proposeAnother' : 'addAnother')}
            </Button>
          ) : (
            <Button variant="default" onClick={finish}>
              {t('discard')}
            </Button>
          )}
          {!isNew && event !== undefined && (
            <Button
              className="event-delete"
              variant="subtle"
              color="red"
              onClick={() => void removing.run(event)}
            >
              {t(isProposing ? 'proposals:proposeDelete' : 'delete')}
            </Button>
          )}
        </div>
      </form>
    </section>
  );
}

/** The form for an event that is stored, as soon as it is found. */
function FormOfEvent({ kind, id }: { readonly kind: 'edit' | 'copy'; readonly id: number }) {
  const { t } = useTranslation('panel');
  const finding = useEvent(id);
  const found = finding.state === 'found' ? finding.event : undefined;
  // An event that somebody deletes leaves the text of the form as it is.
  const [last, setLast] = useState(found);
  if (found !== undefined && found !== last) setLast(found);
  const event = found ?? last;
  const proposals = useProposals()?.list ?? [];
  const proposal = proposals.findLast(
    (each) => kind === 'edit' && each.event.id === id && isOpen(each),
  );
  if (event !== undefined) {
    const replaced = proposal && { proposal };
    return <OpenForm kind={kind} event={event} day={null} {...replaced} />;
  }
  if (finding.state === 'looking') return null;
  return (
    <div className="stack page-state" role="status">
      <p>{t(finding.state === 'absent' ? 'absentNext' : 'failedNext')}</p>
      <Button onClick={close}>{t('close')}</Button>
    </div>
  );
}

/** The form for a new event, or for the event in the panel, in the column beside the view. */
export function EventForm() {
  const { form, event, formDay } = usePlace();
  if (form === null) return null;
  if (form === 'new' || event === null) {
    return <OpenForm key={`new ${formDay}`} kind="new" day={formDay} />;
  }
  return <FormOfEvent key={`${form} ${event}`} kind={form} id={event} />;
}
