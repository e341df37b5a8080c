import './published.css';
import { ActionIcon, Button, Menu } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { RowButton } from '../../base/buttons.tsx';
import { useNow } from '../../base/days.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconCloud,
  IconDots,
  IconFolder,
  IconPlus,
  IconQrcode,
} from '../../base/icons.ts';
import { KeyInput } from '../../base/key-input.tsx';
import {
  type PublishedFile as File,
  isReached,
  isSeen,
  shortAddress,
  usePlaceWords,
} from '../../data/subscriptions.ts';
import { useAction, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { CopyButton, ErrorNotice } from '../parts/parts.tsx';
import { AddPublished, AddressCode, fileKinds } from './add-published.tsx';
import { Arrivals } from './arrivals.tsx';

/** Interval between two looks at the state, in milliseconds: a service writes every three seconds. */
const lookMs = 3_000;

/** Returns the published files of the open club; undefined before they are read. */
function usePublishedFiles(isInBackground = false) {
  const { club } = useDesktop();
  const options = { intervalMs: lookMs, isInBackground };
  return useActionQuery('publish list', { user: club.name }, options);
}

/** Describes the events of a file: "only “U15”, 14 events, with drafts". */
function useFilterText({ events, search, types, drafts, team, since }: File): string {
  const { t } = useTranslation(['published', 'event']);
  const { number, on } = useFormats();
  const kinds = types.map((type) => t(`event:${type}`));
  const sinceText = (day: string) =>
    day === 'season' ? t('fromLastSeason') : t('fromDay', { day: on('day', day) });
  return [
    ...(team ? [team] : []),
    ...(search === '' ? [] : [t('only', { words: search })]),
    ...kinds,
    t('event:number', { count: events, shown: number(events) }),
    ...(since === 'all' ? [] : [sinceText(since)]),
    ...(drafts ? [t('withDrafts')] : []),
  ].join(', ');
}

/** The state of a file: an icon, a word, and since when. */
function State({ file: { state, checkedAt, failure, writtenAt } }: { readonly file: File }) {
  const { t } = useTranslation('published');
  const formats = useFormats();
  const now = useNow();
  const when = (moment: string | null) =>
    moment === null ? '' : capitalize(formats.recentMoment(moment, now));
  const {
    Icon: StateIcon,
    text,
    at,
  } = {
    current: { Icon: IconCheck, text: t('current'), at: when(checkedAt) },
    behind: { Icon: IconClock, text: t('writing'), at: when(writtenAt) },
    failed: {
      Icon: IconAlertTriangle,
      text: t('failed'),
      at: failure === null ? '' : t('since', { when: formats.recentMoment(failure.since, now) }),
    },
  }[state];
  return (
    <div className="published-state" data-state={state}>
      <StateIcon size={18} stroke={1.75} aria-hidden />
      <span>{text}</span>
      <span className="quiet small">{at}</span>
    </div>
  );
}

/** The time at which members were seen to get the file, or the reason why they were not. */
function AddressState({ file }: { readonly file: File }) {
  const { t } = useTranslation('published');
  const words = useWords();
  const formats = useFormats();
  const now = useNow();
  const failure = file.addressCheck?.problem;
  const seenAt = file.addressCheck?.seenAt ?? null;
  if (isReached(file)) {
    if (seenAt === null) return null;
    const text = isSeen(file)
      ? t('seenAt', { when: formats.recentMoment(seenAt, now) })
      : t('notSeen');
    return <p className="published-line">{text}</p>;
  }
  if (!failure) return <p className="published-line">{t('unchecked')}</p>;
  return (
    <p className="published-line published-broken">
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
      <span>{words(problemMessage(failure))}</span>
    </p>
  );
}

/** The form for a new password of a web space. */
function PasswordForm({ id, onSaved }: { readonly id: number; readonly onSaved: () => void }) {
  const { t } = useTranslation('published');
  const [password, setPassword] = useState('');
  const changing = useAction('publish password');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if ((await changing.run({ id, password })) !== undefined) onSaved();
  };
  return (
    <form className="published-password" onSubmit={(event) => void submit(event)}>
      <KeyInput
        label={t('password')}
        placeholder={t('unchanged')}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <Button type="submit" size="sm" loading={changing.isRunning} disabled={password === ''}>
        {t('savePassword')}
      </Button>
      <ErrorNotice error={changing.error} />
    </form>
  );
}

