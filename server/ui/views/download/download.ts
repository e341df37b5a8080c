import { useCallback, useRef, useState } from 'react';
import { writeSpreadsheet } from '../../../actions/export/csv.ts';
import { writeIcs } from '../../../actions/export/ics.ts';
import type { Event } from '../../../contract.ts';
import { queries } from '../../base/client.ts';
import { chooseSeparator, type Formats, useFormats } from '../../base/format.ts';
import { uidBaseOf } from '../../data/club.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Length of a time slice in milliseconds; a frame has 16. */
const sliceMs = 8;

/** Joins pieces of text to a file in UTF-8, in time slices: 100,000 events take three seconds. */
export async function joinPieces(pieces: Iterable<string>, type: string): Promise<Blob> {
  const parts: Blob[] = [];
  let text = '';
  let sliceEnd = performance.now() + sliceMs;
  for (const piece of pieces) {
    text += piece;
    if (performance.now() < sliceEnd) continue;
    // Encoding everything at the end would block the page.
    parts.push(new Blob([text]));
    text = '';
    await new Promise((resolve) => setTimeout(resolve));
    sliceEnd = performance.now() + sliceMs;
  }
  return new Blob([...parts, text], { type });
}

/** Time for the browser to start the download, in milliseconds. */
const downloadStartMs = 60_000;

/** Saves a file as a download of the browser. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), downloadStartMs);
}

export const fileKinds = ['csv', 'ics'] as const;
export type FileKind = (typeof fileKinds)[number];

/** State of the last export to a file. */
export type Download = {
  readonly file: string;
  readonly count: number;
  readonly state: 'making' | 'saved' | 'failed';
};

async function writeFileOfKind(
  kind: FileKind,
  events: readonly Event[],
  formats: Formats,
  accessKey: string,
): Promise<Blob> {
  if (kind === 'csv') {
    return await joinPieces(
      writeSpreadsheet(events, chooseSeparator(formats)),
      'text/csv;charset=utf-8',
    );
  }
  const uidBase = await queries.ensureQueryData(uidBaseOf(accessKey));
  const options = { calendarName: 'Club Events', now: new Date(), uidBase };
  return await joinPieces(writeIcs(events, options), 'text/calendar;charset=utf-8');
}

/** Exports the visible events as files, one at a time. */
export function useDownload() {
  const { accessKey, events, today } = useVisibleEvents();
  const formats = useFormats();
  const [last, setLast] = useState<Download | undefined>();
  const isBusy = useRef(false);

  async function download(kind: FileKind): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    const outcome = { file: `club-events-${today}.${kind}`, count: events.length };
    setLast({ ...outcome, state: 'making' });
    try {
      saveFile(await writeFileOfKind(kind, events, formats, accessKey), outcome.file);
      setLast({ ...outcome, state: 'saved' });
    } catch {
      // For example too little memory or disk space; the page shows the failure.
      setLast({ ...outcome, state: 'failed' });
    } finally {
      isBusy.current = false;
    }
  }

  const dismiss = useCallback(() => setLast(undefined), []);
  return { last, download, dismiss };
}
