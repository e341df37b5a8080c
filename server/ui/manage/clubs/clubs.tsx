import './clubs.css';
import { Button, Skeleton } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RowButton } from '../../base/buttons.tsx';
import { IconPlus } from '../../base/icons.ts';
import { useAction, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { ClubNameField, useClubName } from '../parts/club-name.tsx';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import { SettingGroup } from '../parts/setting.tsx';
import { type ListedClub, RemoveClub, useCounts } from './remove-club.tsx';

/** A form that adds a club without showing it. */
function AddClub({ taken }: { readonly taken: readonly string[] }) {
  const { t } = useTranslation('clubs');
  const name = useClubName('new club');
  const { run, isRunning, error } = useAction('user add');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = name.check(taken);
    if (checked === undefined) return;
    if ((await run({ name: checked })) !== undefined) name.forget();
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

type RowProps = {
  readonly listed: ListedClub;
  readonly onShow: () => void;
  readonly onRemove: () => void;
};

function ClubRow({ listed, onShow, onRemove }: RowProps) {
  const { t } = useTranslation('clubs');
  const { club } = useDesktop();
  const describeCounts = useCounts();
  const { id, name } = listed;
  return (
    <li className="club">
      <span className="club-words">
        <span className="club-name" dir="auto">
          {name}
        </span>
        <span className="quiet figures">{describeCounts(listed)}</span>
      </span>
      {id === club.id ? (
        <span className="club-shown">{t('isCurrent')}</span>
      ) : (
        <RowButton size="sm" aria-label={t('showNamed', { name })} onClick={onShow}>
          {t('show')}
        </RowButton>
      )}
      <RowButton size="sm" aria-label={t('removeNamed', { name })} onClick={onRemove}>
        {t('remove')}
      </RowButton>
    </li>
  );
}

/** The list of clubs, with buttons to show, remove and add one. */
export function Clubs() {
  const { t } = useTranslation(['clubs', 'manage']);
  const { showClub } = useDesktop();
  const { data, error } = useActionQuery('user list', {});
  const show = useTask(showClub);
  const [clubToRemove, setClubToRemove] = useState<ListedClub | undefined>();
  const clubs = data?.users ?? [];
  return (
    <SettingGroup title={t('manage:clubs')} address="clubs">
      <div className="stack">
        <p className="quiet">{t('intro')}</p>
        <ErrorNotice error={error ?? show.error} />
        {data === undefined && error === null && <Skeleton className="clubs-skeleton" />}
        {clubs.length > 0 && (
          <ul className="boxed ruled item-list clubs">
            {clubs.map((listed) => (
              <ClubRow
                key={listed.id}
                listed={listed}
                onShow={() => void show.run(listed.id)}
                onRemove={() => setClubToRemove(listed)}
              />
            ))}
          </ul>
        )}
        <AddClub taken={clubs.map(({ name }) => name)} />
        <RemoveClub club={clubToRemove} onClose={() => setClubToRemove(undefined)} />
      </div>
    </SettingGroup>
  );
}