const aboutPassword: ReadonlySet<string> = new Set([
  'publish_password_refused',
  'publish_password_missing',
]);

/** The reason why a file is not up to date, with the next try and what a person can do. */
function Trouble(props: {
  readonly file: File;
  readonly isWriting: boolean;
  readonly onWrite: (replace: boolean) => void;
  readonly onDone: () => void;
}) {
  const { file, isWriting, onWrite, onDone } = props;
  const { id, failure, writtenAt } = file;
  const { t } = useTranslation('published');
  const words = useWords();
  const formats = useFormats();
  const now = useNow();
  if (failure === null) return null;
  const isChanged = failure.problem.code === 'publish_file_changed';
  return (
    <div className="stack even published-trouble">
      <p>
        <strong>{words(problemMessage(failure.problem))}</strong>{' '}
        {writtenAt !== null &&
          !isChanged &&
          t('seen', { when: formats.recentMoment(writtenAt, now) })}
      </p>
      {aboutPassword.has(failure.problem.code) && <PasswordForm id={id} onSaved={onDone} />}
      <div className="cluster published-buttons">
        <RowButton loading={isWriting} onClick={() => onWrite(isChanged)}>
          {t(isChanged ? 'replace' : 'tryNow')}
        </RowButton>
        <span className="small">
          {failure.nextAt === null
            ? t('waits')
            : t('next', { when: formats.recentMoment(failure.nextAt, now) })}
        </span>
      </div>
    </div>
  );
}

/** A sentence about a file that some programs do not read to its end, and a way to a smaller one. */
function Size({ file, onDone }: { readonly file: File; readonly onDone: () => void }) {
  const { t } = useTranslation('published');
  const { number, size } = useFormats();
  const changing = useAction('publish change');
  const { id, bytes, events, since, isLarge } = file;
  if (!isLarge) return null;
  const shorten = async () => {
    await changing.run({ id, since: 'season' });
    onDone();
  };
  return (
    <div className="stack even published-trouble">
      <p>{t('large', { size: size(bytes), events: number(events) })}</p>
      {since === 'all' && (
        <div className="cluster published-buttons">
          <RowButton loading={changing.isRunning} onClick={() => void shorten()}>
            {t('sinceSeason')}
          </RowButton>
        </div>
      )}
      <ErrorNotice error={changing.error} />
    </div>
  );
}

type ItemProps = {
  readonly file: File;
  /** Called when the file was written. */
  readonly onWrite: () => void;
  readonly onChange: () => void;
  readonly onStop: (name: string) => void;
};

