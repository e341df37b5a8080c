import './export.css';
import { Button } from '@mantine/core';
import {
  IconBraces,
  IconCalendarPlus,
  IconCheck,
  IconFileSpreadsheet,
  IconTable,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileNameOf } from '../../../actions/export/file-name.ts';
import type { ActionResult } from '../../../bridge.ts';
import { type Day, dayOf } from '../../base/days.ts';
import { perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { chooseSeparator, regionalTag, useFormats } from '../../base/format.ts';
import { type Task, useTask } from '../parts/actions.ts';
import { useDesktop } from '../parts/desktop.tsx';
import { ErrorNotice, ScreenIntro } from '../parts/parts.tsx';

/** Returns the default name of an export file: `<club>-<day>.<ending>`. */
export function proposeFileName(club: string, day: Day, ending: string): string {
  return `${fileNameOf(club)}-${day}.${ending}`;
}

type ExportFormat = ActionResult<'export'>['format'];

const options = [
  { format: 'xlsx', Icon: IconFileSpreadsheet, why: 'xlsxHelp', save: 'saveXlsx' },
  { format: 'csv', Icon: IconTable, why: 'csvHelp', save: 'saveCsv' },
  { format: 'ics', Icon: IconCalendarPlus, why: 'icsHelp', save: 'saveIcs' },
  { format: 'html', Icon: IconUsersGroup, why: 'htmlHelp', save: 'saveHtml' },
  { format: 'json', Icon: IconBraces, why: 'jsonHelp', save: 'saveJson' },
] as const satisfies readonly { readonly format: ExportFormat; readonly [name: string]: unknown }[];
type FormatOption = (typeof options)[number];

/** The report of the export; null if the dialog was cancelled. */
type Saved = ActionResult<'export'> | null;

/** Returns a task that asks for a file and exports every event of the club to it. */
function useSaving(): Task<[format: ExportFormat], Saved> {
  const { club } = useDesktop();
  const formats = useFormats();
  const { i18n } = useTranslation();
  return useTask(async (format: ExportFormat) => {
    const name = proposeFileName(club.name, dayOf(new Date()), format);
    const file = await unwrap(requireBridge().chooseOutput({ name }));
    if (file === null) return null;
    return perform('export', {
      user: club.name,
      format,
      output: file.token,
      language: regionalTag(i18n.language),
      timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(format === 'csv' && { spreadsheet: chooseSeparator(formats) }),
    });
  });
}

/** The outcome of an export: the number of events and the file, or the error. */
function Outcome({ saving }: { readonly saving: Task<[format: ExportFormat], Saved> }) {
  const { t } = useTranslation('export');
  const formats = useFormats();
  const saved = saving.result;
  return (
    <>
      <p role="status" className="export-outcome">
        {saved && (
          <>
            <IconCheck size={18} aria-hidden />
            <span>
              {t('saved', {
                count: saved.events,
                shown: formats.number(saved.events),
                file: saved.output,
              })}
            </span>
          </>
        )}
      </p>
      <ErrorNotice error={saving.error} onClose={saving.reset} />
    </>
  );
}

function FormatCard(props: {
  readonly option: FormatOption;
  readonly saving: Task<[format: ExportFormat], Saved>;
  readonly isSelected: boolean;
  readonly onSave: () => void;
}) {
  const { option, saving, isSelected, onSave } = props;
  const { t } = useTranslation('export');
  const id = `export-${option.format}`;
  return (
    <section className="export-way" aria-labelledby={id}>
      <option.Icon size={28} stroke={1.5} aria-hidden />
      <div className="export-text">
        <h2 id={id} className="export-name">
          {t(option.format)}
        </h2>
        <p className="export-why">{t(option.why)}</p>
      </div>
      <Button
        variant="default"
        aria-label={t(option.save)}
        loading={isSelected && saving.isRunning}
        onClick={onSave}
      >
        {t('save')}
      </Button>
      {isSelected && <Outcome saving={saving} />}
    </section>
  );
}

/** The export screen: saves all events of the club as XLSX, CSV, ICS, HTML or JSON. */
export function ExportScreen() {
  const { t } = useTranslation('export');
  const { club } = useDesktop();
  const saving = useSaving();
  const [selected, setSelected] = useState<ExportFormat | undefined>();
  const save = (format: ExportFormat) => {
    if (saving.isRunning) return;
    setSelected(format);
    void saving.run(format);
  };
  return (
    <div className="export">
      <ScreenIntro>{t('intro', { club: club.name })}</ScreenIntro>
      <div className="export-ways">
        {options.map((option) => (
          <FormatCard
            key={option.format}
            option={option}
            saving={saving}
            isSelected={option.format === selected}
            onSave={() => save(option.format)}
          />
        ))}
      </div>
      <ScreenIntro>{t('view')}</ScreenIntro>
    </div>
  );
}
