import { Button } from '@mantine/core';
import {
  type FormEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '../../../messages/message.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { BridgeError } from '../../base/desktop.ts';
import { useErrorMessage } from '../../base/i18n.ts';
import { goTo, useRoute } from '../../base/navigation.ts';
import { useHasDaysOff } from '../../data/days-off.ts';
import { useMirror } from '../../data/mirror-context.ts';
import { isOpen, useProposals } from '../../data/proposals.ts';
import { useEvent } from '../../data/visible-events.tsx';
import { ErrorMessage, ErrorNotice } from '../parts/parts.tsx';
import { EventFields, type FormFields } from './fields.tsx';
import { closeForm, FormFrame } from './form-frame.tsx';
import { type OpenFormProps, useEventForm } from './form-state.ts';
import { PlainWordsLine, useAddWords } from './plain-words-line.tsx';
import { RepetitionFields } from './repetition-fields.tsx';
import { useSaving } from './saving.ts';
import { type Field, fields } from './values.ts';

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
      <LinkButton onClick={() => goTo({ manage: 'club-settings', form: null })}>
        {t('addDaysOff')}
      </LinkButton>
    </p>
  );
}

/** Titles of the form in a copy. */
const titles = { new: 'proposals:new', edit: 'proposals:edit' } as const;

function OpenForm(props: OpenFormProps) {
  const { t } = useTranslation(['eventForm', 'proposals']);
  const element = useRef<HTMLFormElement>(null);
  const line = useRef<HTMLTextAreaElement>(null);
  const form = useEventForm(props);
  const { isNew, event, series, conflicts } = form;
  const { saving, removing, finish } = useSaving(form, props, () => line.current?.focus());
  const isProposing = useProposals() !== undefined;
  const addWords = useAddWords();

  useLayoutEffect(() => {
    const name = element.current?.querySelector<HTMLInputElement>('#event-name');
    const field = isNew ? line.current : name;
    field?.focus();
    // Text that comes back is written on at its end.
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [isNew]);
  const focusProblem = (selector: string) =>
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(selector)?.focus());

  const mustChoose = Object.values(conflicts).some(({ mine }) => mine !== undefined);
  const isRefusedForConflict =
    saving.error instanceof BridgeError && saving.error.code === 'event_changed_meanwhile';
  useEffect(() => {
    if (!isRefusedForConflict || !mustChoose) return;
    element.current?.querySelector<HTMLElement>('.event-conflict button')?.focus();
  }, [isRefusedForConflict, mustChoose]);

  const isRepeated = isProposing && series !== undefined;
  const submit = (isLast: boolean) => {
    if (!form.isComplete) {
      form.leave(...fields);
      focusProblem('[aria-invalid]');
    } else if (isRepeated) {
      line.current?.focus();
    } else if (mustChoose) {
      focusProblem('.event-conflict button');
    } else void saving.run(isLast);
  };

  const resetSaving = useEffectEvent(saving.reset);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit may have removed the reason
  useEffect(() => resetSaving(), [form.state]);

  const refusedField = fieldOf(saving.error);
  const refusal = useErrorMessage(saving.error);
  const fieldForm: FormFields = {
    ...form,
    errors: form.shownErrors,
    endLine: form.shownEnd,
    refusal:
      refusedField !== undefined && refusal !== undefined
        ? { field: refusedField, message: refusal }
        : undefined,
    takeTheirs: (field) => {
      form.takeTheirs(field);
      focusProblem(`#event-${field}`);
    },
    keepMine: (field) => {
      form.keepMine(field);
      focusProblem(`#event-${field}`);
    },
  };
  const startOver = () => {
    form.startOver();
    focusProblem('input, textarea');
  };

  return (
    <FormFrame title={t(isProposing ? titles[props.kind] : props.kind)}>
      <form
        ref={element}
        noValidate
        onSubmit={(submitted: FormEvent) => {
          submitted.preventDefault();
          submit(true);
        }}
      >
        <div className="stack wide event-form-body">
          {form.wasUnsaved && (
            <p className="event-unsaved">
              {t('unsaved')} <LinkButton onClick={startOver}>{t('startOver')}</LinkButton>
            </p>
          )}
          {isNew && (
            <PlainWordsLine form={form} input={line} canAdd={form.isComplete && !isRepeated} />
          )}
          {form.words.repetition?.exceptDaysOff && <NoDaysOff />}
          <EventFields form={fieldForm} event={isNew ? undefined : event}>
            {isNew && !isProposing && (
              <RepetitionFields form={fieldForm} series={series} daysOff={form.daysOff} />
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
          <Button type="submit" aria-busy={saving.isRunning || undefined}>
            {isProposing ? t('proposals:propose') : isNew ? addWords(series) : t('save')}
          </Button>
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
    </FormFrame>
  );
}

/** The form for an event that is stored, as soon as it, and the proposals for one of a copy, are known. */
function FormOfEvent({ id }: { readonly id: number }) {
  const { t } = useTranslation('panel');
  const finding = useEvent(id);
  const found = finding.state === 'found' ? finding.event : undefined;
  // An event that somebody deletes leaves the text of the form as it is.
  const [last, setLast] = useState(found);
  if (found !== undefined && found !== last) setLast(found);
  const event = found ?? last;
  const mirror = useMirror();
  const proposals = useProposals();
  const proposal = proposals?.list.findLast((each) => each.event.id === id && isOpen(each));
  if (mirror === undefined || proposals?.isRead === false) return null;
  if (event !== undefined) {
    const replaced = proposal && { proposal };
    return <OpenForm kind="edit" event={event} day={null} {...replaced} />;
  }
  if (finding.state === 'looking') return null;
  return (
    <div className="stack page-state" role="status">
      <p>{t(finding.state === 'absent' ? 'absentNext' : 'failedNext')}</p>
      <Button onClick={closeForm}>{t('close')}</Button>
    </div>
  );
}

/** The form for a new event, or for the event in the panel, in the column beside the view. */
export function EventForm() {
  const { form, event, formDay } = useRoute();
  if (form === null) return null;
  if (form === 'new' || event === null) {
    return <OpenForm key={`new ${formDay}`} kind="new" day={formDay} />;
  }
  return <FormOfEvent key={event} id={event} />;
}
