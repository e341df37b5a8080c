import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BridgeError } from '../actions.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { useClubImport } from './import-of-club.ts';
import { JobProgress } from './job-progress.tsx';
import { ReportTabs } from './report-tabs.tsx';
import { Step } from './step.tsx';
import { useFocusBack } from './use-focus-back.ts';
import type { ImportWork, Job } from './work.ts';

/** The error of a check or an import, or a note that it was cancelled. */
export function JobError({ job }: { readonly job: Job<unknown> }) {
  const { t } = useTranslation('import');
  if (job.state !== 'failed') return null;
  const isCancelled = job.error instanceof BridgeError && job.error.code === 'cancelled';
  if (isCancelled) return <p role="status">{t('givenUp')}</p>;
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
