import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BridgeError } from '../../base/desktop.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice, StepFooter } from '../parts/parts.tsx';
import { type Kind, kinds, tableRowsOf } from './check-rows.ts';
import { CheckTable } from './check-table.tsx';
import {
  type BadRow,
  countChanges,
  type ImportReport,
  type ImportWork,
  type Job,
  namesOf,
} from './choices.ts';
import { useClubImport } from './import-state.ts';
import { MissingEvents } from './missing-events.tsx';
import { MovedPairs, MovedQuestion } from './moved-question.tsx';
import {
  type PlannedImport,
  type PlanRows,
  SeasonPlanView,
  usePlannedImport,
} from './season-plan-view.tsx';
import { focusTitle, isFocusLost, JobProgress, StepTitle, useFileDialog } from './step.tsx';

/** The error of a check or an import, or a note that it was cancelled. */
function JobError({ job }: { readonly job: Job<unknown> }) {
  const { t } = useTranslation('import');
  if (job.state !== 'failed') return null;
  const isCancelled = job.error instanceof BridgeError && job.error.code === 'cancelled';
  if (isCancelled) return <p role="status">{t('cancelled')}</p>;
  return <ErrorNotice error={job.error} />;
}

/** Returns the rows that need a correction before they can be imported. */
function openRows({ badRows, leftOut }: ImportWork): readonly BadRow[] {
  return badRows.filter(({ key, reason }) => reason !== null && !leftOut.has(key));
}

/** Returns the title of the report, which says what the user has to do. */
function useReportTitle(): (report: ImportReport, work: ImportWork) => string {
  const { t } = useTranslation('importReport');
  const { number } = useFormats();
  return (report, work) => {
    const open = openRows(work);
    const fields = new Set(open.flatMap(({ correctable }) => correctable?.field ?? []));
    const correctable = open.filter((row) => row.correctable !== undefined).length;
    // The report lists so many rows at most.
    const isCut = report.skipped > work.badRows.length;
    const count = isCut ? report.skipped : correctable;
    if (count > 0) {
      const onlyDates = !isCut && fields.size === 1 && fields.has('date');
      return t(onlyDates ? 'datesToCorrect' : 'rowsToCorrect', { count, shown: number(count) });
    }
    if (open.length > 0)
      return t('rowsRefused', { count: open.length, shown: number(open.length) });
    const edited = work.kept.length;
    if (edited > 0) return t('eventsEdited', { count: edited, shown: number(edited) });
    return t(countChanges(report, work) > 0 ? 'everythingReady' : 'nothingToImport');
  };
}

/** The rows of each kind as chips; the pressed one is the only kind in the table. */
function KindChips(props: {
  readonly counts: Readonly<Record<Kind, number>>;
  readonly shown: Kind | undefined;
  readonly onShow: (kind: Kind | undefined) => void;
}) {
  const { counts, shown, onShow } = props;
  const { t } = useTranslation('importReport');
  const { number } = useFormats();
  // Only the unusual is labelled: few imports are of events that were edited, or have moved.
  const isShown = (kind: Kind) => !['kept', 'moved'].includes(kind) || counts[kind] > 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, which is not needed here
    <div role="group" aria-label={t('show')} className="flow close import-chips">
      {kinds.filter(isShown).map((kind) => (
        <button
          key={kind}
          type="button"
          className="chip"
          aria-pressed={shown === kind}
          data-kind={kind}
          data-empty={counts[kind] === 0 || undefined}
          onClick={() => onShow(shown === kind ? undefined : kind)}
        >
          {t(kind)} <strong>{number(counts[kind])}</strong>
        </button>
      ))}
    </div>
  );
}

/** A note about rows that are not in the table: the report lists no more of a kind. */
function NotListed(props: {
  readonly kind: Kind | undefined;
  readonly count: number;
  readonly listed: number;
}) {
  const { kind, count, listed } = props;
  const { t } = useTranslation('importReport');
  const { number } = useFormats();
  if (kind === 'unchanged' && count > 0) {
    return <p className="small quiet">{t('unchangedSome', { count, shown: number(count) })}</p>;
  }
  if (listed >= count && count > 0) return null;
  if (count === 0) {
    return (
      <p className="small quiet">
        {t(kind === undefined || kind === 'kept' || kind === 'moved' ? 'addedNone' : `${kind}None`)}
      </p>
    );
  }
  return (
    <p className="small quiet">{t('listed', { shown: number(listed), all: number(count) })}</p>
  );
}

