import { Button, NativeSelect } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemMessage } from '../../../messages/message.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useFormats } from '../../base/format.ts';
import { capitalize, useWords } from '../../base/i18n.ts';
import { IconFileSpreadsheet } from '../../base/icons.ts';
import { ErrorNotice, StepFooter } from '../parts/parts.tsx';
import {
  type Choices,
  countEvents,
  type EventField,
  type FieldMap,
  fields,
  type ImportPreview,
  type ImportWork,
  isPreviewed,
  isReady,
  type PreviewedFile,
} from './choices.ts';
import { DateQuestions } from './date-questions.tsx';
import { chevron, columnsOf, FieldRow, withColumns } from './field-row.tsx';
import { useClubImport } from './import-state.ts';
import { Preview } from './preview.tsx';
import { focusTitle, StepTitle, useFileDialog } from './step.tsx';

const commonFields: readonly EventField[] = ['name', 'date', 'time', 'location', 'description'];

const maxUnused = 20;

/** The columns that are not imported, with a button that adds them to the note. */
function UnusedColumns(props: { readonly preview: ImportPreview; readonly map: FieldMap }) {
  const { preview, map } = props;
  const { t } = useTranslation('importColumns');
  const { choose } = useClubImport();
  const unused = preview.columns
    .filter(({ takenAs, name }) => takenAs === null && name.trim() !== '')
    .map(({ name }) => name);
  const names = [...new Set(unused)];
  const list = names.slice(0, maxUnused).join(', ') + (names.length > maxUnused ? ' …' : '');
  if (names.length === 0) return null;
  return (
    <p className="small">
      <strong>{t('unused')}</strong>{' '}
      <span dir="auto">{list.endsWith('.') ? list : `${list}.`}</span>{' '}
      <LinkButton
        onClick={() => {
          const note = [...columnsOf('description', preview, map), ...names];
          choose({ map: withColumns('description', note, preview, map) });
          focusTitle();
        }}
      >
        {t('addToNote', { count: names.length })}
      </LinkButton>
    </p>
  );
}

/** The table of fields and their columns; rare fields are collapsed unless the file has them. */
function Columns({ file, work }: { readonly file: PreviewedFile; readonly work: ImportWork }) {
  const { t } = useTranslation('importColumns');
  const { matchAutomatically } = useClubImport();
  const { choices, hasRememberedChoices } = work;
  const { columns, problems } = file.preview;
  const table = useRef<HTMLTableElement>(null);
  const [isExpanded, setExpanded] = useState(false);
  // Fixed on mount, so that no field disappears during the choice.
  const [initialFields] = useState(
    () => new Set([...columns.map(({ takenAs }) => takenAs), ...commonFields]),
  );
  const isShown = (field: EventField) =>
    isExpanded ||
    initialFields.has(field) ||
    field in choices.map ||
    problems.some((one) => one.field === field);
  const hidden = fields.filter((field) => !isShown(field));
  const isChosen = Object.keys(choices.map).length > 0;
  const focusRow = (index: number) => table.current?.querySelectorAll('select')[index]?.focus();
  return (
    <section className="stack import-columns">
      <StepTitle>{t('columns')}</StepTitle>
      <p className="small quiet">{t(hasRememberedChoices ? 'columnsAsLast' : 'columnsHelp')}</p>
      <DateQuestions work={work} />
      <div className="card card-flush">
        <table ref={table} className="tbl import-map">
          <thead>
            <tr>
              <th scope="col">{t('inClubEvents')}</th>
              <th scope="col">{t('inFile')}</th>
              <th scope="col">{t('firstValues')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.filter(isShown).map((field) => (
              <FieldRow key={field} field={field} file={file} choices={choices} />
            ))}
          </tbody>
        </table>
      </div>
      <UnusedColumns preview={file.preview} map={choices.map} />
      {(hidden.length > 0 || isChosen) && (
        <div className="small flow import-links">
          {hidden.length > 0 && (
            <LinkButton
              onClick={() => {
                setExpanded(true);
                // The button disappears, and the first of the new rows follows the common ones.
                const first = fields.findIndex((field) => hidden.includes(field));
                requestAnimationFrame(() => focusRow(first));
              }}
            >
              {t('more', { fields: hidden.map((field) => t(field)).join(', ') })}
            </LinkButton>
          )}
          {isChosen && (
            <LinkButton
              onClick={() => {
                matchAutomatically();
                focusRow(0);
              }}
            >
              {t('automatic')}
            </LinkButton>
          )}
        </div>
      )}
    </section>
  );
}

/** The value of a choice of sheets; null stands for the first with events and those like it. */
const sheetsValue = (sheets: Choices['sheet']) => JSON.stringify(sheets);

