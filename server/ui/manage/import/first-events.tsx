import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { type EventField, fields, type ImportPreview, type WorkFile } from './choices.ts';
import { Step } from './step.tsx';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a formatter of values; unknown ones stay as they are, missing ones are empty. */
export function useFieldText(): (field: string, value: unknown) => string {
  const { t } = useTranslation(['event', 'panel']);
  const formats = useFormats();
  return (field, value) => {
    if (value === undefined || value === null || value === '') return '';
    const text = String(value);
    if (timestamp.test(text)) return formats.at('moment', text);
    if (field === 'registrationOpen' && typeof value === 'boolean') {
      return t(value ? 'panel:open' : 'panel:closed');
    }
    // The default text returns an unknown word as it is.
    if (field === 'status' || field === 'eventType')
      return t(`event:${text}` as 'event:active', text);
    return text;
  };
}

/** Fields that every event has; they are always shown. */
const requiredFields: readonly EventField[] = ['name', 'date'];

type Row = ImportPreview['rows'][number];

type RowProps = { readonly row: Row; readonly shown: readonly EventField[] };

function EventRow({ row: { values, problem }, shown }: RowProps) {
  const textOf = useFieldText();
  return (
    <tr data-bad={problem !== null || undefined}>
      {shown.map((field) => (
        <td key={field} data-field={field} dir="auto">
          {textOf(field, values[field])}
        </td>
      ))}
    </tr>
  );
}

/** The reason why the row above cannot be imported. */
function ErrorRow({ row: { place, problem }, shown }: RowProps) {
  const { t } = useTranslation('importColumns');
  const words = useWords();
  if (problem === null) return null;
  return (
    <tr className="import-fault-row">
      <td colSpan={shown.length}>
        <p className="import-fault">
          {problem.field === undefined ? words(place) : `${words(place)}, ${t(problem.field)}`}:{' '}
          {words(problem.reason)}
        </p>
      </td>
    </tr>
  );
}

/** The first events of a file, as the current choices read them. */
export function EventTable({
  title,
  preview,
}: {
  readonly title: string;
  readonly preview: ImportPreview;
}) {
  const { t } = useTranslation('importColumns');
  const hasContent = (field: EventField) =>
    preview.rows.some(({ values, problem }) => {
      const value = values[field];
      return problem?.field === field || (value !== undefined && value !== null && value !== '');
    });
  const shown = fields.filter((field) => requiredFields.includes(field) || hasContent(field));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className="import-first" tabIndex={0} aria-label={title}>
      <table>
        <thead>
          <tr>
            {shown.map((field) => (
              <th key={field} scope="col">
                {t(field)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((row) => (
            <Fragment key={JSON.stringify(row.place)}>
              <EventRow row={row} shown={shown} />
              <ErrorRow row={row} shown={shown} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The first events of each file without columns, such as a calendar. */
export function CalendarEvents({ files }: { readonly files: readonly WorkFile[] }) {
  const { t } = useTranslation('import');
  return files.map(({ token, name, preview }) => {
    if (preview === undefined || preview.columns.length > 0 || preview.rows.length === 0)
      return null;
    const title = files.length > 1 ? t('previewOf', { file: name }) : t('preview');
    return (
      <Step key={token} title={title}>
        <EventTable title={title} preview={preview} />
      </Step>
    );
  });
}
