import './club-settings.css';
import { IconCheck } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../base/i18n.ts';
import { useAction, useActionQuery } from '../parts/action-hooks.ts';
import { ClubNameField, useClubName } from '../parts/club-name.tsx';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ScreenIntro } from '../parts/parts.tsx';

/** A setting that is saved when its field is left. */
function ClubSetting({
  id,
  name,
  help,
  children,
}: {
  /** The id of the field; its help has the same with `-help`. */
  readonly id: string;
  readonly name: string;
  readonly help: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="club-setting">
      <div>
        <label htmlFor={id}>{name}</label>
        <p id={`${id}-help`} className="small quiet">
          {help}
        </p>
      </div>
      <div>{children}</div>
    </div>
  );
}

/** The field that renames the club, with the old name and an undo below. */
function NameSetting() {
  const { t } = useTranslation(['clubs', 'welcome', 'undoNotice']);
  const { club, showClub } = useDesktop();
  const { data } = useActionQuery('user list', {});
  const taken = (data?.users ?? []).filter(({ id }) => id !== club.id).map(({ name }) => name);
  const field = useClubName('name of the club', club.name);
  const renaming = useAction('user rename');
  const refusal = useErrorMessage(renaming.error);
  const [before, setBefore] = useState<string | undefined>();
  const rename = async (newName: string) => {
    const renamed = await renaming.run({ name: club.name, newName });
    if (renamed === undefined) return;
    setBefore(renamed.before);
    await showClub(club.id);
    field.forget();
  };
  const save = () => {
    const checked = field.check(taken);
    if (checked === undefined) return;
    if (checked === club.name) field.forget();
    else void rename(checked);
  };
  return (
    <ClubSetting id="club-name" name={t('name')} help={t('welcome:nameHelp')}>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          save();
        }}
      >
        <ClubNameField
          clubName={field}
          id="club-name"
          aria-describedby="club-name-help"
          error={field.error ?? refusal}
          onChange={({ currentTarget }) => {
            renaming.reset();
            field.setText(currentTarget.value);
          }}
          onBlur={save}
          onKeyDown={({ key }) => {
            if (key !== 'Escape') return;
            renaming.reset();
            field.forget();
          }}
        />
      </form>
      <p role="status" className="club-setting-saved">
        {before !== undefined && (
          <>
            <span className="badge badge-good">
              <IconCheck size={14} aria-hidden />
              {t('saved')}
            </span>{' '}
            <span dir="auto">{t('was', { name: before })}</span>{' '}
            <button type="button" className="link-button" onClick={() => void rename(before)}>
              {t('undoNotice:undo')}
            </button>
          </>
        )}
      </p>
    </ClubSetting>
  );
}

/** The settings of the open club; each is saved when its field is left. */
export function ClubSettingsScreen() {
  const { t } = useTranslation('clubs');
  const { club } = useDesktop();
  return (
    <>
      <ScreenIntro>{t('settingsIntro')}</ScreenIntro>
      <div className="club-settings">
        <NameSetting key={club.id} />
      </div>
    </>
  );
}
