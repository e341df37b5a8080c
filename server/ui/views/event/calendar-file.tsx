import './outcome.css';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fileNameOf } from '../../../export/file-name.ts';
import { writeEntry } from '../../../export/ics.ts';
import type { Event } from '../../../http/contract.ts';
import { saveFile } from '../../base/browser.ts';
import { queries } from '../../base/client.ts';
import { IconCheck } from '../../base/icons.ts';
import { calendarIdentityOf } from '../../data/club.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

type Outcome = {
  readonly event: Event;
  /** The name of the file; null if it could not be made. */
  readonly file: string | null;
  readonly attempt: number;
};

/** Saving of an event as a calendar file, and a report of its outcome to show below the button. */
type CalendarFile = {
  readonly save: () => void;
  readonly report: ReactNode;
};

/** The file has the UID that the event has in a file of all events. */
export function useCalendarFile(event: Event): CalendarFile {
  const { t } = useTranslation('panel');
  const { accessKey, clock } = useVisibleEvents();
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const save = async () => {
    const attempt = (outcome?.attempt ?? 0) + 1;
    try {
      const { uidBase } = await queries.ensureQueryData(calendarIdentityOf(accessKey));
      const file = `${fileNameOf(event.name)}.ics`;
      const text = writeEntry(event, { now: new Date(), uidBase, timeZone: clock.name });
      saveFile(new Blob([text], { type: 'text/calendar;charset=utf-8' }), file);
      setOutcome({ event, file, attempt });
    } catch {
      // The service does not answer.
      setOutcome({ event, file: null, attempt });
    }
  };
  // The outcome for another event is outdated.
  const last = outcome?.event.id === event.id ? outcome : undefined;
  return {
    save: () => void save(),
    report: (
      <p role="status" className="small good-icon outcome">
        {last && (
          // A new element each time, so that screen readers announce every file.
          <span key={last.attempt} className="row close">
            {last.file !== null && <IconCheck size={15} aria-hidden />}
            {last.file === null ? t('failedNext') : t('savedToCalendar', { file: last.file })}
          </span>
        )}
      </p>
    ),
  };
}
