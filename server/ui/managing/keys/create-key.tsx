import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../time/use-today.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import type { ActionTask } from '../parts/use-action.ts';

/** The longest label that a key can have, in characters. */
const longestLabel = 200;

type DayTrouble = 'incomplete' | 'past';

/** What is wrong with the last day, as it stands in its field; undefined when nothing is. */
function troubleOf({ value, validity }: HTMLInputElement, today: string): DayTrouble | undefined {
  // A date of which only a part was typed is empty, too.
  if (validity.badInput) return 'incomplete';
  return value !== '' && value < today ? 'past' : undefined;
}

const requestOf = (user: string, label: string, lastDay: string) => ({
  user,
  ...(label !== '' && { label }),
  ...(lastDay !== '' && { expires: lastDay }),
});

/** Asks for a new key. Neither field has to be filled in. */
export function CreateKey({
  club,
  creation,
  labelRef,
}: {
  readonly club: string;
  readonly creation: ActionTask<'key create'>;
  readonly labelRef: RefObject<HTMLInputElement | null>;
}) {
  const { t } = useTranslation('scriptKeys');
  const today = useToday();
  const lastDay = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState<DayTrouble | undefined>();

  function submit(event: FormEvent): void {
    event.preventDefault();
    const [name, day] = [labelRef.current, lastDay.current];
    if (name === null || day === null) return;
    const found = troubleOf(day, today);
    setTrouble(found);
    if (found === undefined) void creation.run(requestOf(club, name.value.trim(), day.value));
    else day.focus();
  }

  return (
    <section className="access-card" aria-labelledby="access-create">
      <h2 id="access-create" className="access-heading">
        {t('create')}
      </h2>
      <p className="access-note">{t('createWhy', { club })}</p>
      <form noValidate className="access-form" onSubmit={submit}>
        <TextInput
          ref={labelRef}
          label={t('label')}
          description={t('labelWhy')}
          maxLength={longestLabel}
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          ref={lastDay}
          type="date"
          label={t('lastDay')}
          description={t('lastDayWhy')}
          min={today}
          max="9999-12-31"
          error={trouble && t(trouble)}
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
