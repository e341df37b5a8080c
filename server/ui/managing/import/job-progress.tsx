import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Progress as ImportProgress } from '../../../bridge.ts';
import { useFormats } from '../../time/format.ts';

type Props = {
  /** Returns the label for a file in progress. */
  readonly title: (file: string) => string;
  readonly progress: ImportProgress | undefined;
  /** Name of the last file, after which the import is committed; absent for a check. */
  readonly last?: string | undefined;
  readonly onCancel: () => void;
};

/** The progress of a check or an import, with a button to cancel it. */
export function JobProgress({ title, progress, last, onCancel }: Props) {
  const { t } = useTranslation(['import', 'manage']);
  const { number } = useFormats();
  const { share = 0, rows = 0, file = '', done = false } = progress ?? {};
  const isStoring = done && file === last;
  const name = isStoring ? t('storing') : file === '' ? t('reading') : title(file);
  return (
    <div className="import-progress">
      <div className="import-progress-words">
        <span dir="auto">{name}</span>
        {rows > 0 && <span>{t('rows', { count: rows, shown: number(rows) })}</span>}
      </div>
      <Progress.Root size="lg">
        <Progress.Section value={Math.round(share * 100)} aria-label={name} />
      </Progress.Root>
      {/* During the commit it is too late to cancel: the outcome would be uncertain. */}
      <Button variant="default" disabled={isStoring} onClick={onCancel}>
        {t('manage:cancel')}
      </Button>
    </div>
  );
}
