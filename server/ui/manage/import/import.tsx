import './import.css';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDesktop } from '../parts/desktop.tsx';
import { ScreenIntro } from '../parts/parts.tsx';
import { CheckStep, ImportStep } from './check-step.tsx';
import { isReady } from './choices.ts';
import { ColumnStep } from './column-step.tsx';
import { FileStep } from './file-step.tsx';
import { CalendarEvents } from './first-events.tsx';
import { Outcome } from './outcome.tsx';
import { useClubImport } from './state.ts';

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

/** The import screen: a list of steps; a step appears when the previous one is complete. */
export function ImportScreen() {
  const { t } = useTranslation('import');
  useOpenedFiles();
  const work = useClubImport().use();
  if (work.import.state === 'done') return <Outcome report={work.import.result} undo={work.undo} />;
  const isImporting = work.import.state === 'running';
  const isChecked = work.check.state === 'done';
  return (
    <>
      <ScreenIntro>{t('intro')}</ScreenIntro>
      <fieldset className="import-steps" disabled={isImporting}>
        <FileStep work={work} />
        <ColumnStep work={work} />
        <CalendarEvents files={work.files} />
      </fieldset>
      {isReady(work) && <CheckStep work={work} />}
      {isChecked && <ImportStep work={work} />}
    </>
  );
}