function PublishedItem({ file, onWrite, onChange, onStop }: ItemProps) {
  const { t } = useTranslation('published');
  const writing = useAction('publish now');
  const removing = useAction('publish remove');
  const opening = useTask(() => unwrap(requireBridge().showFolder({ folder: file.id })));
  const [isCodeShown, setCodeShown] = useState(false);
  const { id, format, target, address } = file;
  const { Icon: KindIcon, name } = fileKinds[format];
  const PlaceIcon = target.kind === 'web' ? IconCloud : IconFolder;
  const place = usePlaceWords()(file);
  const title = `published-${id}`;
  const write = async (replace: boolean) => {
    await writing.run({ id, replace });
    onWrite();
  };
  const stop = async () => {
    if ((await removing.run({ id })) !== undefined) onStop(place);
  };
  return (
    <li>
      <div className="published-file">
        <span className="centred tile published-tile">
          <KindIcon size={24} stroke={1.5} aria-hidden />
        </span>
        <div>
          <h3 id={title}>{t(name)}</h3>
          <p className="published-line">{useFilterText(file)}</p>
          <p className="published-line">
            <PlaceIcon size={16} stroke={1.75} aria-hidden />
            <span dir="auto">{place}</span>
          </p>
          {address !== null && (
            <p className="published-line">
              <IconQrcode size={16} stroke={1.75} aria-hidden />
              <span>
                {t('forMembers')} <strong>{shortAddress(address)}</strong>
              </span>
            </p>
          )}
          {address !== null && <AddressState file={file} />}
        </div>
        <State file={file} />
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
        <div className="cluster published-buttons" role="group" aria-labelledby={title}>
          {address !== null && <CopyButton text={address} label={t('copyAddress')} />}
          {address === null && target.kind === 'folder' && (
            <RowButton onClick={() => void opening.run()}>{t('openFolder')}</RowButton>
          )}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                loading={writing.isRunning || removing.isRunning}
                aria-label={t('moreNamed', { name: `${t(name)}, ${place}` })}
              >
                <IconDots size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => void write(false)}>{t('writeNow')}</Menu.Item>
              <Menu.Item onClick={onChange}>{t('changeFile')}</Menu.Item>
              {address !== null && target.kind === 'folder' && (
                <Menu.Item onClick={() => void opening.run()}>{t('openFolder')}</Menu.Item>
              )}
              {address !== null && (
                <Menu.Item onClick={() => setCodeShown(!isCodeShown)}>
                  {t(isCodeShown ? 'hideCode' : 'showCode')}
                </Menu.Item>
              )}
              <Menu.Item onClick={() => void stop()}>{t('stop')}</Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </div>
      </div>
      <Trouble
        file={file}
        isWriting={writing.isRunning}
        onWrite={(replace) => void write(replace)}
        onDone={onWrite}
      />
      <Size file={file} onDone={onWrite} />
      {address !== null && isCodeShown && <AddressCode address={address} />}
      <ErrorNotice error={writing.error ?? removing.error ?? opening.error} />
    </li>
  );
}

/** The files that stay up to date, and the way to add one. */
export function PublishedFiles({ onAdding }: { readonly onAdding: (isAdding: boolean) => void }) {
  const { t } = useTranslation('published');
  const { data, error, refetch } = usePublishedFiles();
  /** The file that is changed, or a new one. */
  const [editing, setEditing] = useState<File | 'new' | undefined>();
  const isAdding = editing !== undefined;
  const [outcome, setOutcome] = useState<string | undefined>();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => onAdding(isAdding), [isAdding, onAdding]);
  const finish = (text?: string) => {
    setEditing(undefined);
    setOutcome(text);
    void refetch();
    setTimeout(() => title.current?.focus());
  };
  if (editing !== undefined) {
    return <AddPublished present={editing === 'new' ? undefined : editing} onDone={finish} />;
  }
  const files = data?.files;
  return (
    <section className="stack even published" aria-labelledby="published">
      <div className="ends">
        <h2 ref={title} id="published" tabIndex={-1}>
          {t('title')}
        </h2>
        <Button
          size="sm"
          leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
          onClick={() => setEditing('new')}
        >
          {t('add')}
        </Button>
      </div>
      {files !== undefined && <Arrivals files={files} />}
      <p className="quiet">{t(files?.length === 0 && outcome === undefined ? 'none' : 'intro')}</p>
      <p role="status" className="optional export-outcome">
        {outcome !== undefined && (
          <>
            <IconCheck size={18} aria-hidden />
            <span>{outcome}</span>
          </>
        )}
      </p>
      <ErrorNotice error={error} />
      {files !== undefined && files.length > 0 && (
        <ul className="boxed ruled item-list">
          {files.map((file) => (
            <PublishedItem
              key={file.id}
              file={file}
              onWrite={() => void refetch()}
              onChange={() => setEditing(file)}
              onStop={(place) => finish(t('stopped', { place }))}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
