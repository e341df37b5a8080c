import './export-way.css';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type Icon,
  IconBraces,
  IconCalendarPlus,
  IconCheck,
  IconFileSpreadsheet,
  IconTable,
  IconWorld,
} from '../base/icons.ts';

const formats = {
  xlsx: { Icon: IconFileSpreadsheet, save: 'saveXlsx' },
  csv: { Icon: IconTable, save: 'saveCsv' },
  ics: { Icon: IconCalendarPlus, save: 'saveIcs' },
  html: { Icon: IconWorld, save: 'saveHtml' },
  json: { Icon: IconBraces, save: 'saveJson' },
} as const satisfies Record<string, { readonly Icon: Icon; readonly save: string }>;

export type ExportFormat = keyof typeof formats;

/** The formats of an export, in display order. */
export const exportFormats = Object.keys(formats) as readonly ExportFormat[];

/** A format with its purpose and a button that saves the events in it. */
export function ExportWay(props: {
  readonly format: ExportFormat;
  readonly isSaving: boolean;
  /** The id of the reason why the events cannot be saved now. */
  readonly obstacle?: string | undefined;
  readonly onSave: () => void;
  /** The outcome of the last attempt. */
  readonly children: ReactNode;
}) {
  const { format, isSaving, obstacle, onSave, children } = props;
  const { t } = useTranslation('export');
  const id = `export-${format}`;
  const { Icon: FormatIcon, save } = formats[format];
  return (
    <section className="brand-icon export-way" aria-labelledby={id}>
      <FormatIcon size={28} stroke={1.5} aria-hidden />
      <div>
        <p id={id} className="export-name">
          {t(format)}
        </p>
        <p className="export-why">{t(`${format}Help`)}</p>
      </div>
      <Button
        variant="default"
        aria-label={t(save)}
        aria-describedby={obstacle}
        {...(obstacle !== undefined && { 'data-disabled': true, 'aria-disabled': true })}
        loading={isSaving}
        onClick={() => obstacle === undefined && onSave()}
      >
        {t('save')}
      </Button>
      {children}
    </section>
  );
}

/** The sentence about a saved file; empty before. */
export function SavedFile({ text }: { readonly text: string | null | undefined }) {
  return (
    <p role="status" className="optional export-outcome">
      {text && (
        <>
          <IconCheck size={18} aria-hidden />
          <span>{text}</span>
        </>
      )}
    </p>
  );
}
