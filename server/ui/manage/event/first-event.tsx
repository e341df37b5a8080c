import { Button } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type PlainWords, parsePlainWords } from '../../../dates/line/plain-words.ts';
import { useEndLine } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { useClubText } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import { useEditing } from './editor-provider.tsx';
import { PlainWordsInput, useLineContext } from './plain-words-line.tsx';
import {
  type EventInput,
  emptyValues,
  endLineOf,
  inputOf,
  type Reading,
  readForm,
  valuesOfLine,
} from './values.ts';

/** Returns the message for what the line lacks, or for its time if that cannot be stored. */
function problemIn({ name, day }: PlainWords, { errors }: Reading) {
  if (day === undefined) return 'dayMissing';
  if (name === '') return 'nameMissing';
  if (errors.ends !== undefined) return 'eventForm:endsBeforeStart';
  return errors.time === undefined ? undefined : 'eventForm:timeIsNone';
}

/** The line of plain words that adds the first event. */
export function FirstEvent() {
  const { t } = useTranslation(['firstRun', 'eventForm']);
  const formats = useFormats();
  const { perform } = useEditing();
  const { describeEvent } = useChangeWords();
  const context = useLineContext();
  const endLine = useEndLine();
  const id = useId();
  const [text, setText, forget] = useClubText('first event');
  const [isAsked, setAsked] = useState(false);
  const adding = useTask((event: EventInput) =>
    perform('event add', { event }, ({ event: after }) => describeEvent({ after })),
  );
  const words = parsePlainWords(text, context);
  const { day, time, location } = words;
  const reading = readForm({ ...emptyValues, ...valuesOfLine(words) }, context);
  const problem = problemIn(words, reading);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    setAsked(problem !== undefined);
    if (problem === undefined) {
      const added = await adding.run(inputOf(context.zone, reading.values, endLine));
      if (added !== undefined) forget();
    }
  };
  const until = problem === undefined && endLineOf(reading.values, endLine);
  const understood =
    day && [formats.on('longDay', day), time, until, location].filter(Boolean).join(', ');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('title')}</h2>
      <p className="quiet">{t('help')}</p>
      <form className="first-run-line" onSubmit={(event) => void add(event)}>
        <PlainWordsInput
          spellCheck={false}
          aria-label={t('line')}
          aria-describedby={`${id}-read`}
          aria-invalid={isAsked && problem !== undefined}
          placeholder={t('example')}
          text={text}
          words={words}
          onChange={setText}
        />
        <Button type="submit" loading={adding.isRunning}>
          {t('add')}
        </Button>
        <p id={`${id}-read`} role="status" className="small quiet">
          {isAsked && problem !== undefined ? t(problem) : understood}
        </p>
        <ErrorNotice error={adding.error} />
      </form>
    </section>
  );
}
