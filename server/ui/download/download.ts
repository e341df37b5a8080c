import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Formats } from '../../dates/formats.ts';
import { writeSpreadsheet } from '../../export/csv.ts';
import { writeIcs } from '../../export/ics.ts';
import { type SheetOptions, WorkbookError } from '../../export/sheet.ts';
import type { Event } from '../../http/contract.ts';
import { type Message, problemMessage } from '../../messages/message.ts';
import { catalogues, type Language } from '../../messages/messages.ts';
import { saveFile } from '../base/browser.ts';
import { queries } from '../base/client.ts';
import { chooseSeparator, useFormats } from '../base/format.ts';
import { calendarIdentityOf } from '../data/club.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';

/** Length of a time slice in milliseconds; a frame has 16. */
const sliceMs = 8;

/** Joins pieces to a file, texts in UTF-8, in time slices: 100,000 events take three seconds. */
export async function joinPieces(
  pieces: Iterable<string | Uint8Array<ArrayBuffer>>,
  type: string,
): Promise<Blob> {
  const parts: Blob[] = [];
  let slice: (string | Uint8Array<ArrayBuffer>)[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const piece of pieces) {
    slice.push(piece);
    if (performance.now() < sliceEnd) continue;
    // Encoding everything at the end would block the page.
    parts.push(new Blob(slice));
    slice = [];
    await new Promise((resolve) => setTimeout(resolve));
    sliceEnd = performance.now() + sliceMs;
  }
  return new Blob([...parts, ...slice], { type });
}

export const fileKinds = ['xlsx', 'csv', 'ics'] as const;
type FileKind = (typeof fileKinds)[number];

/** State of the last export to a file. */
export type Download = {
  readonly kind: FileKind;
  readonly file: string;
  readonly count: number;
  readonly state: 'making' | 'saved' | 'failed';
  /** The reason why the events cannot be saved in this format, if known. */
  readonly problem?: Message;
};

type FileOptions = {
  readonly accessKey: string;
  readonly formats: Formats;
  readonly sheet: SheetOptions;
};

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function writeFileOfKind(
  kind: FileKind,
  events: readonly Event[],
  { accessKey, formats, sheet }: FileOptions,
): Promise<Blob> {
  if (kind === 'xlsx') {
    // Loaded on demand, because few readers need it.
    const { writeXlsx } = await import('../../export/xlsx.ts');
    return await joinPieces(writeXlsx(events, sheet), xlsxType);
  }
  if (kind === 'csv') {
    const options = { ...sheet, separator: chooseSeparator(formats) };
    return await joinPieces(writeSpreadsheet(events, options), 'text/csv;charset=utf-8');
  }
  const { name, uidBase, zone } = await queries.ensureQueryData(calendarIdentityOf(accessKey));
  const timeZone = zone === '' ? undefined : zone;
  const options = { calendarName: name, now: new Date(), uidBase, timeZone };
  return await joinPieces(writeIcs(events, options), 'text/calendar;charset=utf-8');
}

/** Exports the visible events as files, one at a time. */
export function useDownload() {
  const { accessKey, events, today, clock } = useVisibleEvents();
  const formats = useFormats();
  const { language } = useTranslation().i18n;
  const [last, setLast] = useState<Download | undefined>();
  const isBusy = useRef(false);

  async function download(kind: FileKind): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    const outcome = { kind, file: `club-events-${today}.${kind}`, count: events.length };
    setLast({ ...outcome, state: 'making' });
    const words = catalogues[language as Language];
    const options = { accessKey, formats, sheet: { words, timeZone: clock.name } };
    try {
      saveFile(await writeFileOfKind(kind, events, options), outcome.file);
      setLast({ ...outcome, state: 'saved' });
    } catch (error) {
      // Other failures are, for example, too little memory or disk space.
      const reason = error instanceof WorkbookError && { problem: problemMessage(error.problem) };
      setLast({ ...outcome, state: 'failed', ...reason });
    } finally {
      isBusy.current = false;
    }
  }

  return { last, download };
}
