import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../base/format.ts';
import { IconAlertTriangle, IconCircleCheck } from '../../base/icons.ts';
import type { BadRow, CellCorrection, EventField } from './choices.ts';
import { splitIsoDate, useFieldText, valuesOf } from './field-text.ts';
import { useClubImport } from './import-state.ts';
import { useReasonText } from './reasons.ts';

/** Returns the id of the input for a cell. */
export function inputId(key: string, field: EventField): string {
  return `import-cell-${field}-${key.replaceAll(/[^\w-]/g, '-')}`;
}

/** Returns functions that word a suggestion for its button and for the input. */
function useSuggestionText(field: EventField) {
  const formats = useFormats();
  const textOf = useFieldText();
  const wordsOf = (suggestion: string, isShort: boolean) => {
    const date = splitIsoDate(suggestion);
    if (date === undefined) return textOf(field, suggestion);
    const words = formats.on(isShort ? 'weekdayInYear' : 'shortDay', date.day);
    return date.time === '' ? words : `${words}, ${date.time}`;
  };
  return {
    /** Words a suggestion for its button; the year only if it is not the one in the cell. */
    onButton(suggestion: string, cell: string): string {
      const year = splitIsoDate(suggestion)?.day.slice(0, 4);
      const isSameYear = year === undefined || cell.includes(year);
      return isSameYear ? wordsOf(suggestion, true) : `${wordsOf(suggestion, true)} ${year}`;
    },
    inInput: (suggestion: string) => wordsOf(suggestion, false),
  };
}

/** The input for a bad cell, with the reason and suggestions below it. */
export function BadCell(props: {
  readonly bad: BadRow;
  readonly field: EventField;
  readonly correction: CellCorrection | undefined;
  /** True if this cell is the reason why the row cannot be imported. */
  readonly isFault: boolean;
  /** True if the row has the focus. */
  readonly isActive: boolean;
  readonly onNext: (key: string) => void;
}) {
  const { bad, field, correction, isFault, isActive, onNext } = props;
  const { t } = useTranslation(['importReport', 'importColumns']);
  const { number } = useFormats();
  const { correct, checkCorrections } = useClubImport();
  const input = useRef<HTMLInputElement>(null);
  const reasonText = useReasonText();
  const suggestionText = useSuggestionText(field);
  const { key, token, correctable, reason } = bad;
  if (correctable === undefined) return null;
  const { row, sheet, cells, suggestions } = correctable;
  const id = inputId(key, field);
  const cell = cells[field] ?? '';
  // The import turns some dates of tables into ISO dates.
  const isIso = field === 'date' && splitIsoDate(cell) !== undefined;
  const shown = correction?.shown ?? (isIso ? suggestionText.inInput(cell) : cell);
  const offered = isFault && suggestions.length === 0 ? (valuesOf(field) ?? []) : suggestions;
  const change = (text: string, words: string) =>
    correct({ token, row, sheet, field, text, shown: words });
  return (
    <div className="stack close import-cell">
      <span className="row close good-icon import-input">
        <input
          ref={input}
          id={id}
          type="text"
          className="field"
          autoComplete="off"
          dir="auto"
          aria-label={t('cellInRow', { field: t(`importColumns:${field}`), row: number(row) })}
          aria-invalid={isFault}
          aria-describedby={isFault ? `${id}-reason` : undefined}
          value={shown}
          onChange={({ currentTarget }) => change(currentTarget.value, currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            onNext(key);
          }}
        />
        {!isFault && reason === null && <IconCircleCheck size={18} aria-hidden />}
      </span>
      {isFault && reason && (
        <>
          {/* An alert for the current row only: many would be read at once. */}
          <p
            id={`${id}-reason`}
            role={isActive ? 'alert' : undefined}
            className="small field-error"
          >
            <IconAlertTriangle size={16} aria-hidden />
            <span>{reasonText(reason)}</span>
          </p>
          {offered.length > 0 && (
            <div className="flow close import-suggestions">
              {offered.map((suggestion) => (
                <Button
                  key={suggestion}
                  size="compact-sm"
                  variant="default"
                  onClick={() => {
                    // The buttons disappear with the error.
                    input.current?.focus();
                    change(suggestion, suggestionText.inInput(suggestion));
                    void checkCorrections();
                  }}
                >
                  {suggestionText.onButton(suggestion, cell)}
                </Button>
              ))}
            </div>
          )}
        </>
      )}
    </div>
  );
}
