import './connect.css';
import { Button, Progress, Radio, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult, Progress as JobProgress } from '../../../actions/bridge.ts';
import { useNow } from '../../base/days.ts';
import { perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { KeyInput } from '../../base/key-input.tsx';
import { performChange, type Task, useActionQuery, useTask } from './action-hooks.ts';
import { ClubNameField, useClubName } from './club-name.tsx';
import { useApplication, useClubText, useWaitingFiles } from './desktop-provider.tsx';
import { EventList } from './event-list.tsx';
import { ErrorNotice } from './parts.tsx';

/** The place of the events: a service with its key, or a file by its token or its address. */
type Place =
  | { readonly url: string; readonly key: string }
  | { readonly file: string }
  | { readonly fileUrl: string };

/** A place that was read. */
type Checked = { readonly place: Place; readonly trial: ActionResult<'mirror try'> };

/** Returns a task that reads a place without storing anything. */
function useTrial(onChecked: (checked: Checked) => void): Task<[place: Place], void> {
  const { club } = useApplication();
  return useTask(async (place: Place) => {
    const trial = await perform('mirror try', { ...place, ...(club && { user: club.name }) });
    onChecked({ place: 'url' in place ? { ...place, url: trial.url } : place, trial });
  });
}

/** The typed address and key. */
function useAccess() {
  const [address, setAddress, forgetAddress] = useClubText('connect address');
  const [key, setKey, forgetKey] = useClubText('connect key', { isSecret: true });
  return { address, setAddress, forgetAddress, key, setKey, forgetKey };
}

type Access = ReturnType<typeof useAccess>;

/** The form for the address and the key; `onChecked` gets what the service would send. */
function AccessForm(props: {
  readonly access: Access;
  readonly onChecked: (checked: Checked) => void;
}) {
  const { access, onChecked } = props;
  const { address, setAddress, key, setKey } = access;
  const { t } = useTranslation('connect');
  const { state } = useApplication();
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const trying = useTrial(onChecked);
  const [noAddress, noKey] = [isChecked && address.trim() === '', isChecked && key.trim() === ''];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (address.trim() !== '' && key.trim() !== '') {
      void trying.run({ url: address.trim(), key: key.trim() });
    } else {
      const missing = address.trim() === '' ? 'url' : 'key';
      form.current?.querySelector<HTMLInputElement>(`#connect-${missing}`)?.focus();
    }
  };
  return (
    <form ref={form} noValidate className="card stack wide connect" onSubmit={submit}>
      <TextInput
        label={t('address')}
        id="connect-url"
        type="url"
        placeholder="https://events.example.org"
        autoComplete="off"
        spellCheck={false}
        value={address}
        error={noAddress && t('noAddress')}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <KeyInput
        label={t('key')}
        id="connect-key"
        description={t(state.keyStore === 'run' ? 'keyForRun' : 'keyHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={key}
        error={noKey && t('noKey')}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <ErrorNotice error={trying.error} />
      <div className="flow connect-buttons">
        <Button type="submit" loading={trying.isRunning}>
          {t('check')}
        </Button>
      </div>
    </form>
  );
}

/** The form for a file of another computer: a choice, or its address. */
function FileForm(props: {
  readonly isAlone: boolean;
  /** Reads the file. */
  readonly trying: ReturnType<typeof useTrial>;
}) {
  const { isAlone, trying } = props;
  const { t } = useTranslation('connect');
  const [address, setAddress] = useClubText('connect file');
  const [isMissing, setMissing] = useState(false);
  const { door } = useApplication();
  const choosing = useTask(async () => {
    const files = await unwrap(requireBridge().chooseFiles(null));
    await door.open(files, {
      use: 'follow',
      take: async ([file]) => file && (await trying.run({ file: file.token })),
    });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(address.trim() === '');
    if (address.trim() !== '') void trying.run({ fileUrl: address.trim() });
  };
  return (
    <form noValidate className="card stack wide connect" onSubmit={submit}>
      {!isAlone && (
        <>
          <h2>{t('fileTitle')}</h2>
          <p className="quiet">{t('fileHelp')}</p>
        </>
      )}
      <div>
        <Button variant="default" loading={choosing.isRunning} onClick={() => void choosing.run()}>
          {t('chooseFile')}
        </Button>
      </div>
      <TextInput
        label={t('fileAddress')}
        type="url"
        placeholder="https://cloud.example.org/club.json"
        autoComplete="off"
        spellCheck={false}
        value={address}
        error={isMissing && t('noFileAddress')}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <ErrorNotice error={choosing.error ?? trying.error} />
      <div className="flow connect-buttons">
        <Button type="submit" variant="default" loading={trying.isRunning && !choosing.isRunning}>
          {t('readFile')}
        </Button>
      </div>
    </form>
  );
}

/** The events that would come, in words, and the next ones by name. */
function Trial({ trial }: Pick<Checked, 'trial'>) {
  const { t } = useTranslation('connect');
  const formats = useFormats();
  const now = useNow();
  const title = useRef<HTMLHeadingElement>(null);
  const { events, upcoming, isComplete, first, name: place, club, asOf } = trial;
  useEffect(() => title.current?.focus(), []);
  const shown = formats.number;
  return (
    <>
      <h2 ref={title} tabIndex={-1}>
        {t(club === null ? 'found' : 'foundFile', { host: place })}
      </h2>
      {club !== null && asOf !== null && (
        <p>{t('fileAsOf', { club, when: formats.recentMoment(asOf, now) })}</p>
      )}
      <p>
        {events === 0
          ? t(club === null ? 'none' : 'noneInFile')
          : t('numbers', { count: events, shown: shown(events), upcoming: shown(upcoming) })}{' '}
        {!isComplete && t('older')}
      </p>
      {first.length > 0 && (
        <>
          <h3>{t('next')}</h3>
          <EventList events={first} />
        </>
      )}
    </>
  );
}

/** Returns the number of events of the open club; undefined before it is read, 0 without a club. */
function useEventCount(): number | undefined {
  const { club } = useApplication();
  const { data } = useActionQuery('user list', {}, { enabled: club !== null });
  return club === null ? 0 : data?.users.find(({ id }) => id === club.id)?.events;
}

type Connecting = {
  readonly task: Task<[newName: string | undefined], void>;
  readonly progress: JobProgress | undefined;
  readonly cancel: () => void;
};

/** Returns a task that connects a new club with a name, or without one the open club. */
function useConnecting({ place }: Checked, onConnected: () => void): Connecting {
  const { club, showClub } = useApplication();
  const [progress, setProgress] = useState<JobProgress | undefined>();
  const abort = useRef<AbortController>(undefined);
  const connect = async (user: string) => {
    abort.current = new AbortController();
    const options = { onProgress: setProgress, signal: abort.current.signal };
    // The shell chooses the place of the key.
    await performChange('mirror set', { user, ...place }, options);
    onConnected();
  };
  const task = useTask(async (newName: string | undefined) => {
    setProgress(undefined);
    if (newName === undefined) {
      if (club === null) return;
      await connect(club.name);
      await showClub(club.id);
      return;
    }
    const { id } = await perform('user add', { name: newName });
    try {
      await connect(newName);
    } catch (thrown) {
      // No empty club may be left behind.
      await perform('user remove', { name: newName });
      throw thrown;
    }
    await showClub(id);
  });
  return { task, progress, cancel: () => abort.current?.abort() };
}

/** Proposes the name of a club: “Harbour Runners” for `events.harbour-runners.example`. */
export function clubNameOfHost(host: string): string {
  const label = /[a-z]$/.test(host) ? (host.split('.').at(-2) ?? '') : '';
  return label.replace(/-+/g, ' ').replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}

type Target = 'here' | 'new';

/** Shows what would come, and connects the open club if it may have these events, or a new one. */
function Connection(props: {
  readonly checked: Checked;
  readonly onConnected: () => void;
  readonly onBack: () => void;
}) {
  const { checked, onConnected, onBack } = props;
  const { t } = useTranslation(['connect', 'welcome', 'sync', 'manage']);
  const { club } = useApplication();
  const formats = useFormats();
  const events = useEventCount();
  const { trial } = checked;
  const [chosen, setChosen] = useState<Target>(trial.hasSameEvents ? 'here' : 'new');
  const target: Target = club === null ? 'new' : events === 0 ? 'here' : chosen;
  const proposed = trial.club ?? clubNameOfHost(new URL(trial.url).hostname);
  const name = useClubName('connect club', proposed);
  const field = useRef<HTMLInputElement>(null);
  const { task, progress, cancel } = useConnecting(checked, () => {
    name.forget();
    onConnected();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newName = target === 'new' ? name.check() : undefined;
    if (target === 'new' && newName === undefined) field.current?.focus();
    else void task.run(newName);
  };
  if (events === undefined) return null;
  const rows = progress?.rows ?? 0;
  return (
    <form noValidate className="card stack wide connect" onSubmit={submit}>
      <Trial trial={trial} />
      {club !== null && events > 0 && (
        <Radio.Group
          label={t('where')}
          value={target}
          onChange={(value) => setChosen(value as Target)}
        >
          <div className="stack connect-targets">
            <Radio value="new" label={t('newClub')} />
            <Radio
              value="here"
              label={t(trial.hasSameEvents ? 'hereSame' : 'here', { club: club.name })}
            />
          </div>
        </Radio.Group>
      )}
      {target === 'new' && (
        <ClubNameField
          ref={field}
          clubName={name}
          label={t('welcome:name')}
          description={t('welcome:nameHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      )}
      <ErrorNotice error={task.error} />
      {task.isRunning && (
        <div className="connect-progress">
          <p role="status">{t('connecting')}</p>
          <span className="quiet">
            {trial.club === null &&
              rows > 0 &&
              t('sync:requests', { count: rows, shown: formats.number(rows) })}
          </span>
          <Progress.Root size="lg">
            <Progress.Section
              value={Math.round((progress?.share ?? 0) * 100)}
              aria-label={t('connecting')}
            />
          </Progress.Root>
        </div>
      )}
      <div className="flow connect-buttons">
        {task.isRunning ? (
          <Button variant="default" onClick={cancel}>
            {t('manage:cancel')}
          </Button>
        ) : (
          <Button variant="default" onClick={onBack}>
            {t(trial.club === null ? 'change' : 'changeFile')}
          </Button>
        )}
        <Button type="submit" loading={task.isRunning}>
          {t('connect')}
        </Button>
      </div>
    </form>
  );
}

/** A source that a club can follow. */
export type Source = 'service' | 'file';

/** Connects an online service or a file: its address, a look at its events, and the consent. */
export function ConnectForm({ only }: { readonly only?: Source }) {
  const [checked, setChecked] = useState<Checked | undefined>();
  // Here, so that they outlive a fault of the second step, too.
  const access = useAccess();
  const trying = useTrial(setChecked);
  useWaitingFiles('follow', ([file]) => {
    setChecked(undefined);
    if (file !== undefined) void trying.run({ file: file.token });
  });
  if (checked === undefined) {
    return (
      <div className="stack wide connect-places">
        {only !== 'file' && <AccessForm access={access} onChecked={setChecked} />}
        {only !== 'service' && <FileForm isAlone={only === 'file'} trying={trying} />}
      </div>
    );
  }
  const goBack = () => {
    access.forgetKey();
    setChecked(undefined);
  };
  return <Connection checked={checked} onConnected={access.forgetAddress} onBack={goBack} />;
}
