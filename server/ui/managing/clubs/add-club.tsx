import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useAction } from '../parts/use-action.ts';
import { ClubNameField } from './club-name-field.tsx';
import { useClubName } from './use-club-name.ts';

/** A form that adds a club without showing it. */
export function AddClub({ taken }: { readonly taken: readonly string[] }) {
  const { t } = useTranslation('clubs');
  const name = useClubName(taken);
  const { run, isRunning, error } = useAction('user add');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = name.check();
    if (checked === undefined) return;
    if ((await run({ name: checked })) !== undefined) name.setText('');
  };
  return (
    <form className="clubs-add" onSubmit={(event) => void submit(event)}>
      <ClubNameField clubName={name} label={t('newClub')} />
      <Button
        type="submit"
        variant="default"
        loading={isRunning}
        leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
      >
        {t('add')}
      </Button>
      <ErrorNotice error={error} />
    </form>
  );
}
