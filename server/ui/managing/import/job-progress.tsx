import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Progress as Told } from '../../../bridge.ts';
import { useFormats } from '../../time/format.ts';

type Props = {
  /** What is being done with a file, in words. */
  readonly title: (file: string) => string;
  readonly progress: Told | undefined;
  /** The last of the files, after which what was read is stored; absent where nothing is. */
  readonly last?: string | undefined;
  readonly onCancel: () => void;
};

/** How far a check or an import has come, and the way to give it up. */
export function JobProgress({ title, progress, last, onCancel }: Props) {
  const { t } = useTranslation(['import', 'managing']);
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
      {/* While it is stored it is too late: nobody could say what would become of it. */}
      <Button variant="default" disabled={isStoring} onClick={onCancel}>
        {t('managing:cancel')}
      </Button>
    </div>
  );
}
