import './welcome.css';
import { Button, NativeSelect } from '@mantine/core';
import { IconFileImport, IconSettings } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Language, languages } from '../../../messages/messages.ts';
import { perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { useLanguageChoice } from '../../base/i18n.ts';
import icon from '../../base/icon.svg';
import { goTo } from '../../base/navigation.ts';
import { useTask } from '../parts/actions.ts';
import { ClubNameField, useClubName } from '../parts/club-name.tsx';
import { useApplication } from '../parts/desktop.tsx';
import { DesktopNotices, firstSteps } from '../parts/notices.tsx';
import { ErrorNotice } from '../parts/parts.tsx';

export type Beginnings = ReturnType<typeof useBeginnings>;

/** Returns the tasks that create a first club and show it. */
export function useBeginnings() {
  const { showClub, opened, open } = useApplication();

  const withFile = useTask(async (name: string) => {
    // Files first: no club is created if the user cancels the dialog.
    const files = opened.length > 0 ? [] : await unwrap(requireBridge().chooseFiles(null));
    if (files.length === 0 && opened.length === 0) return;
    const { id } = await perform('user add', { name });
    firstSteps.set('own');
    await showClub(id);
    open(files);
    goTo({ manage: 'import' });
  });

  const withNothing = useTask(async (name: string) => {
    const { id } = await perform('user add', { name });
    firstSteps.set('own');
    await showClub(id);
    goTo({ manage: null });
  });

  const withDemo = useTask(async () => {
    const { id } = await perform('demo add', {});
    firstSteps.set('demo');
    await showClub(id);
  });

  const error = withFile.error ?? withNothing.error ?? withDemo.error;
  return { withFile, withNothing, withDemo, error };
}

/** The form for a new club: its name, and a file to import or no events. */
function OwnClub({ beginnings }: { readonly beginnings: Beginnings }) {
  const { t } = useTranslation(['welcome', 'clubs']);
  const { opened } = useApplication();
  const { withFile, withNothing } = beginnings;
  const name = useClubName([]);
  const begin = (task: typeof withFile) => {
    const checked = name.check();
    if (checked === undefined) document.getElementById('club-name')?.focus();
    else void task.run(checked);
  };
  const [waitingFile] = opened;
  return (
    <form
      className="welcome-own"
      onSubmit={(event) => {
        event.preventDefault();
        begin(withFile);
      }}
    >
      {waitingFile && <p role="status">{t('waiting', { file: waitingFile.name })}</p>}
      <ClubNameField id="club-name" size="md" clubName={name} label={t('name')} />
      <Button
        type="submit"
        size="md"
        leftSection={<IconFileImport size={20} stroke={1.75} aria-hidden />}
        loading={withFile.isRunning}
      >
        {waitingFile ? t('importWaiting') : t('import')}
      </Button>
      {!waitingFile && <p className="welcome-help">{t('importHelp')}</p>}
      <Button
        size="md"
        variant="default"
        loading={withNothing.isRunning}
        onClick={() => begin(withNothing)}
      >
        {t('empty')}
      </Button>
    </form>
  );
}

function Footer() {
  const { t } = useTranslation(['welcome', 'shell', 'manage']);
  const [language, setLanguage] = useLanguageChoice();
  const choices = Object.entries(languages).map(([value, label]) => ({ value, label }));
  return (
    <div className="welcome-foot">
      <NativeSelect
        aria-label={t('shell:language')}
        size="sm"
        value={language ?? 'none'}
        data={[{ value: 'none', label: t('systemLanguage') }, ...choices]}
        onChange={({ currentTarget: { value } }) =>
          void setLanguage(value === 'none' ? null : (value as Language))
        }
      />
      <Button
        variant="default"
        size="sm"
        fw={500}
        leftSection={<IconSettings size={18} stroke={1.75} aria-hidden />}
        onClick={() => goTo({ manage: 'settings' })}
      >
        {t('manage:settings')}
      </Button>
    </div>
  );
}

export function Welcome() {
  const { t } = useTranslation('welcome');
  const beginnings = useBeginnings();
  const { withDemo, error } = beginnings;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="welcome">
      <DesktopNotices />
      <main className="welcome-main">
        <div className="welcome-card">
          <img src={icon} alt="" />
          <h1 ref={heading} tabIndex={-1}>
            {t('title')}
          </h1>
          <p className="welcome-intro">{t('intro')}</p>
          <OwnClub beginnings={beginnings} />
          <ErrorNotice error={error} />
          <p className="welcome-or">{t('or')}</p>
          <Button
            size="md"
            variant="default"
            loading={withDemo.isRunning}
            onClick={() => void withDemo.run()}
          >
            {t('demo')}
          </Button>
          <p className="welcome-help">{t('demoHelp')}</p>
        </div>
        <Footer />
      </main>
    </div>
  );
}
