import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { focusContent } from '../../base/browser.ts';
import { useFormats } from '../../base/format.ts';
import { IconArrowBackUp, IconCircleCheck } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ImportRest } from '../parts/import-rest.tsx';
import { ErrorNotice } from '../parts/parts.tsx';
import { type ImportReport, type Job, namesOf } from './choices.ts';
import { useClubImport } from './import-state.ts';
import { useEditedValues } from './kept-choice.tsx';

type Undo = Job<ActionResult<'undo'>>;

function Counts({ report }: { readonly report: ImportReport }) {
  const { t } = useTranslation(['import', 'seasonPlan']);
  const { number } = useFormats();
  const { added, moved, changed, leftOut = 0, changedHere = 0 } = report;
  const skipped = report.skipped - leftOut;
  return (
    <ul>
      {added > 0 && <li>{t('doneAdded', { count: added, shown: number(added) })}</li>}
      {moved > 0 && <li>{t('doneMoved', { count: moved, shown: number(moved) })}</li>}
      {changed > 0 && <li>{t('doneChanged', { count: changed, shown: number(changed) })}</li>}
      {changedHere > 0 && (
        <li>{t('seasonPlan:changedHere', { count: changedHere, shown: number(changedHere) })}</li>
      )}
      {skipped > 0 && <li>{t('doneSkipped', { count: skipped, shown: number(skipped) })}</li>}
    </ul>
  );
}

/** Maximum number of events in the list of kept edits. */
const maxKept = 20;

/** The events whose edits by hand were kept, with both values. */
function KeptEdits({ report }: { readonly report: ImportReport }) {
  const { t } = useTranslation(['import', 'importReport', 'importColumns']);
  const { number } = useFormats();
  const valuesOf = useEditedValues();
  if (report.kept === 0) return null;
  const kept = report.files.flatMap(({ rows }) => rows.filter((row) => row.kind === 'kept'));
  const left = report.kept - Math.min(kept.length, maxKept);
  return (
    <>
      <p>{t('keptEdits', { count: report.kept, shown: number(report.kept) })}</p>
      <ul className="small quiet stack tight">
        {kept.slice(0, maxKept).map((event) => (
          <li key={event.id} dir="auto">
            {t('importReport:keptInsteadOf', {
              name: event.name,
              edited: valuesOf(event, 'edited'),
              fromFile: valuesOf(event, 'fromFile'),
            })}
          </li>
        ))}
        {left > 0 && <li>{t('importColumns:andMore', { count: left, shown: number(left) })}</li>}
      </ul>
    </>
  );
}

function NextSteps({ report, undo }: { readonly report: ImportReport; readonly undo: Undo }) {
  const { t } = useTranslation('import');
  const { door } = useDesktop();
  const { undo: undoImport, clearResults, reset, addFiles, openSheets, use } = useClubImport();
  const { files } = use();
  const others = files.flatMap((file) =>
    (file.preview?.table?.otherSheets ?? []).map((sheet) => ({ file, sheet })),
  );
  const continueWith = (action: () => void) => {
    action();
    focusContent();
  };
  const next = namesOf(door.waiting.import);
  const startNext = () =>
    continueWith(() => {
      const waiting = door.take('import');
      if (waiting.length > 0) addFiles(waiting);
      else reset();
    });
  const isQuiet = next === '' && undo.state !== 'done';
  const nextButton = (
    <Button variant={isQuiet ? 'subtle' : 'default'} onClick={startNext}>
      {next === '' ? t('next') : t('nextNamed', { files: next })}
    </Button>
  );
  if (undo.state === 'done') {
    return (
      <div className="flow import-choices">
        <Button onClick={() => continueWith(clearResults)}>{t('again')}</Button>
        {nextButton}
      </div>
    );
  }
  return (
    <div className="flow import-choices">
      <Button onClick={() => goTo({ manage: null })}>{t('show')}</Button>
      {report.batch !== undefined && (
        <Button
          variant="default"
          loading={undo.state === 'running'}
          leftSection={<IconArrowBackUp size={18} stroke={1.75} aria-hidden />}
          onClick={() => void undoImport()}
        >
          {t('undo')}
        </Button>
      )}
      {others.map(({ file, sheet }) => (
        <Button
          key={`${file.token} ${sheet}`}
          variant="default"
          onClick={() => continueWith(() => openSheets(file, [sheet]))}
        >
          {t('otherSheet', { sheet })}
        </Button>
      ))}
      {nextButton}
    </div>
  );
}

/** The outcome of an import, with buttons to undo it and to continue. */
export function Outcome({ report, undo }: { readonly report: ImportReport; readonly undo: Undo }) {
  const { t } = useTranslation('import');
  const heading = useRef<HTMLHeadingElement>(null);
  const next = namesOf(useDesktop().door.waiting.import);
  const isUndone = undo.state === 'done';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the import and its undo
  useEffect(() => heading.current?.focus(), [isUndone]);
  const OutcomeIcon = isUndone ? IconArrowBackUp : IconCircleCheck;
  return (
    <section className="card good-icon invitation stack even import-outcome">
      <OutcomeIcon size={40} stroke={1.25} aria-hidden />
      <h2 ref={heading} tabIndex={-1}>
        {t(isUndone ? 'undone' : 'done')}
      </h2>
      {isUndone ? <p>{t('undoneHelp')}</p> : <Counts report={report} />}
      {!isUndone && <KeptEdits report={report} />}
      {!isUndone && report.batch !== undefined && report.leftOut !== undefined && (
        <ImportRest hasHelp batch={report.batch} count={report.leftOut} />
      )}
      <p className="quiet">{report.files.map(({ file }) => file).join(', ')}</p>
      <ErrorNotice error={undo.state === 'failed' ? undo.error : undefined} />
      <p role="status" className="small quiet" dir="auto">
        {next !== '' && t('nextWaits', { files: next })}
      </p>
      <NextSteps report={report} undo={undo} />
    </section>
  );
}
