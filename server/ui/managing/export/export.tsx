import './export.css';
import { Button } from '@mantine/core';
import { IconBraces, IconCalendarPlus, IconCheck, IconFileSpreadsheet } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../bridge.ts';
import { chooseSeparator } from '../../takeout/separator.ts';
import { dayOf } from '../../time/days.ts';
import { useFormats } from '../../time/format.ts';
import { perform, unwrap } from '../actions.ts';
import { requireBridge } from '../bridge.ts';
import { useDesktop } from '../desktop.tsx';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { ScreenIntro } from '../parts/screen-intro.tsx';
import { type Task, useTask } from '../parts/use-task.ts';
import { proposeFileName } from './file-name.ts';

type ExportFormat = ActionResult<'export'>['format'];

const ways = [
  { format: 'csv', Icon: IconFileSpreadsheet, why: 'csvWhy', save: 'saveCsv' },
  { format: 'ics', Icon: IconCalendarPlus, why: 'icsWhy', save: 'saveIcs' },
  { format: 'json', Icon: IconBraces, why: 'jsonWhy', save: 'saveJson' },
] as const satisfies readonly { readonly format: ExportFormat; readonly [name: string]: unknown }[];
type Way = (typeof ways)[number];

/** Null when the dialog was cancelled. */
type Saved = ActionResult<'export'> | null;

/** Asks where to, and saves every event of the club there. */
function useSaving(): Task<[format: ExportFormat], Saved> {
  const { club } = useDesktop();
  const formats = useFormats();
  return useTask(async (format: ExportFormat) => {
    const name = proposeFileName(club.name, dayOf(new Date()), format);
    const file = await unwrap(requireBridge().chooseOutput({ name }));
    if (file === null) return null;
    return perform('export', {
      user: club.name,
      format,
      output: file.token,
      ...(format === 'csv' && { spreadsheet: chooseSeparator(formats) }),
    });
  });
}

/** What became of a file, beside the button that asked for it. */
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

function WayOut(props: {
  readonly way: Way;
  readonly saving: Task<[format: ExportFormat], Saved>;
  readonly isAsked: boolean;
  readonly onSave: () => void;
}) {
  const { way, saving, isAsked, onSave } = props;
  const { t } = useTranslation('export');
  const id = `export-${way.format}`;
  return (
    <section className="export-way" aria-labelledby={id}>
      <way.Icon size={28} stroke={1.5} aria-hidden />
      <div className="export-text">
        <h2 id={id} className="export-name">
          {t(way.format)}
        </h2>
        <p className="export-why">{t(way.why)}</p>
      </div>
      <Button
        variant="default"
        aria-label={t(way.save)}
        loading={isAsked && saving.isRunning}
        onClick={onSave}
      >
        {t('save')}
      </Button>
      {isAsked && <Outcome saving={saving} />}
    </section>
  );
}

/** Saves all events of the club as a file, in one of three ways. */
export function ExportScreen() {
  const { t } = useTranslation('export');
  const { club } = useDesktop();
  const saving = useSaving();
  const [asked, setAsked] = useState<ExportFormat | undefined>();
  const save = (format: ExportFormat) => {
    if (saving.isRunning) return;
    setAsked(format);
    void saving.run(format);
  };
  return (
    <div className="export">
      <ScreenIntro>{t('intro', { club: club.name })}</ScreenIntro>
      <div className="export-ways">
        {ways.map((way) => (
          <WayOut
            key={way.format}
            way={way}
            saving={saving}
            isAsked={way.format === asked}
            onSave={() => save(way.format)}
          />
        ))}
      </div>
      <ScreenIntro>{t('view')}</ScreenIntro>
    </div>
  );
}
