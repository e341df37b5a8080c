import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportWork, KeptEvent } from './choices.ts';
import { useFieldText } from './field-text.ts';
import { useClubImport } from './import-state.ts';

/** Returns the column of the table that shows the only edited field; undefined for several. */
export function columnOfChoice({ edits }: KeptEvent): 'name' | 'date' | 'location' | undefined {
  const [{ field } = {}, ...others] = edits;
  const isShown = field === 'name' || field === 'date' || field === 'location';
  return isShown && others.length === 0 ? field : undefined;
}

/** Returns a function that quotes the values of the edited fields, or those in the file. */
export function useEditedValues(): (event: KeptEvent, side: 'edited' | 'fromFile') => string {
  const { t } = useTranslation('importReport');
  const textOf = useFieldText();
  return ({ edits }, side) =>
    edits
      .map((edit) => {
        const text = textOf(edit.field, edit[side]);
        return text === '' ? t('noValue') : t('quoted', { text });
      })
      .join(', ');
}

/** The choice between the edits by hand, which are chosen at first, and the values in the file. */
export function KeptChoice(props: { readonly event: KeptEvent; readonly work: ImportWork }) {
  const { event, work } = props;
  const { t } = useTranslation(['importReport', 'importColumns']);
  const name = useId();
  const valuesOf = useEditedValues();
  const { overwriteEdits } = useClubImport();
  const isOverwritten = work.overwrite.has(event.id);
  const fields = event.edits.map(({ field }) => t(`importColumns:${field}`)).join(', ');
  const choices = [
    { side: 'edited', isChosen: !isOverwritten, label: 'keepEdits' },
    { side: 'fromFile', isChosen: isOverwritten, label: 'takeFile' },
  ] as const;
  return (
    <fieldset className="stack close import-kept" dir="auto">
      <legend>
        {columnOfChoice(event) === undefined ? t('editedFields', { fields }) : t('editedHere')}
      </legend>
      {choices.map(({ side, isChosen, label }) => (
        <label key={side}>
          <input
            type="radio"
            name={name}
            checked={isChosen}
            onChange={() => overwriteEdits(event.id, side === 'fromFile')}
          />
          <span>{t(label, { values: valuesOf(event, side) })}</span>
        </label>
      ))}
    </fieldset>
  );
}
