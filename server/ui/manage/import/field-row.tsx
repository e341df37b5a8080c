import { Button, NativeSelect } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '../../base/buttons.tsx';
import { useEventTimes } from '../../base/event-words.ts';
import { IconChevronDown } from '../../base/icons.ts';
import type {
  Choices,
  EventField,
  FieldMap,
  ImportPreview,
  PreviewedFile,
  PreviewProblem,
} from './choices.ts';
import { notedOf, useFieldText } from './field-text.ts';
import { useClubImport } from './import-state.ts';

export const chevron = <IconChevronDown size={16} aria-hidden />;

/** The value for no column. Therefore a column without a name cannot be chosen. */
const noColumn = '';

function isRequired(field: EventField): boolean {
  return field === 'name' || field === 'date';
}

/** Fields that can join the values of several columns. */
const joinedFields: readonly EventField[] = ['name', 'ends', 'location', 'description'];

/** Returns the names of the columns that hold a field. */
export function columnsOf(
  field: EventField,
  { columns }: ImportPreview,
  map: FieldMap,
): readonly string[] {
  const mapped = map[field];
  if (mapped === null) return [];
  if (mapped === undefined) {
    return columns.filter(({ takenAs }) => takenAs === field).map(({ name }) => name);
  }
  return typeof mapped === 'string' ? [mapped] : mapped;
}

/** Returns the columns with those of a field; the columns of ends stay when those of the note change. */
export function withColumns(
  field: EventField,
  columns: FieldMap[EventField],
  preview: ImportPreview,
  map: FieldMap,
): FieldMap {
  const ends = columnsOf('ends', preview, map);
  const isNote = field === 'description' && map.ends === undefined && ends.length > 0;
  return { ...map, ...(isNote && { ends: [...ends] }), [field]: columns };
}

/** Returns a function that lists the first values of a field; several columns are joined. */
function useSamples(): (
  field: EventField,
  names: readonly string[],
  preview: ImportPreview,
) => string {
  const textOf = useFieldText();
  const times = useEventTimes('weekdayAndDay');
  return (field, names, { columns, rows, table }) => {
    if (names.length > 1) {
      const joined = rows.map(({ values }) => {
        const event = notedOf(values);
        if (field === 'ends') return event === undefined ? '' : times.end(event);
        return field === 'time' ? '' : String(values[field] ?? '');
      });
      const distinct = [...new Set(joined)].filter((text) => text !== '');
      return distinct.slice(0, 2).join(' · ');
    }
    const samples = columns.find(({ name }) => name === names[0])?.samples ?? [];
    // The cells of a workbook have values; those of other files are shown as they are.
    const isWorkbook = typeof table?.sheet === 'string';
    return samples.map((text) => (isWorkbook ? textOf('date', text) : text)).join(' · ');
  };
}

/** Returns a function that words the reason why a field has no column. */
function useProblemText(): (problem: PreviewProblem | undefined, file: string) => string | null {
  const { t } = useTranslation('importColumns');
  return (problem, file) => {
    switch (problem?.kind) {
      case 'missing':
        return t(problem.reason ?? 'missing');
      case 'ambiguous':
        return t(problem.isMatch ? 'ambiguousMatch' : 'ambiguous', {
          one: problem.columns[0],
          other: problem.columns[1],
        });
      case 'unknown':
        return t('unknown', { column: problem.name, file });
      case 'repeated':
        return t('repeated', { column: problem.name });
      default:
        return null;
    }
  };
}

type ChoiceProps = {
  readonly field: EventField;
  readonly file: PreviewedFile;
  readonly choices: Choices;
};

/** The row of a field: its columns, one below the other, and their first values. */
export function FieldRow({ field, file: { name: file, preview }, choices }: ChoiceProps) {
  const { t } = useTranslation('importColumns');
  const { choose } = useClubImport();
  const cell = useRef<HTMLTableCellElement>(null);
  const problemText = useProblemText();
  const samplesOf = useSamples();
  const [isAdding, setAdding] = useState(false);
  const names = [...new Set(preview.columns.map(({ name }) => name))].filter((name) => name !== '');
  const chosen = columnsOf(field, preview, choices.map).filter((name) => names.includes(name));
  const problem = preview.problems.find(
    (one) => one.field === field && one.kind !== 'dateOrder' && one.kind !== 'year',
  );
  const text = problemText(problem, file);
  const canAdd = joinedFields.includes(field) && chosen.length > 0 && !isAdding;
  const shown = chosen.length === 0 || isAdding ? [...chosen, noColumn] : chosen;
  const selectAt = (index: number) => cell.current?.querySelectorAll('select')[index];
  const take = (columns: FieldMap[EventField]) =>
    choose({ map: withColumns(field, columns, preview, choices.map) });
  const change = (index: number, column: string) => {
    const next = shown.with(index, column).filter((name) => name !== noColumn);
    setAdding(false);
    // A removed part takes its select with it.
    if (column === noColumn && index > 0) selectAt(index - 1)?.focus();
    const [only = null, ...others] = next;
    take(others.length > 0 ? next : only);
  };
  const teams = problem?.kind === 'ambiguous' && problem.isMatch ? problem.columns : undefined;
  return (
    <tr>
      <th scope="row">
        {t(field)} {isRequired(field) && <span className="small quiet">{t('required')}</span>}
      </th>
      <td ref={cell}>
        {shown.map((column, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
          <div key={index} className="import-part">
            <NativeSelect
              rightSection={chevron}
              aria-label={
                index === 0
                  ? t('columnFor', { field: t(field) })
                  : t('columnForPart', { field: t(field), part: index + 1 })
              }
              value={column}
              error={index === 0 ? text : null}
              required={isRequired(field)}
              data={[
                {
                  value: noColumn,
                  label: t(isRequired(field) && index === 0 ? 'chooseColumn' : 'noColumn'),
                },
                ...names.map((name) => ({ value: name, label: name })),
              ]}
              onChange={({ currentTarget }) => change(index, currentTarget.value)}
            />
            {canAdd && index === shown.length - 1 && (
              <Button
                variant="subtle"
                className="import-add-part"
                aria-label={t('addPart', { field: t(field) })}
                title={t('addPart', { field: t(field) })}
                onClick={() => {
                  setAdding(true);
                  // The next select replaces this button.
                  requestAnimationFrame(() => selectAt(index + 1)?.focus());
                }}
              >
                +
              </Button>
            )}
          </div>
        ))}
        {teams !== undefined && (
          <LinkButton
            className="small"
            onClick={() => {
              take([...teams]);
              selectAt(0)?.focus();
            }}
          >
            {t('bothColumns', { one: teams[0], other: teams[1] })}
          </LinkButton>
        )}
      </td>
      <td className="small quiet cut" dir="auto">
        {samplesOf(field, chosen, preview)}
      </td>
    </tr>
  );
}
