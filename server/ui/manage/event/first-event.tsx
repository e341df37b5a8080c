import { Button } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { type PlainWords, parsePlainWords } from '../../base/plain-words/plain-words.ts';
import { useTask } from '../parts/actions.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { ErrorNotice } from '../parts/parts.tsx';
import { useEditing } from './editor.tsx';
import { PlainWordsInput, useEndWords, useLineContext } from './line.tsx';
import { type EventInput, emptyValues, inputOf, valuesOfLine } from './values.ts';

/** Returns the message for the part of the event that the line lacks. */
function missingIn({ name, day }: PlainWords): 'nameMissing' | 'dayMissing' | undefined {
  if (day === undefined) return 'dayMissing';
  return name === '' ? 'nameMissing' : undefined;
}

/** The line of plain words that adds the first event. */
export function FirstEvent() {
  const { t } = useTranslation('firstRun');
  const formats = useFormats();
  const { perform } = useEditing();
  const { describeEvent } = useChangeWords();
  const context = useLineContext();
  const describeEnd = useEndWords();
  const id = useId();
  const [text, setText] = useState('');
  const [isAsked, setAsked] = useState(false);
  const adding = useTask((event: EventInput) =>
    perform('event add', { event }, ({ event: after }) => describeEvent({ after })),
  );
  const words = parsePlainWords(text, context);
  const { day, time, end, location } = words;
  const missing = missingIn(words);
  const add = async (event: FormEvent) => {
    event.preventDefault();
    setAsked(missing !== undefined);
    if (missing === undefined) {
      await adding.run(inputOf({ ...emptyValues, ...valuesOfLine(words, describeEnd) }));
    }
  };
  const until = end && describeEnd(end);
  const understood =
    day && [formats.on('longDay', day), time, until, location].filter(Boolean).join(', ');
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('title')}</h2>
      <p className="quiet">{t('help')}</p>
      <form className="first-run-line" onSubmit={(event) => void add(event)}>
        <PlainWordsInput
          type="text"
          spellCheck={false}
          aria-label={t('line')}
          aria-describedby={`${id}-read`}
          aria-invalid={isAsked && missing !== undefined}
          placeholder={t('example')}
          text={text}
          words={words}
          onChange={setText}
        />
        <Button type="submit" loading={adding.isRunning}>
          {t('add')}
        </Button>
        <p id={`${id}-read`} role="status" className="small quiet">
          {isAsked && missing !== undefined ? t(missing) : understood}
        </p>
        <ErrorNotice error={adding.error} />
      </form>
    </section>
  );
}
