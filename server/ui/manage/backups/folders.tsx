import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { problemMessage } from '../../../messages/message.ts';
import { RowButton } from '../../base/buttons.tsx';
import { useNow } from '../../base/days.ts';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { IconAlertTriangle, IconCheck, IconClock, IconFolderOpen } from '../../base/icons.ts';
import { useAction, useActionQuery, useTask } from '../parts/action-hooks.ts';
import { ErrorNotice } from '../parts/parts.tsx';
import { useBackupWords } from './words.ts';

type Folder = ActionResult<'backup folder list'>['folders'][number];

/** Interval between two looks at the states, in milliseconds: a service looks as often. */
const lookMs = 3_000;

const icons = {
  current: IconCheck,
  behind: IconClock,
  waiting: IconClock,
  failed: IconAlertTriangle,
} as const;

/** The state of a folder in words, and when the last backup arrived. */
function FolderState(props: { readonly folder: Folder }) {
  const { state, failure, arrived, backups } = props.folder;
  const { t } = useTranslation(['backups', 'published']);
  const words = useWords();
  const { number, recentMoment } = useFormats();
  const now = useNow();
  const { describeTime } = useBackupWords();
  const Icon = icons[state];
  return (
    <>
      <p className="backup-folder-state" data-state={state}>
        <Icon size={18} stroke={1.75} aria-hidden />
        <span>{t(`folder_${state}`)}</span>
      </p>
      {failure !== null && (
        <p>
          {words(problemMessage(failure.problem))}{' '}
          {t('published:since', { when: recentMoment(failure.since, now) })}.
        </p>
      )}
      <p className="quiet small">
        {arrived === null
          ? t('folderEmpty')
          : t('folderLast', {
              when: describeTime(arrived.at),
              count: backups,
              shown: number(backups),
            })}
      </p>
    </>
  );
}

function FolderItem(props: {
  readonly folder: Folder;
  readonly onRemoved: (folder: string) => void;
}) {
  const { folder, onRemoved } = props;
  const { t } = useTranslation('backups');
  const removing = useAction('backup folder remove');
  const remove = async () => {
    if ((await removing.run({ folder: folder.folder })) !== undefined) onRemoved(folder.folder);
  };
  return (
    <li className="ends backup backup-folder">
      <div>
        <p className="strong" dir="auto">
          {folder.folder}
        </p>
        <FolderState folder={folder} />
        {!folder.isElsewhere && <p className="quiet small">{t('folderHere')}</p>}
        <ErrorNotice error={removing.error} />
      </div>
      <RowButton
        loading={removing.isRunning}
        aria-label={t('folderRemoveNamed', { folder: folder.folder })}
        onClick={() => void remove()}
      >
        {t('folderRemove')}
      </RowButton>
    </li>
  );
}

/** The folders that get each new backup, and a button for another one. */
export function BackupFolders() {
  const { t } = useTranslation('backups');
  const { number } = useFormats();
  const { data, error, refetch } = useActionQuery('backup folder list', {}, { intervalMs: lookMs });
  const [outcome, setOutcome] = useState('');
  const title = useRef<HTMLHeadingElement>(null);
  const adding = useAction('backup folder add');
  const choosing = useTask(async () => {
    const chosen = await unwrap(requireBridge().chooseBackupFolder(null));
    if (chosen === null) return;
    setOutcome('');
    const added = await adding.run({ path: chosen.token });
    if (added === undefined) return;
    const { backups: count, folder } = added;
    setOutcome(t('folderAdded', { folder, count, shown: number(count) }));
  });
  const folders = data?.folders ?? [];
  return (
    <section className="card stack" aria-labelledby="backups-folders">
      <h2 ref={title} id="backups-folders" tabIndex={-1}>
        {t('folders')}
      </h2>
      {data?.folders.length === 0 && <p className="quiet">{t('foldersNone')}</p>}
      {folders.length > 0 && (
        <ul className="boxed ruled item-list">
          {folders.map((folder) => (
            <FolderItem
              key={folder.folder}
              folder={folder}
              onRemoved={(removed) => {
                setOutcome(t('folderRemoved', { folder: removed }));
                void refetch();
                title.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <div className="flow backups-buttons">
        <Button
          variant="default"
          loading={choosing.isRunning}
          leftSection={<IconFolderOpen size={18} stroke={1.75} aria-hidden />}
          onClick={() => void choosing.run()}
        >
          {t(folders.length === 0 ? 'folderChoose' : 'folderChooseOther')}
        </Button>
      </div>
      <ErrorNotice error={error ?? choosing.error ?? adding.error} />
      <p role="status" className="good-icon report backups-outcome">
        {outcome !== '' && (
          <>
            <IconCheck size={18} aria-hidden />
            <span>{outcome}</span>
          </>
        )}
      </p>
    </section>
  );
}
