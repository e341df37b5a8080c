import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../base/days.ts';
import type { ActionTask } from '../parts/actions.ts';
import { ErrorNotice } from '../parts/parts.tsx';

/** Maximum length of the label of a key, in characters. */
const maxLabelLength = 200;

type DayProblem = 'incomplete' | 'past';

/** Returns the problem with the last day in its field, if there is one. */
function problemOf({ value, validity }: HTMLInputElement, today: string): DayProblem | undefined {
  // The value of an incomplete date is empty, too.
  if (validity.badInput) return 'incomplete';
  return value !== '' && value < today ? 'past' : undefined;
}

const requestOf = (user: string, label: string, lastDay: string) => ({
  user,
  ...(label !== '' && { label }),
  ...(lastDay !== '' && { expires: lastDay }),
});

/** The form for a new key. Both fields are optional. */
export function CreateKey({
  club,
  creation,
  labelRef,
}: {
  readonly club: string;
  readonly creation: ActionTask<'key create'>;
  readonly labelRef: RefObject<HTMLInputElement | null>;
}) {
  const { t } = useTranslation('keys');
  const today = useToday();
  const lastDay = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<DayProblem | undefined>();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const [name, day] = [labelRef.current, lastDay.current];
    if (name === null || day === null) return;
    const next = problemOf(day, today);
    setProblem(next);
    if (next === undefined) void creation.run(requestOf(club, name.value.trim(), day.value));
    else day.focus();
  }

  return (
    <section className="access-card" aria-labelledby="access-create">
      <h2 id="access-create" className="access-heading">
        {t('create')}
      </h2>
      <p className="access-note">{t('createHelp', { club })}</p>
      <form noValidate className="access-form" onSubmit={submit}>
        <TextInput
          ref={labelRef}
          label={t('label')}
          description={t('labelHelp')}
          maxLength={maxLabelLength}
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          ref={lastDay}
          type="date"
          label={t('expiresOn')}
          description={t('expiresOnHelp')}
          min={today}
          max="9999-12-31"
          error={problem && t(problem)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <Button type="submit" loading={creation.isRunning}>
          {t('createKey')}
        </Button>
      </form>
      <ErrorNotice error={creation.error} />
    </section>
  );
}