/** Data of the files that the import leaves out or reinterprets. */
function Notes({ report: { files } }: { readonly report: ImportReport }) {
  const words = useWords();
  const notes = files.flatMap(({ file, notes: own }) =>
    own.map((note) => (files.length > 1 ? `${file}: ${words(note)}` : capitalize(words(note)))),
  );
  if (notes.length === 0) return null;
  return (
    <ul className="small quiet import-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/**
 * The report of the check: a table of its rows, in which the bad ones can be corrected. A season plan
 * chooses the rows itself.
 */
function Report(props: {
  readonly report: ImportReport;
  readonly work: ImportWork;
  readonly rows?: Exclude<PlanRows, 'clashes'>;
}) {
  const { report, work, rows: chosen } = props;
  const { t } = useTranslation('importReport');
  const titleOf = useReportTitle();
  const [own, setKind] = useState<Kind | undefined>();
  const kind = chosen === undefined ? own : chosen === 'added' ? chosen : undefined;
  const { badRows, files, kept } = work;
  const all = useMemo(
    () => tableRowsOf(report, files, badRows, kept),
    [report, files, badRows, kept],
  );
  const rows = useMemo(
    () => (kind === undefined ? all : all.filter((row) => row.kinds.includes(kind))),
    [all, kind],
  );
  const { added, moved, changed, unchanged, skipped } = report;
  const leftOut = badRows.filter(({ key, reason }) => reason !== null && work.leftOut.has(key));
  const counts = {
    skipped: skipped - leftOut.length,
    // Those for which the user chose the file are no longer in the report.
    kept: Math.max(report.kept, kept.length),
    moved,
    added,
    changed,
    unchanged,
  };
  const total =
    kind === undefined ? added + moved + changed + skipped : { ...counts, skipped }[kind];
  const open = openRows(work);
  const isCorrectable = open.some(({ correctable }) => correctable !== undefined);
  const helpOf = () => {
    if (isCorrectable) return t('correctHelp');
    if (open.length > 0) return t('refusedHelp');
    return kept.length > 0 ? t('editedHelp') : undefined;
  };
  const help = helpOf();
  return (
    <>
      <div className="import-report-head">
        <div>
          <StepTitle>{titleOf(report, work)}</StepTitle>
          {help !== undefined && <p className="quiet">{help}</p>}
        </div>
        {chosen === undefined && <KindChips counts={counts} shown={kind} onShow={setKind} />}
      </div>
      <Notes report={report} />
      {rows.length > 0 && <CheckTable rows={rows} hasFiles={files.length > 1} work={work} />}
      <NotListed kind={kind} count={total} listed={rows.length} />
    </>
  );
}

/** The bar at the bottom of the check: the number of ready rows, Back and Import. */
function CheckFooter(props: { readonly work: ImportWork; readonly planned: PlannedImport }) {
  const { work, planned } = props;
  const { t } = useTranslation(['import', 'seasonPlan', 'importMoved', 'manage']);
  const { number } = useFormats();
  const { goBack, check: checkAgain, import: run, replaceFiles } = useClubImport();
  const dialog = useFileDialog(replaceFiles);
  const { check, files, isOutdated, question } = work;
  if (check.state === 'none') return null;
  const back = (
    <Button variant="default" onClick={() => goBack('columns')}>
      {t('back')}
    </Button>
  );
  const footer = (status: ReactNode, strong: ReactNode) => (
    <StepFooter key="check" status={status}>
      {back}
      {strong}
    </StepFooter>
  );
  if (check.state === 'running') return footer(t('nothingChanged'), null);
  if (check.state === 'failed') {
    return footer(
      t('nothingChanged'),
      <Button onClick={() => void checkAgain()}>{t('checkAgain')}</Button>,
    );
  }
  const { added, moved, changed, unchanged, skipped, kept } = check.result;
  const ready = added + moved + changed + unchanged;
  const all = ready + skipped;
  const { plan, decisions, undecided } = planned;
  const left = decisions.omitted.size;
  const count = countChanges(check.result, work) - left;
  const noun = files.every(({ preview }) => preview?.table) ? 'Rows' : 'Events';
  const counts = { count: all, ready: number(ready - left), all: number(all) };
  const readiness = t(skipped + left > 0 ? `ready${noun}` : `ready${noun}All`, counts);
  const keptEdits = kept > 0 ? [t('keptEdits', { count: kept, shown: number(kept) })] : [];
  const nothing = [
    left > 0 ? t('seasonPlan:leaveAll') : t(ready > 0 ? 'nothingNew' : 'noValidRow'),
  ];
  const planWords = t('seasonPlan:ready', {
    count: all,
    ready: number(ready - left),
    all: number(all),
    out: number(left - undecided),
    open: number(undecided),
  });
  const sentences =
    plan !== undefined && left > 0
      ? [planWords, ...keptEdits, t('nothingChanged')]
      : count > 0
        ? [readiness, ...keptEdits, t('undoable')]
        : nothing;
  if (question !== null && work.moved === null) {
    return footer(t('importMoved:open'), <Button disabled>{t('manage:import')}</Button>);
  }
  const status = (count === 0 && kept > 0 ? keptEdits : sentences).join(' ');
  return footer(
    status,
    count > 0 ? (
      <Button data-strong aria-busy={isOutdated} onClick={() => void run(decisions)}>
        {left > 0
          ? t('seasonPlan:importLeave', { shown: number(count), left: number(left) })
          : t('importNow', { count, shown: number(count) })}
      </Button>
    ) : (
      <Button data-strong loading={dialog.isRunning} onClick={() => void dialog.run()}>
        {t('replace')}
      </Button>
    ),
  );
}

/** The step that shows what the import will change, and lets the user correct bad rows. */
export function CheckStep({ work }: { readonly work: ImportWork }) {
  const { t } = useTranslation('import');
  const { check, import: job, files } = work;
  const next = useDesktop().door.waiting.import;
  const planned = usePlannedImport(check.state === 'done' ? check.result : undefined, work);
  const { plan } = planned;
  const [planRows, setPlanRows] = useState<PlanRows>('clashes');
  // Rows to correct or to decide are in view in any case.
  const isReportShown =
    plan === undefined || planRows !== 'clashes' || openRows(work).length + work.kept.length > 0;
  const isAsked = work.question !== null && work.moved === null;
  const isImporting = job.state === 'running';
  const state = isImporting ? 'importing' : check.state;
  const lastState = useRef(state);
  useEffect(() => {
    if (lastState.current === state) return;
    lastState.current = state;
    if (isFocusLost()) focusTitle();
  }, [state]);
  return (
    <>
      <div className="stack work-body">
        {isImporting && (
          <>
            <StepTitle>{t('import')}</StepTitle>
            <p className="quiet">{t('importHelp')}</p>
            <JobProgress
              title={(file) => t('importing', { file })}
              progress={job.progress}
              last={files.at(-1)?.name}
              onCancel={job.cancel}
            />
            <p role="status" className="small quiet" dir="auto">
              {next.length > 0 && t('waits', { files: namesOf(next) })}
            </p>
          </>
        )}
        {!isImporting && <JobError job={job} />}
        {!isImporting && check.state === 'done' && work.question !== null && (
          <MovedQuestion question={work.question} moved={work.moved} />
        )}
        {!isImporting && check.state === 'done' && isAsked && <MovedPairs report={check.result} />}
        {!isImporting && check.state === 'done' && !isAsked && plan !== undefined && (
          <SeasonPlanView
            plan={plan}
            work={work}
            report={check.result}
            shown={planRows}
            onShow={setPlanRows}
          />
        )}
        {!isImporting && check.state === 'done' && !isAsked && isReportShown && (
          <Report
            report={check.result}
            work={work}
            {...(plan !== undefined && planRows !== 'clashes' && { rows: planRows })}
          />
        )}
        {!isImporting && check.state === 'done' && !isAsked && (
          <MissingEvents report={check.result} work={work} />
        )}
        {check.state !== 'done' && (
          <>
            <StepTitle>{t('check')}</StepTitle>
            <p className="quiet">{t('checkHelp')}</p>
            <JobError job={check} />
            {check.state === 'running' && (
              <JobProgress
                title={(file) => t('checking', { file })}
                progress={check.progress}
                onCancel={check.cancel}
              />
            )}
          </>
        )}
      </div>
      {!isImporting && <CheckFooter work={work} planned={planned} />}
    </>
  );
}
