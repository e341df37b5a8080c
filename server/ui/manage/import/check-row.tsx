import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useClock } from '../../base/days.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { softHyphens } from '../../base/hyphens.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { BadCell, inputId } from './bad-cell.tsx';
import type { CheckRow, Kind } from './check-rows.ts';
import type { BadRow, EventField, ImportWork, KeptRow, ReportedRow } from './choices.ts';
import { isOf, rowAt } from './corrections.ts';
import { dateAndTime, isTimestamp, useFieldText } from './field-text.ts';
import { useClubImport } from './import-state.ts';
import { columnOfChoice, KeptChoice } from './kept-choice.tsx';
import { useReasonText } from './reasons.ts';

type Changed = Extract<ReportedRow, { readonly changes: unknown }>;

/** A changed value: the old one struck through, and the new one. */
function ChangedValue({ from, to }: { readonly from: string; readonly to: string }) {
  const { t } = useTranslation('importReport');
  return (
    <span dir="auto">
      <span className="only-spoken">{t('before')} </span>
      <del>{from === '' ? t('notGiven') : from}</del>{' '}
      <span className="only-spoken">{t('after')} </span>
      <ins>{to === '' ? t('notGiven') : to}</ins>
    </span>
  );
}

/** A changed date; the day is shown once if only the time differs. */
function ChangedDate({ from, to }: { readonly from: string; readonly to: string }) {
  const clock = useClock();
  const formats = useFormats();
  if (clock.dayOf(from) !== clock.dayOf(to)) {
    return <ChangedValue from={dateAndTime(formats, from)} to={dateAndTime(formats, to)} />;
  }
  return (
    <>
      {formats.at('weekdayAndDay', to)},{' '}
      <ChangedValue from={formats.time(from)} to={formats.time(to)} />
    </>
  );
}

const ownColumns: readonly string[] = ['name', 'date', 'location'];

/** The value of a column; struck through and new if the import changes it. */
function Value(props: { readonly row: ReportedRow; readonly field: 'name' | 'date' | 'location' }) {
  const { row, field } = props;
  const textOf = useFieldText();
  const times = useEventTimes('weekdayAndDay');
  if (row.kind === 'skipped') return null;
  const change = 'changes' in row && row.changes.find((one) => one.field === field);
  if (!change) {
    return (
      <span dir="auto">
        {field === 'date' ? times.whole(row) : softHyphens(textOf(field, row[field]))}
      </span>
    );
  }
  if (isTimestamp(change.from) && isTimestamp(change.to)) {
    return <ChangedDate from={change.from} to={change.to} />;
  }
  return <ChangedValue from={textOf(field, change.from)} to={textOf(field, change.to)} />;
}

