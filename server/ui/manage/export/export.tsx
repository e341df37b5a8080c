import { Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { proposeFileName } from '../../../export/file-name.ts';
import { useClock } from '../../base/days.ts';
import { perform, requireBridge, unwrap } from '../../base/desktop.ts';
import { chooseSeparator, regionalTag, useFormats } from '../../base/format.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { DownloadWays } from '../../download/download-ways.tsx';
import {
  type ExportFormat,
  ExportWay,
  exportFormats,
  SavedFile,
} from '../../download/export-way.tsx';
import { type Task, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice, ScreenIntro } from '../parts/parts.tsx';

/** The report of the export; null if the dialog was cancelled. */
type Saved = ActionResult<'export'> | null;

/** Returns a task that asks for a file and exports every event of the club to it. */
function useSaving(): Task<[format: ExportFormat], Saved> {
  const clock = useClock();
  const { club } = useDesktop();
  const formats = useFormats();
  const { i18n } = useTranslation();
  return useTask(async (format: ExportFormat) => {
    const name = proposeFileName(club.name, clock.dayOf(new Date()), format);
    const file = await unwrap(requireBridge().chooseOutput({ name }));
    if (file === null) return null;
    return perform('export', {
      user: club.name,
      format,
      output: file.token,
      language: regionalTag(i18n.language),
      ...(format === 'csv' && { spreadsheet: chooseSeparator(formats) }),
    });
  });
}

/** The formats in which the application saves all events of the club. */
function AllEvents() {
  const { t } = useTranslation('export');
  const formats = useFormats();
  const saving = useSaving();
  const [selected, setSelected] = useState<ExportFormat | undefined>();
  const save = (format: ExportFormat) => {
    if (saving.isRunning) return;
    setSelected(format);
    void saving.run(format);
  };
  const { result } = saving;
  const saved =
    result &&
    t('saved', { count: result.events, shown: formats.number(result.events), file: result.output });
  return (
    <div className="ruled boxed">
      {exportFormats.map((format) => (
        <ExportWay
          key={format}
          format={format}
          isSaving={format === selected && saving.isRunning}
          onSave={() => save(format)}
        >
          {format === selected && (
            <>
              <SavedFile text={saved} />
              <ErrorNotice error={saving.error} onClose={saving.reset} />
            </>
          )}
        </ExportWay>
      ))}
    </div>
  );
}

/** The screen that saves one file: of the events that the search and the filters show, or of all. */
export function ExportScreen() {
  const { t } = useTranslation('export');
  const { number } = useFormats();
  const { club } = useDesktop();
  const { all, events } = useVisibleEvents();
  const [scope, setScope] = useState('shown');
  const isFiltered = all !== undefined && events.length < all.events.length;
  return (
    <div className="column export">
      {isFiltered ? (
        <Radio.Group label={t('which')} value={scope} onChange={setScope}>
          <div className="flow export-scopes">
            <Radio value="all" label={t('all', { shown: number(all.events.length) })} />
            <Radio
              value="shown"
              label={t('shown', { count: events.length, shown: number(events.length) })}
            />
          </div>
        </Radio.Group>
      ) : (
        <ScreenIntro>
          {t('intro', { club: club.name })} {t('view')}
        </ScreenIntro>
      )}
      {isFiltered && scope === 'shown' ? <DownloadWays /> : <AllEvents />}
    </div>
  );
}
