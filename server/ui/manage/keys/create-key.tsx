import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useToday } from '../../base/days.ts';
import type { ActionTask } from '../parts/actions.ts';
import { useClubText } from '../parts/desktop.tsx';
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
  const [label, setLabel, forgetLabel] = useClubText('key label');
  const [expires, setExpires, forgetExpires] = useClubText('key expires');
  const lastDay = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<DayProblem | undefined>();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const { current: day } = lastDay;
    if (day === null) return;
    const next = problemOf(day, today);
    setProblem(next);
    if (next !== undefined) day.focus();
    else if ((await creation.run(requestOf(club, label.trim(), expires))) !== undefined) {
      forgetLabel();
      forgetExpires();
    }
  }

  return (
    <section className="access-card" aria-labelledby="access-create">
      <h2 id="access-create" className="access-heading">
        {t('create')}
      </h2>
      <p className="access-note">{t('createHelp', { club })}</p>
      <form noValidate className="access-form" onSubmit={(event) => void submit(event)}>
        <TextInput
          ref={labelRef}
          label={t('label')}
          description={t('labelHelp')}
          maxLength={maxLabelLength}
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
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
          value={expires}
          onChange={({ currentTarget }) => setExpires(currentTarget.value)}
        />
        <Button type="submit" loading={creation.isRunning}>
          {t('createKey')}
        </Button>
      </form>
      <ErrorNotice error={creation.error} />
    </section>
  );
}
