import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BridgeError } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { ErrorNotice } from '../parts/parts.tsx';
import { countChanges, type ImportReport, type ImportWork, type Job } from './choices.ts';
import { ReportTabs } from './report.tsx';
import { useClubImport } from './state.ts';
import { JobProgress, Step, useFocusBack } from './step.tsx';

/** The error of a check or an import, or a note that it was cancelled. */
function JobError({ job }: { readonly job: Job<unknown> }) {
  const { t } = useTranslation('import');
  if (job.state !== 'failed') return null;
  const isCancelled = job.error instanceof BridgeError && job.error.code === 'cancelled';
  if (isCancelled) return <p role="status">{t('cancelled')}</p>;
  return <ErrorNotice error={job.error} />;
}

/** The step that checks the import with a dry run and shows its report. */
export function CheckStep({ work }: { readonly work: ImportWork }) {
  const { t } = useTranslation('import');
  const { check } = useClubImport();
  const { check: job, import: importing } = work;
  const container = useFocusBack(job.state);
  const isDone = job.state === 'done';
  return (
    <Step title={t('check')} help={isDone ? undefined : t('checkHelp')}>
      <div ref={container} tabIndex={-1} className="import-job">
        {isDone && <ReportTabs report={job.result} />}
        <JobError job={job} />
        {job.state === 'running' ? (
          <JobProgress
            title={(file) => t('checking', { file })}
            progress={job.progress}
            onCancel={job.cancel}
          />
        ) : (
          <Button
            variant={isDone ? 'default' : 'filled'}
            size={isDone ? 'compact-md' : 'md'}
            fw={isDone ? 500 : 600}
            disabled={importing.state === 'running'}
            onClick={() => void check()}
          >
            {t(isDone ? 'checkAgain' : 'checkNow')}
          </Button>
        )}
      </div>
    </Step>
  );
}

/** The button that imports the checked files, and the number of skipped rows. */
function ImportNow({ checked }: { readonly checked: ImportReport }) {
  const { t } = useTranslation('import');
  const { number } = useFormats();
  const { import: run } = useClubImport();
  const count = countChanges(checked);
  const { skipped, unchanged } = checked;
  if (count === 0) return <p>{t(unchanged === 0 && skipped > 0 ? 'noValidRow' : 'nothingNew')}</p>;
  const name = skipped > 0 ? 'importValid' : 'importNow';
  return (
    <>
      {skipped > 0 && <p>{t('willSkip', { count: skipped, shown: number(skipped) })}</p>}
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