/** The changed values that have no column of their own. */
function OtherChanges({ row }: { readonly row: Changed }) {
  const { labelOf, wordPair, valuesIn } = useChangeWords();
  const changes = row.changes.map(({ field, from, to }) => ({ field, before: from, after: to }));
  const before = changes.find(({ field }) => field === 'date')?.before ?? row.date;
  const others = valuesIn(changes, String(before)).filter(
    ({ field }) => !ownColumns.includes(field),
  );
  if (others.length === 0) return null;
  return (
    <dl className="import-changes">
      {others.map((change) => {
        const [from, to] = wordPair(change);
        return (
          <div key={change.field}>
            <dt>{labelOf(change)}</dt>
            <dd>
              <ChangedValue from={from} to={to} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const badges: Readonly<Record<Kind, string>> = {
  skipped: 'bad',
  kept: 'plain',
  added: 'good',
  moved: 'news',
  changed: 'news',
  unchanged: 'plain',
};

/** The result of a row on import, in a badge. */
function ResultBadge({ kind }: { readonly kind: Kind }) {
  const { t } = useTranslation('importReport');
  return <span className={`badge badge-${badges[kind]}`}>{t(`${kind}Badge`)}</span>;
}

/** The number of the row in its file, or another place. */
function Place(props: { readonly row: Pick<BadRow, 'place'>; readonly file: string | null }) {
  const { row, file } = props;
  const { t } = useTranslation('importReport');
  const words = useWords();
  const { number } = useFormats();
  const found = rowAt(row.place);
  return (
    <td className="quiet tbl-figures" dir="auto">
      {found === undefined ? (
        capitalize(words(row.place))
      ) : (
        <>
          <span className="import-place-word">{t('row')} </span>
          {number(found.row)}
          {found.sheet !== undefined && (
            <span className="small import-place-file">{found.sheet}</span>
          )}
        </>
      )}
      {file !== null && <span className="small import-place-file">{file}</span>}
    </td>
  );
}

type RowProps = {
  readonly row: CheckRow;
  readonly work: ImportWork;
  /** Name of the file if there are several. */
  readonly file: string | null;
  readonly isActive: boolean;
  readonly onNext: (key: string) => void;
};

function GoodRow(props: {
  readonly row: ReportedRow;
  readonly file: string | null;
  readonly isYearGuessed: boolean;
}) {
  const { row, file, isYearGuessed } = props;
  const { t } = useTranslation('importReport');
  return (
    <>
      <Place row={row} file={file} />
      <td className="strong">
        <Value row={row} field="name" />
        {'changes' in row && <OtherChanges row={row} />}
      </td>
      <td className="tbl-figures import-when">
        <Value row={row} field="date" />{' '}
        {isYearGuessed && <span className="badge badge-plain">{t('yearGuessed')}</span>}
      </td>
      <td>
        <Value row={row} field="location" />
      </td>
      <td>
        <ResultBadge kind={row.kind} />
      </td>
    </>
  );
}

/** A row that contradicts edits by hand; the choice is in the cell of the edited field. */
function KeptCells({
  kept: { event },
  result,
  work,
  file,
}: Omit<RowProps, 'row'> & { readonly kept: KeptRow; readonly result: ReportedRow | undefined }) {
  const column = columnOfChoice(event);
  const row = result ?? { ...event, kind: 'added' as const };
  const choice = <KeptChoice event={event} work={work} />;
  return (
    <>
      <Place row={event} file={file} />
      <td className="strong">
        {column === 'name' ? choice : <Value row={row} field="name" />}
        {'changes' in row && <OtherChanges row={row} />}
        {column === undefined && choice}
      </td>
      <td className="tbl-figures import-when">
        {column === 'date' ? choice : <Value row={row} field="date" />}
      </td>
      <td>{column === 'location' ? choice : <Value row={row} field="location" />}</td>
      <td>
        <ResultBadge kind={result?.kind ?? 'kept'} />
      </td>
    </>
  );
}

/** A row that no correction of a cell helps, with the reason. */
function RefusedRow({ bad, file }: { readonly bad: BadRow; readonly file: string | null }) {
  const reasonText = useReasonText();
  return (
    <>
      <Place row={bad} file={file} />
      <td colSpan={3}>
        {bad.reason && <p className="small field-error">{reasonText(bad.reason)}</p>}
      </td>
      <td>
        <ResultBadge kind="skipped" />
      </td>
    </>
  );
}

/** A row whose bad cells are inputs; they stay in place when the row is right. */
function CorrectableRow(
  props: Omit<RowProps, 'row'> & {
    readonly bad: BadRow;
    readonly result: ReportedRow | undefined;
    readonly kept: KeptRow | undefined;
  },
) {
  const { bad, result, kept, work, file, isActive, onNext } = props;
  const { t } = useTranslation(['importReport', 'importColumns']);
  const textOf = useFieldText();
  const formats = useFormats();
  const times = useEventTimes('weekdayAndDay');
  const { leaveOut } = useClubImport();
  const { correctable, reason } = bad;
  if (correctable === undefined) return null;
  const { cells, row: number } = correctable;
  const isLeftOut = work.leftOut.has(bad.key);
  const own = work.corrections.filter((one) => isOf(one, bad));
  const isEdited = (field: EventField) =>
    !isLeftOut && (field === correctable.field || own.some((one) => one.field === field));
  const cell = (field: EventField): ReactNode =>
    isEdited(field) ? (
      <BadCell
        bad={bad}
        field={field}
        correction={own.find((one) => one.field === field)}
        isFault={reason !== null && field === correctable.field}
        isActive={isActive}
        onNext={onNext}
      />
    ) : (
      <span dir="auto">{textOf(field, cells[field])}</span>
    );
  const shown: readonly EventField[] = ['name', 'date', 'time', 'location'];
  const edited = [...new Set([correctable.field, ...own.map(({ field }) => field)])];
  const others = edited.filter((field) => !shown.includes(field) && isEdited(field));
  const understood = result && result.kind !== 'skipped' ? times.whole(result) : undefined;
  return (
    <>
      <Place row={bad} file={file} />
      <td className="strong">
        {cell('name')}
        {others.map((field) => (
          <div key={field} className="import-other-cell">
            <label htmlFor={inputId(bad.key, field)}>{t(`importColumns:${field}`)}</label>
            {cell(field)}
          </div>
        ))}
        {kept && !isLeftOut && <KeptChoice event={kept.event} work={work} />}
      </td>
      <td className="tbl-figures import-when">
        {cell('date')}
        {cells.time !== undefined && cells.time !== '' && !isEdited('time') && (
          <span dir="auto">, {textOf('time', cells.time)}</span>
        )}
        {isEdited('time') && cell('time')}
        {understood !== undefined && (isEdited('date') || isEdited('time')) && (
          <p className="small import-understood">{understood}</p>
        )}
      </td>
      <td>{cell('location')}</td>
      <td>
        {reason === null && !isLeftOut && <ResultBadge kind={result?.kind ?? 'unchanged'} />}
        <label className="small import-leave-out">
          <input
            type="checkbox"
            checked={isLeftOut}
            aria-label={t('leaveOutRow', { row: formats.number(number) })}
            onChange={({ currentTarget }) => leaveOut(bad, currentTarget.checked)}
          />
          {t('leaveOut')}
        </label>
      </td>
    </>
  );
}

/** The cells of a row, by the kind of the row. */
export function RowCells(props: RowProps) {
  const { row, ...more } = props;
  const { bad, kept, result } = row;
  if (bad?.correctable !== undefined) {
    return <CorrectableRow bad={bad} result={result} kept={kept} {...more} />;
  }
  if (bad !== undefined) return <RefusedRow bad={bad} file={props.file} />;
  if (kept !== undefined) return <KeptCells kept={kept} result={result} {...more} />;
  return (
    result && <GoodRow row={result} file={props.file} isYearGuessed={row.isYearGuessed === true} />
  );
}
