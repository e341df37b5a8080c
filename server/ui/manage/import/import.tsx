import './import.css';
import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChosenFile } from '../../../actions/bridge.ts';
import { focusContent } from '../../base/browser.ts';
import { IconCheck, IconFileImport, IconFilePlus } from '../../base/icons.ts';
import { useMirror } from '../../data/mirror-context.ts';
import { ClosedReason } from '../parts/closed.tsx';
import { useDesktop, useWaitingFiles } from '../parts/desktop-provider.tsx';
import { OptionButtons } from '../parts/parts.tsx';
import { CheckStep } from './check-step.tsx';
import { type ImportWork, isStarted, namesOf, steps } from './choices.ts';
import { ColumnsStep } from './columns-step.tsx';
import { FileStep } from './file-step.tsx';
import { useClubImport } from './import-state.ts';
import { Outcome } from './outcome.tsx';
import { isFocusLost, useStepFocus } from './step.tsx';

/**
 * Adds the waiting files, unless an import is started; then it returns those to ask about. The result that
 * is shown stays until the user goes on.
 */
function useOpenedFiles(): readonly ChosenFile[] {
  const { waiting, take } = useDesktop().door;
  const { use, addFiles, resume } = useClubImport();
  const work = use();
  const isShown = useRef(false);
  const addOpened = useEffectEvent(() => {
    const isResult = isShown.current && work.import.state === 'done';
    isShown.current = true;
    if (waiting.import.length > 0 && !isStarted(work) && !isResult) addFiles(take('import'));
  });
  // Files that arrive during an import wait for the user, who may want to undo it first.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other files are opened
  useEffect(() => addOpened(), [waiting.import]);
  useEffect(() => void resume(), [resume]);
  return isStarted(work) && work.import.state !== 'running' ? waiting.import : [];
}

/** The question about files that come while an import is not finished; no answer is chosen at first. */
function LaterFiles(props: { readonly work: ImportWork; readonly later: readonly ChosenFile[] }) {
  const { work, later } = props;
  const { t } = useTranslation('import');
  const { take } = useDesktop().door;
  const { addFiles, replaceFiles } = useClubImport();
  const answer = (use: (files: readonly ChosenFile[]) => void) => () => {
    use(take('import'));
    focusContent();
  };
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [started, names] = [namesOf(work.files), namesOf(later)];
  const answers = [
    {
      Icon: IconFilePlus,
      label: t('laterAdd'),
      help: t('laterAddHelp'),
      choose: answer(addFiles),
    },
    {
      Icon: IconFileImport,
      label: t('laterStart'),
      help: t('laterStartHelp', { files: started }),
      choose: answer(replaceFiles),
    },
  ] as const;
  return (
    <div className="work-body import">
      <section className="stack import-question">
        <div>
          <h2 ref={heading} tabIndex={-1} className="import-title" dir="auto">
            {t('laterTitle', { files: started })}
          </h2>
          <p className="quiet" dir="auto">
            {t('laterHelp', { files: names })}
          </p>
        </div>
        <OptionButtons options={answers} />
        <Button variant="default" className="alone" onClick={answer(() => undefined)}>
          {t('laterLeave', { files: names })}
        </Button>
      </section>
    </div>
  );
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

/** Returns true if no file was chosen yet: then the import is one of the sources. */
const isIdle = (work: ImportWork) => work.files.length === 0 && work.import.state !== 'done';

/** The title of the import; several files are a season plan. */
export function ImportTitle() {
  const { t } = useTranslation(['manage', 'seasonPlan']);
  const work = useClubImport().use();
  if (isIdle(work)) return t('sources');
  return work.files.length > 1 ? t('seasonPlan:name') : t('import');
}

/** The import screen; in a mirrored club, the reason why it is closed. */
export function ImportScreen({ sources }: { readonly sources: ReactNode }) {
  return useMirror() ? <ClosedImport /> : <OpenImport sources={sources} />;
}

function ClosedImport() {
  // They do not wait for another club.
  useWaitingFiles('import', () => undefined);
  return (
    <div className="stack work-body">
      <ClosedReason what="import" />
    </div>
  );
}

/** The sources until there is a file; then three steps and the outcome. */
function OpenImport({ sources }: { readonly sources: ReactNode }) {
  const later = useOpenedFiles();
  const work = useClubImport().use();
  const isOver = isIdle(work);
  useEffect(() => {
    if (isOver && isFocusLost()) focusContent();
  }, [isOver]);
  useStepFocus(work.step);
  if (later.length > 0) return <LaterFiles work={work} later={later} />;
  if (isOver) return <div className="stack work-body">{sources}</div>;
  if (work.import.state === 'done') return <Outcome report={work.import.result} undo={work.undo} />;
  return (
    <div className="upright import">
      <Steps work={work} />
      {work.step === 'file' && <FileStep work={work} />}
      {work.step === 'columns' && <ColumnsStep work={work} />}
      {work.step === 'check' && <CheckStep work={work} />}
    </div>
  );
}
