import './form.css';
import { Button } from '@mantine/core';
import { type FormEvent, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoute } from '../../base/navigation.ts';
import { ErrorMessage, ErrorNotice } from '../parts/parts.tsx';
import { useErrorText } from './fields.tsx';
import { useEventForm } from './form-state.ts';
import { PlainWordsLine, useAddWords } from './plain-words-line.tsx';
import { SeriesDates } from './repetition-fields.tsx';
import { useSaving } from './saving.ts';
import { fields } from './values.ts';

/** The form of the first event: the line of the ordinary form, with the dates of a repetition. */
function FirstEventForm() {
  const { t } = useTranslation('firstRun');
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const form = useEventForm({ kind: 'new', day: null });
  const { saving } = useSaving(form, {}, () => undefined);
  const errorText = useErrorText();
  const addWords = useAddWords();
  const { series, shownErrors, daysOff } = form;
  const error = fields.map((field) => shownErrors[field]).find(Boolean);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (form.isComplete) void saving.run(true);
    else form.leave(...fields);
  };
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('title')}</h2>
      <p className="quiet">{t('help')}</p>
      <form className="first-run-line" noValidate onSubmit={add}>
        <PlainWordsLine form={form} input={input} isInvalid={error !== undefined} />
        <Button type="submit" loading={saving.isRunning}>
          {addWords(series)}
        </Button>
        {series && <SeriesDates form={form} series={series} daysOff={daysOff} />}
        {error && <ErrorMessage>{errorText(error)}</ErrorMessage>}
        <ErrorNotice error={saving.error} />
      </form>
    </section>
  );
}

/** The form of the first event, unless the ordinary form is open, which has the same text. */
export function FirstEvent() {
  const { form } = useRoute();
  return form === null && <FirstEventForm />;
}