/** The name of the file, the part of it that is read, and the choice of its sheet. */
function FileHead(props: {
  readonly file: PreviewedFile;
  readonly files: readonly PreviewedFile[];
  readonly choices: Choices;
  readonly onShow: (token: string) => void;
}) {
  const { file, files, choices, onShow } = props;
  const { t } = useTranslation(['importColumns', 'import']);
  const { number } = useFormats();
  const words = useWords();
  const { choose, replaceFiles } = useClubImport();
  const dialog = useFileDialog(replaceFiles);
  const sheetId = useId();
  const { table, notes, failure } = file.preview;
  const { count = null, firstRow = null, sheets = [], sheet = null, layout = null } = table ?? {};
  const { readSheets = [], otherSheets = [] } = table ?? {};
  // The choice shows at once, not only with its preview.
  const isChosen = choices.sheet?.every((name) => sheets.includes(name)) ?? false;
  const found = readSheets.length > 1 || sheet === null ? null : [sheet];
  const chosen = isChosen ? choices.sheet : found;
  const areSeveral = isChosen && (choices.sheet?.length ?? 0) > 1;
  const every = areSeveral ? choices.sheet : [...readSheets, ...otherSheets];
  const several = areSeveral || otherSheets.length > 0 ? [every] : [];
  const events =
    count !== null && firstRow !== null && layout === null
      ? [t('eventsFromRow', { count, shown: number(count), row: number(firstRow) })]
      : [];
  const sentences = [...events, ...notes.map((note) => capitalize(words(note)))];
  return (
    <div className="import-file">
      <IconFileSpreadsheet size={24} stroke={1.75} aria-hidden />
      <div className="import-file-words">
        <p className="strong" dir="auto">
          {file.name}
        </p>
        {sentences.length > 0 && (
          <ul className="small quiet import-notes">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        {(layout !== null || choices.layout !== null) && (
          <LinkButton
            className="small"
            onClick={() => choose({ map: {}, layout: layout === null ? null : 'table' })}
          >
            {t(layout === null ? 'asLayout' : 'asTable')}
          </LinkButton>
        )}
        {failure && (
          <p role="alert" className="small field-error">
            {words(problemMessage(failure))}
          </p>
        )}
        <ErrorNotice error={dialog.error} />
      </div>
      <div className="row import-file-choices">
        {files.length > 1 && (
          <NativeSelect
            rightSection={chevron}
            aria-label={t('import:fileStep')}
            value={file.token}
            data={files.map(({ token, name }) => ({ value: token, label: name }))}
            onChange={({ currentTarget }) => onShow(currentTarget.value)}
          />
        )}
        {sheets.length > 1 && (
          <>
            <label htmlFor={sheetId}>{t('sheet')}</label>
            <NativeSelect
              rightSection={chevron}
              id={sheetId}
              value={sheetsValue(chosen)}
              data={[
                ...(found === null || isChosen
                  ? [{ value: sheetsValue(null), label: t('automaticSheet') }]
                  : []),
                ...several.map((names) => ({ value: sheetsValue(names), label: t('everySheet') })),
                ...sheets.map((name) => ({ value: sheetsValue([name]), label: name })),
              ]}
              onChange={({ currentTarget: { value } }) => choose({ sheet: JSON.parse(value) })}
            />
          </>
        )}
        <Button variant="default" loading={dialog.isRunning} onClick={() => void dialog.run()}>
          {t('import:replace')}
        </Button>
      </div>
    </div>
  );
}

/** Focuses the first control with an open question. */
function focusProblem(): void {
  const invalid = '.work-body [aria-invalid="true"]';
  const open = '.import-questions [data-open] :is(input, select)';
  document.querySelector<HTMLElement>(`${invalid}, ${open}`)?.focus();
}

/** The step that assigns columns to fields, beside a preview of the first events. */
export function ColumnsStep({ work }: { readonly work: ImportWork }) {
  const { t } = useTranslation(['importColumns', 'import']);
  const { number } = useFormats();
  const { check, goBack } = useClubImport();
  const [token, setToken] = useState<string | undefined>();
  const files = work.files.filter(isPreviewed);
  const isOpen = ({ error, preview: { problems, failure } }: PreviewedFile) =>
    error !== undefined || problems.length > 0 || failure !== null;
  const file = files.find((one) => one.token === token) ?? files.find(isOpen) ?? files[0];
  const ready = isReady(work);
  const count = countEvents(work);
  const broken = work.files.find(({ error }) => error !== undefined);
  const hasColumns = file !== undefined && file.preview.columns.length > 0;
  return (
    <>
      <div className="stack work-body">
        {file && <FileHead file={file} files={files} choices={work.choices} onShow={setToken} />}
        {broken && <ErrorNotice error={broken.error} />}
        {file && (
          <div className="import-two" data-single={!hasColumns || undefined}>
            {hasColumns ? (
              <Columns key={file.token} file={file} work={work} />
            ) : (
              <DateQuestions work={work} />
            )}
            <Preview file={file} zone={work.choices.timeZone} isMain={!hasColumns} />
          </div>
        )}
      </div>
      <StepFooter
        key="columns"
        status={t(ready ? 'import:nothingChanged' : 'import:openQuestions')}
      >
        <Button variant="default" onClick={() => goBack('file')}>
          {t('import:back')}
        </Button>
        <Button onClick={() => (ready ? void check() : focusProblem())}>
          {count === null || count === 0
            ? t('import:checkNow')
            : t('import:checkCount', { count, shown: number(count) })}
        </Button>
      </StepFooter>
    </>
  );
}
