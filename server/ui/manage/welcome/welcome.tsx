import './welcome.css';
import { Button, NativeSelect } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChosenFile } from '../../../actions/bridge.ts';
import { fileUses } from '../../../import/formats.ts';
import { type Language, languages } from '../../../messages/messages.ts';
import { perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { useLanguageChoice } from '../../base/i18n.ts';
import icon from '../../base/icon.svg';
import {
  type Icon,
  IconChevronRight,
  IconCloud,
  IconDatabase,
  IconDeviceLaptop,
  IconFileSpreadsheet,
  IconPencil,
  IconSettings,
} from '../../base/icons.ts';
import { adjustRoute, goTo } from '../../base/navigation.ts';
import { type Task, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { ClubNameField, useClubName } from '../parts/club-name.tsx';
import { ConnectForm, type Source } from '../parts/connect.tsx';
import { DesktopNotices, firstSteps } from '../parts/desktop-notices.tsx';
import { useApplication } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import { proposeName } from './proposed-name.ts';

type WayProps = {
  readonly icon: Icon;
  readonly title: string;
  readonly help: string;
  /** The label of the button. */
  readonly action: string;
  readonly task: Pick<Task<[], void>, 'run' | 'isRunning'>;
};

/** One place where the events are now, with the button that goes on from there. */
function Way({ icon: WayIcon, title, help, action, task }: WayProps) {
  return (
    <li className="card upright close welcome-way">
      <span className="centred tile welcome-way-icon">
        <WayIcon size={24} stroke={1.75} aria-hidden />
      </span>
      <h2>{title}</h2>
      <p className="quiet">{help}</p>
      <button
        type="button"
        className="welcome-way-button"
        disabled={task.isRunning}
        onClick={() => void task.run()}
      >
        {action}
        <IconChevronRight size={18} stroke={1.75} aria-hidden />
      </button>
    </li>
  );
}

type WaysProps = {
  readonly onWrite: () => void;
  readonly onConnect: (source: Source) => void;
};

/** The ways to begin; the name of the club comes next, except for a backup and the sample club. */
function Ways({ onWrite, onConnect }: WaysProps) {
  const { t } = useTranslation('welcome');
  const { showClub, door } = useApplication();
  const chooseFile = useTask(async () => {
    await door.open(await unwrap(requireBridge().chooseFiles(null)));
  });
  const chooseBackup = useTask(async () => {
    const file = await unwrap(requireBridge().chooseBackup(null));
    if (file !== null) await door.open([file]);
  });
  const connect = useTask(async () => onConnect('service'));
  const follow = useTask(async () => onConnect('file'));
  const write = useTask(async () => onWrite());
  const showDemo = useTask(async () => {
    const { id } = await perform('demo add', {});
    firstSteps.set('demo');
    await showClub(id);
  });
  return (
    <>
      <section className="card welcome-file">
        <span className="centred tile welcome-way-icon">
          <IconFileSpreadsheet size={28} stroke={1.75} aria-hidden />
        </span>
        <div>
          <h2>{t('file')}</h2>
          <p className="quiet">{t('fileHelp')}</p>
        </div>
        <Button loading={chooseFile.isRunning} onClick={() => void chooseFile.run()}>
          {t('chooseFile')}
        </Button>
      </section>
      <ul className="welcome-ways">
        <Way
          icon={IconCloud}
          title={t('service')}
          help={t('serviceHelp')}
          action={t('connect')}
          task={connect}
        />
        <Way
          icon={IconDeviceLaptop}
          title={t('another')}
          help={t('anotherHelp')}
          action={t('chooseThat')}
          task={follow}
        />
        <Way
          icon={IconDatabase}
          title={t('backup')}
          help={t('backupHelp')}
          action={t('fromBackup')}
          task={chooseBackup}
        />
        <Way
          icon={IconPencil}
          title={t('write')}
          help={t('writeHelp')}
          action={t('writeFirst')}
          task={write}
        />
      </ul>
      <div className="stack welcome-demo">
        <Button variant="default" loading={showDemo.isRunning} onClick={() => void showDemo.run()}>
          {t('lookAround')}
        </Button>
        <p className="small quiet">{t('demoHelp')}</p>
      </div>
      <ErrorNotice error={chooseFile.error ?? chooseBackup.error ?? showDemo.error} />
    </>
  );
}

/** Returns the name to propose for the club of a file, once the file was read. */
function useProposedName(file: ChosenFile | undefined) {
  const args = { files: [file?.token ?? ''] as [string], rows: 1 };
  const { data, isError } = useActionQuery('import preview', args, { enabled: file !== undefined });
  return useMemo(
    () => (data || isError ? proposeName(data?.titles ?? [], file?.name ?? '') : undefined),
    [data, isError, file],
  );
}

/** The form for the name of the club, which creates and shows it. */
function NameOfClub({ onBack }: { readonly onBack: () => void }) {
  const { t } = useTranslation(['welcome', 'clubs']);
  const { showClub, door } = useApplication();
  const field = useRef<HTMLInputElement>(null);
  const [file] = door.waiting.import;
  const [daysOff] = door.waiting.daysOff;
  const proposed = useProposedName(file);
  const name = useClubName(`first club ${file?.name ?? ''}`);
  const create = useTask(async (checked: string) => {
    const { id } = await perform('user add', { name: checked });
    name.forget();
    firstSteps.set('own');
    await showClub(id);
    // The screens take the files.
    const use = file !== undefined ? 'import' : daysOff !== undefined ? 'daysOff' : undefined;
    goTo({ manage: use === undefined ? null : fileUses[use] });
  });
  useEffect(() => field.current?.focus(), []);
  const propose = useEffectEvent(() => {
    // An empty one would remove the message that a name is missing.
    if (proposed && proposed.name !== '' && name.text === '') name.setText(proposed.name);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the file was read
  useEffect(() => propose(), [proposed]);
  const waiting = file ?? daysOff;
  const isProposed = proposed !== undefined && proposed.name !== '' && name.text === proposed.name;
  const source = proposed?.title === undefined ? 'fromFile' : 'fromTitle';
  return (
    <form
      className="card stack wide welcome-name"
      onSubmit={(event) => {
        event.preventDefault();
        const checked = name.check();
        if (checked === undefined) field.current?.focus();
        else void create.run(checked);
      }}
    >
      {waiting && <p role="status">{t('waiting', { file: waiting.name })}</p>}
      <ClubNameField
        ref={field}
        clubName={name}
        label={t('name')}
        description={isProposed ? t(source, { title: proposed.title }) : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <ErrorNotice error={create.error} />
      <div className="flow welcome-buttons">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button type="submit" loading={create.isRunning}>
          {t('continue')}
        </Button>
      </div>
    </form>
  );
}

function Footer() {
  const { t } = useTranslation(['welcome', 'shell', 'manage']);
  const [language, setLanguage] = useLanguageChoice();
  const choices = Object.entries(languages).map(([value, label]) => ({ value, label }));
  return (
    <div className="flow welcome-foot">
      <label htmlFor="welcome-language" className="small quiet">
        {t('shell:language')}
      </label>
      <NativeSelect
        id="welcome-language"
        value={language ?? 'none'}
        data={[{ value: 'none', label: t('systemLanguage') }, ...choices]}
        onChange={({ currentTarget: { value } }) =>
          void setLanguage(value === 'none' ? null : (value as Language))
        }
      />
      <Button
        variant="default"
        leftSection={<IconSettings size={18} stroke={1.75} aria-hidden />}
        onClick={() => goTo({ manage: 'settings' })}
      >
        {t('manage:settings')}
      </Button>
    </div>
  );
}

function Screen(props: {
  readonly title: string;
  readonly intro?: string;
  readonly children: ReactNode;
}) {
  const { title, intro, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!document.activeElement?.matches('input')) heading.current?.focus();
  }, []);
  return (
    <div className="upright welcome">
      <DesktopNotices />
      <main className="stack welcome-main">
        <div className="stack tight welcome-head">
          <img src={icon} alt="" />
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro !== undefined && <p className="quiet">{intro}</p>}
        </div>
        {children}
        <Footer />
      </main>
    </div>
  );
}

/** The first screen without a club: where the events are now, then the name of the club. */
export function Welcome() {
  const { t } = useTranslation(['welcome', 'connect']);
  const { waiting, take } = useApplication().door;
  const [isWriting, setWriting] = useState(false);
  const [source, setSource] = useState<Source | undefined>();
  const isWaiting = waiting.import.length + waiting.daysOff.length > 0;
  const hasCopy = waiting.follow.length > 0;
  useEffect(() => {
    if (!hasCopy) return;
    setSource('file');
    // The events are shown once they are here.
    adjustRoute({ manage: null });
  }, [hasCopy]);
  if (source !== undefined && !isWaiting) {
    const isFile = source === 'file';
    const title = t(isFile ? 'another' : 'connect:title');
    return (
      <Screen key="connect" title={title} intro={t(isFile ? 'connect:fileHelp' : 'connect:intro')}>
        <div className="stack welcome-connect">
          <ConnectForm only={source} />
          <Button variant="subtle" onClick={() => setSource(undefined)}>
            {t('back')}
          </Button>
        </div>
      </Screen>
    );
  }
  if (!isWaiting && !isWriting) {
    return (
      <Screen key="ways" title={t('title')} intro={t('intro')}>
        <Ways onWrite={() => setWriting(true)} onConnect={setSource} />
      </Screen>
    );
  }
  const goBack = () => {
    take('import');
    take('daysOff');
    setWriting(false);
    adjustRoute({ manage: null });
  };
  return (
    <Screen key="name" title={t('nameTitle')} intro={t('nameHelp')}>
      <NameOfClub onBack={goBack} />
    </Screen>
  );
}
