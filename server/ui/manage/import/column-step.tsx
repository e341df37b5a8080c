import { Button, NativeSelect } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Choices,
  type EventField,
  fields,
  type ImportPreview,
  type ImportWork,
  type PreviewProblem,
  type WorkFile,
} from './choices.ts';
import { DateChoices } from './date-choices.tsx';
import { EventTable } from './first-events.tsx';
import { useClubImport } from './state.ts';
import { Step, useFocusBack } from './step.tsx';

type ChoiceProps = {
  readonly field: EventField;
  readonly file: WorkFile & { readonly preview: ImportPreview };
  readonly choices: Choices;
};

/** The value for no column. Therefore a column without a name cannot be chosen. */
const noColumn = '';

function isRequired(field: EventField): boolean {
  return field === 'name' || field === 'date';
}

/** Returns a function that words the reason why a field has no column. */
function useProblemText(): (problem: PreviewProblem | undefined, file: string) => string | null {
  const { t } = useTranslation('importColumns');
  return (problem, file) => {
    switch (problem?.kind) {
      case 'missing':
        return t('missing');
      case 'ambiguous':
        return t('ambiguous', { one: problem.columns[0], other: problem.columns[1] });
      case 'unknown':
        return t('unknown', { column: problem.name, file });
      case 'repeated':
        return t('repeated', { column: problem.name });
      default:
        return null;
    }
  };
}

/** The choice of a column for a field, with sample values. */
function ColumnChoice({ field, file: { name: file, preview }, choices }: ChoiceProps) {
  const { t } = useTranslation('importColumns');
  const { choose } = useClubImport();
  const id = useId();
  const problemText = useProblemText();
  const { columns, problems } = preview;
  const names = [...new Set(columns.map(({ name }) => name))].filter((name) => name !== noColumn);
  const mapped = choices.map[field];
  const chosen =
    mapped === undefined ? columns.find(({ takenAs }) => takenAs === field)?.name : mapped;
  const value =
    chosen !== undefined && chosen !== null && names.includes(chosen) ? chosen : noColumn;
  const samples = columns.find(({ name }) => name === value && value !== noColumn)?.samples ?? [];
  const problem = problems.find((one) => one.field === field && one.kind !== 'dateOrder');
  const text = problemText(problem, file);
  const none = isRequired(field) ? t('chooseColumn') : t('noColumn');
  return (
    <div className="import-column" data-open={text !== null || undefined}>
      <label htmlFor={id} className="import-column-field">
        {t(field)}
        {isRequired(field) && <span className="import-needed">{t('required')}</span>}
      </label>
      <NativeSelect
        id={id}
        value={value}
        error={text}
        required={isRequired(field)}
        data={[
          { value: noColumn, label: none },
          ...names.map((name) => ({ value: name, label: name })),
        ]}
        onChange={({ currentTarget }) => {
          const column = currentTarget.value === noColumn ? null : currentTarget.value;
          choose({ map: { ...choices.map, [field]: column } });
        }}
      />
      <span className="import-samples" dir="auto">
        {samples.join(' · ')}
      </span>
    </div>
  );
}

const commonFields: readonly EventField[] = ['name', 'date', 'location', 'description'];

type TableFile = WorkFile & { readonly preview: ImportPreview };

const maxUnused = 20;

/** Returns the files whose columns can be chosen; a calendar has none. */
function tablesOf({ files }: ImportWork): TableFile[] {
  return files.filter((file): file is TableFile => (file.preview?.columns.length ?? 0) > 0);
}

/** The fields and their columns; rare fields are collapsed unless the file has them. */
function Columns({ file, choices }: { readonly file: TableFile; readonly choices: Choices }) {
  const { t } = useTranslation('importColumns');
  const { chooseAutomatically } = useClubImport();
  const { columns, problems } = file.preview;
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
  const container = useFocusBack(`${hidden.length} ${isChosen}`);
  return (
    <div ref={container} tabIndex={-1} className="import-choosing">
      <div className="import-columns">
        {fields.filter(isShown).map((field) => (
          <ColumnChoice key={field} field={field} file={file} choices={choices} />
        ))}
      </div>
      <div className="import-buttons">
        {hidden.length > 0 && (
          <Button variant="default" size="compact-sm" fw={500} onClick={() => setExpanded(true)}>
            {t('more', { fields: hidden.map((field) => t(field)).join(', ') })}
          </Button>
        )}
        {isChosen && (
          <Button variant="default" size="compact-sm" fw={500} onClick={chooseAutomatically}>
            {t('automatic')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The time column, the unused columns, and a warning about several time columns. */
function OtherColumns({ preview: { columns, problems } }: { readonly preview: ImportPreview }) {
  const { t } = useTranslation('importColumns');
  const time = columns.find(({ takenAs }) => takenAs === 'time');
  const unused = columns.filter(({ takenAs, name }) => takenAs === null && name.trim() !== '');
  const names = unused.slice(0, maxUnused).map(({ name }) => name);
  const list = names.join(', ') + (unused.length > maxUnused ? ' …' : '');
  const twoTimes = problems.find(({ field }) => field === 'time');
  return (
    <div className="import-columns-other">
      {twoTimes?.kind === 'ambiguous' && (
        <p role="alert" className="import-fault">
          {t('ambiguousTime', { one: twoTimes.columns[0], other: twoTimes.columns[1] })}
        </p>
      )}
      {time && <p>{t('time', { column: time.name })}</p>}
      {names.length > 0 && <p>{t('unused', { columns: list })}</p>}
    </div>
  );
}

/** The step that assigns columns to fields, with a preview of the first events. */
export function ColumnStep({ work }: { readonly work: ImportWork }) {
  const { t } = useTranslation(['importColumns', 'import']);
  const [token, setToken] = useState<string | undefined>();
  const tables = tablesOf(work);
  const withProblems = tables.find(({ preview }) => preview.problems.length > 0);
  const file = tables.find((one) => one.token === token) ?? withProblems ?? tables[0];
  if (file === undefined) return <DateChoices work={work} />;
  return (
    <Step
      title={t('columns')}
      help={t(work.hasRememberedChoices ? 'columnsAsLast' : 'columnsHelp')}
    >
      {tables.length > 1 && (
        <NativeSelect
          label={t('columnsOf')}
          value={file.token}
          data={tables.map((one) => ({ value: one.token, label: one.name }))}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
      )}
      <Columns key={file.token} file={file} choices={work.choices} />
      <OtherColumns preview={file.preview} />
      <DateChoices work={work} />
      {file.preview.rows.length > 0 && (
        <>
          <h3>{t('import:preview')}</h3>
          <EventTable title={t('import:preview')} preview={file.preview} />
        </>
      )}
    </Step>
  );
}
