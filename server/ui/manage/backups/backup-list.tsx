import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { RowButton } from '../../base/buttons.tsx';
import { requireBridge, unwrap } from '../../base/desktop.ts';
import { IconFolderOpen } from '../../base/icons.ts';
import { useTask } from '../parts/action-hooks.ts';
import { useApplication } from '../parts/desktop-provider.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import type { Source } from './restore.tsx';
import { type ListedBackup, useBackupWords } from './words.ts';

function BackupItem(props: { readonly backup: ListedBackup; readonly onRestore: () => void }) {
  const { backup, onRestore } = props;
  const { t } = useTranslation('backups');
  const { describeTime, describeCounts } = useBackupWords();
  const when = describeTime(backup.createdAt);
  return (
    <li className="ends backup">
      <div>
        <p className="strong backup-when">{when}</p>
        <p className="quiet small">
          {t(backup.reason === 'restore' ? 'beforeRestore' : backup.reason)} ·{' '}
          {describeCounts(backup.counts)}
        </p>
      </div>
      <RowButton aria-label={t('restoreNamed', { when })} onClick={onRestore}>
        {t('confirm')}
      </RowButton>
    </li>
  );
}

/** The backups that can be restored, and a button for a file; takes the focus when it appears. */
export function BackupChoice(props: {
  readonly backups: readonly ListedBackup[];
  readonly onChoose: (source: Source) => void;
}) {
  const { backups, onChoose } = props;
  const { t } = useTranslation('backups');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const { door } = useApplication();
  const choosing = useTask(async () => {
    const file = await unwrap(requireBridge().chooseBackup(null));
    if (file === null) return;
    await door.open([file], { use: 'restore', take: () => onChoose({ kind: 'file', file }) });
  });
  return (
    <section className="stack loose" aria-labelledby="backups-choice">
      <div className="ends">
        <h2 ref={title} id="backups-choice" tabIndex={-1}>
          {t('choose')}
        </h2>
        <RowButton
          size="sm"
          leftSection={<IconFolderOpen size={18} stroke={1.75} aria-hidden />}
          onClick={() => void choosing.run()}
        >
          {t('fromFile')}
        </RowButton>
      </div>
      <ErrorNotice error={choosing.error} onClose={choosing.reset} />
      {backups.length > 0 && (
        <ul className="boxed ruled item-list" aria-label={t('list')}>
          {backups.map((backup) => (
            <BackupItem
              key={backup.name}
              backup={backup}
              onRestore={() => onChoose({ kind: 'listed', backup })}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
