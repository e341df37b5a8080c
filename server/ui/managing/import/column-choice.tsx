import { NativeSelect } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useClubImport } from './import-of-club.ts';
import type { Choices, EventField, ImportPreview, PreviewProblem, WorkFile } from './work.ts';

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
export function ColumnChoice({ field, file: { name: file, preview }, choices }: ChoiceProps) {
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
        {isRequired(field) && <span className="import-needed">{t('needed')}</span>}
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
