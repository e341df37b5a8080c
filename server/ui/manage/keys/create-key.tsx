import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../../dates/days.ts';
import { DayField } from '../../base/day-field.tsx';
import { useToday } from '../../base/days.ts';
import type { ActionTask } from '../parts/action-hooks.ts';
import { useClubText } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';

/** Maximum length of the label of a key, in characters. */
const maxLabelLength = 200;

const requestOf = (user: string, label: string, expires: Day | null) => ({
  user,
  ...(label !== '' && { label }),
  ...(expires !== null && { expires }),
});

/** The form for a new key. Both fields are optional. */
export function CreateKey(props: {
  readonly club: string;
  readonly creation: ActionTask<'key create'>;
  readonly labelRef: RefObject<HTMLInputElement | null>;
}) {
  const { club, creation, labelRef } = props;
  const { t } = useTranslation('keys');
  const today = useToday();
  const [label, setLabel, forgetLabel] = useClubText('key label');
  const [expires, setExpires, forgetExpires] = useClubText('key expires');
  const dayField = useRef<HTMLInputElement>(null);
  const [isUnknown, setUnknown] = useState(false);
  const lastDay = expires === '' ? null : expires;
  const isPast = lastDay !== null && lastDay < today;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isUnknown || isPast) {
      dayField.current?.focus();
      return;
    }
    if ((await creation.run(requestOf(club, label.trim(), lastDay))) === undefined) return;
    forgetLabel();
    forgetExpires();
  }

  return (
    <section className="boxed stack loose access-card" aria-labelledby="access-create">
      <h2 id="access-create" className="row brand-icon">
        {t('create')}
      </h2>
      <p className="quiet optional access-note">{t('createHelp', { club })}</p>
      <form noValidate className="stack wide access-form" onSubmit={(event) => void submit(event)}>
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
        <DayField
          ref={dayField}
          label={t('expiresOn')}
          description={t('expiresOnHelp')}
          name={`key expires ${club}`}
          value={lastDay}
          error={isPast && t('past')}
          onDay={(day) => {
            setUnknown(day === undefined);
            if (day !== undefined) setExpires(day ?? '');
          }}
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
