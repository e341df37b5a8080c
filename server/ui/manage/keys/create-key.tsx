import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DayField } from '../../base/day-field.tsx';
import { type Day, useToday } from '../../base/days.ts';
import type { ActionTask } from '../parts/actions.ts';
import { ErrorNotice } from '../parts/parts.tsx';

/** Maximum length of the label of a key, in characters. */
const maxLabelLength = 200;

const requestOf = (user: string, label: string, expires: Day | null) => ({
  user,
  ...(label !== '' && { label }),
  ...(expires !== null && { expires }),
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
  const dayField = useRef<HTMLInputElement>(null);
  /** The last day of the key; null for none, undefined for a text that is no day. */
  const [lastDay, setLastDay] = useState<Day | null | undefined>(null);
  const isPast = lastDay != null && lastDay < today;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const label = labelRef.current?.value.trim() ?? '';
    if (lastDay === undefined || isPast) dayField.current?.focus();
    else void creation.run(requestOf(club, label, lastDay));
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
        <DayField
          ref={dayField}
          label={t('expiresOn')}
          description={t('expiresOnHelp')}
          value={lastDay ?? null}
          error={isPast && t('past')}
          onDay={setLastDay}
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
