import { useTranslation } from 'react-i18next';
import type { ActionResult, ChosenFile } from '../../../actions/bridge.ts';
import { BridgeError, perform } from '../../base/desktop.ts';
import { performChange, type Task, useTask } from '../parts/action-hooks.ts';
import { useApplication } from '../parts/desktop-provider.tsx';
import { Confirmation } from '../parts/parts.tsx';
import { type ListedBackup, useBackupWords } from './words.ts';

/** A backup of the list, or a chosen file. */
export type Source =
  | { readonly kind: 'listed'; readonly backup: ListedBackup }
  | { readonly kind: 'file'; readonly file: ChosenFile };

type Restored = ActionResult<'restore'>;
type SourceArguments = ({ readonly name: string } | { readonly file: string }) & {
  readonly withoutRecord?: boolean;
};

/** Returns a task that restores a backup, and shows another club if the present one is gone. */
export function useRestoring(): Task<[args: SourceArguments], Restored> {
  const { club, showClub } = useApplication();
  return useTask(async (args: SourceArguments) => {
    const { result } = await performChange('restore', args);
    const { users } = await perform('user list', {});
    const isThere = users.some(({ id, name }) => id === club?.id && name === club.name);
    if (!isThere) await showClub(null);
    return result;
  });
}

/**
 * Asks before a backup is restored. Stays mounted while closed: when it opens, it records the
 * element to which the focus returns.
 */
export function RestoreQuestion(props: {
  readonly source: Source | undefined;
  readonly isOpen: boolean;
  readonly onRestored: (report: Restored) => void;
  readonly onClose: () => void;
}) {
  const { source, isOpen, onRestored, onClose } = props;
  const { t } = useTranslation('backups');
  const { describeTime, describeCounts } = useBackupWords();
  const restoring = useRestoring();
  const { error } = restoring;
  const withoutRecord = error instanceof BridgeError && error.code === 'backup_record_flawed';
  const restore = async () => {
    if (source === undefined) return;
    const args =
      source.kind === 'listed' ? { name: source.backup.name } : { file: source.file.token };
    const report = await restoring.run({ ...args, withoutRecord });
    if (report === undefined) return;
    onRestored(report);
    onClose();
  };
  const title =
    source?.kind === 'file'
      ? t('askFile', { file: source.file.name })
      : t('ask', { when: source && describeTime(source.backup.createdAt) });
  return (
    <Confirmation
      isOpen={isOpen}
      title={title}
      confirm={t(withoutRecord ? 'confirmWithoutRecord' : 'confirm')}
      task={restoring}
      isReversible
      onConfirm={() => void restore()}
      onClose={onClose}
    >
      <p>
        {source?.kind === 'listed'
          ? t('replaced', { what: describeCounts(source.backup.counts) })
          : t('replacedByFile')}
      </p>
      <p>{t('reversible')}</p>
    </Confirmation>
  );
}
