import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';
import { JobError } from './check-step.tsx';
import { useClubImport } from './import-of-club.ts';
import { JobProgress } from './job-progress.tsx';
import { Step } from './step.tsx';
import { useFocusBack } from './use-focus-back.ts';
import { countChanges, type ImportReport, type ImportWork } from './work.ts';

/** The button that imports the checked files, and the number of skipped rows. */
function ImportNow({ checked }: { readonly checked: ImportReport }) {
  const { t } = useTranslation('import');
  const { number } = useFormats();
  const { import: run } = useClubImport();
  const count = countChanges(checked);
  const { skipped, unchanged } = checked;
  if (count === 0) return <p>{t(unchanged === 0 && skipped > 0 ? 'nothingGood' : 'nothingNew')}</p>;
  const name = skipped > 0 ? 'importRest' : 'importNow';
  return (
    <>
      {skipped > 0 && <p>{t('leftOut', { count: skipped, shown: number(skipped) })}</p>}
      <Button size="md" onClick={() => void run()}>
        {t(name, { count, shown: number(count) })}
      </Button>
    </>
  );
}

export function ImportStep({ work }: { readonly work: ImportWork }) {
  const { t } = useTranslation('import');
  const { check, import: job, files } = work;
  const container = useFocusBack(job.state);
  if (check.state !== 'done') return null;
  return (
    <Step title={t('import')} help={t('importHelp')}>
      <div ref={container} tabIndex={-1} className="import-job">
        <JobError job={job} />
        {job.state === 'running' ? (
          <JobProgress
            title={(file) => t('importing', { file })}
            progress={job.progress}
            last={files.at(-1)?.name}
            onCancel={job.cancel}
          />
        ) : (
          <ImportNow checked={check.result} />
        )}
      </div>
    </Step>
  );
}
