import './import.css';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { IconCheck } from '../../base/icons.ts';
import { useMirror } from '../../data/mirror-context.ts';
import { ClosedReason } from '../parts/closed.tsx';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { WaitingProposals } from '../parts/received-proposals.tsx';
import { CheckStep } from './check-step.tsx';
import { type ImportWork, steps } from './choices.ts';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { useClubImport } from './import-state.ts';
import { Outcome } from './outcome.tsx';
import { useStepFocus } from './step.tsx';

/** Adds files that were opened with the program or dropped on it, unless an import is running. */
function useOpenedFiles(): void {
  const { opened, takeOpened } = useDesktop();
  const clubImport = useClubImport();
  const work = clubImport.use();
  const addOpened = useEffectEvent(() => {
    if (opened.length > 0 && work.import.state !== 'running') clubImport.addFiles(takeOpened());
  });
  // Files that arrive during an import wait for the user, who may want to undo it first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other files are opened
  useEffect(() => addOpened(), [opened]);
}

/** The list of steps, which shows the current one. */
function Steps({ work }: { readonly work: ImportWork }) {
  const { t } = useTranslation('import');
  const current = steps.indexOf(work.step);
  return (
    <ol className="flow import-steps" aria-label={t('steps')}>
      {steps.map((step, index) => (
        <li
          key={step}
          data-done={index < current || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          <span className="centred round import-step-number">
            {index < current ? <IconCheck size={14} stroke={2.5} aria-hidden /> : index + 1}
          </span>
          {t(`${step}Step`)}
          {index < current && <span className="only-spoken">, {t('stepDone')}</span>}
        </li>
      ))}
    </ol>
  );
}

/** The title of the import; several files are a season plan. */
export function ImportTitle() {
  const { t } = useTranslation(['manage', 'seasonPlan']);
  const { files } = useClubImport().use();
  return files.length > 1 ? t('seasonPlan:name') : t('import');
}

/** The import screen; in a mirrored club, the reason why it is closed. */
export function ImportScreen() {
  return useMirror() ? (
    <div className="stack work-body">
      <ClosedReason what="import" />
    </div>
  ) : (
    <OpenImport />
  );
}

/** Three steps, then the outcome. */
function OpenImport() {
  useOpenedFiles();
  const work = useClubImport().use();
  useStepFocus(work.step);
  if (work.import.state === 'done') return <Outcome report={work.import.result} undo={work.undo} />;
  return (
    <div className="upright import">
      <Steps work={work} />
      <WaitingProposals />
      {work.step === 'file' && <FileStep work={work} />}
      {work.step === 'columns' && <ColumnsStep work={work} />}
      {work.step === 'check' && <CheckStep work={work} />}
    </div>
  );
}
