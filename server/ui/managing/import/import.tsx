import './import.css';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useDesktop } from '../desktop.tsx';
import { ScreenIntro } from '../parts/screen-intro.tsx';
import { CheckStep } from './check-step.tsx';
import { ColumnStep } from './column-step.tsx';
import { FileStep } from './file-step.tsx';
import { CalendarEvents } from './first-events.tsx';
import { useClubImport } from './import-of-club.ts';
import { ImportStep } from './import-step.tsx';
import { Outcome } from './outcome.tsx';
import { isReady } from './work.ts';

/** Takes files that were opened with the program or dropped on it, unless an import is under way. */
function useOpenedFiles(): void {
  const { opened, takeOpened } = useDesktop();
  const own = useClubImport();
  const work = own.use();
  const take = useEffectEvent(() => {
    if (opened.length > 0 && work.import.state !== 'running') own.takeFiles(takeOpened());
  });
  // Those that come while an import is under way wait for the user, who may want to take it back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever others are opened
  useEffect(() => take(), [opened]);
}

/** Brings files into a club: a page of steps, each of which unfolds when the one before is done. */
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
