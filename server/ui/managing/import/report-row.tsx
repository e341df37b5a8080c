import { useTranslation } from 'react-i18next';
import { useFieldText } from './field-text.ts';
import type { ReportedRow } from './work.ts';

type Changes = Extract<ReportedRow, { readonly kind: 'changed' }>['changes'];

function ChangedFields({ changes }: { readonly changes: Changes }) {
  const { t } = useTranslation(['importReport', 'importColumns']);
  const textOf = useFieldText();
  const show = (field: Changes[number]['field'], value: unknown) => {
    const text = textOf(field, value);
    return text === '' ? <em>{t('untold')}</em> : text;
  };
  return (
    <dl className="import-changes">
      {changes.map(({ field, from, to }) => (
        <div key={field}>
          <dt>{t(`importColumns:${field}`)}</dt>
          <dd dir="auto">
            <span className="only-spoken">{t('before')} </span>
            <del>{show(field, from)}</del>
            <span aria-hidden> → </span>
            <span className="only-spoken">{t('after')} </span>
            <ins>{show(field, to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** One row of the report: its place in the file and its outcome. */
export function ReportRow({ row }: { readonly row: ReportedRow }) {
  const textOf = useFieldText();
  const place = row.file === undefined ? row.place : `${row.file}, ${row.place}`;
  return (
    <div className="import-row">
      <span className="import-place" dir="auto">
        {place}
      </span>
      <div className="import-what" dir="auto">
        {row.kind === 'skipped' ? row.reason : <strong>{row.name}</strong>}
        {row.kind === 'changed' && <ChangedFields changes={row.changes} />}
      </div>
      {row.kind === 'added' && <time dateTime={row.date}>{textOf('date', row.date)}</time>}
    </div>
  );
}
