import { type IcsOptions, writeEntry } from '../../../export/ics.ts';
import { makeQrCode, type QrCode } from '../../../export/qr-code.ts';
import type { Event } from '../../../http/contract.ts';

/** Maximum size in octets of a code that a phone can still read from paper. */
const maxOctets = 700;

type EntryCode = QrCode & { readonly isShortened: boolean };

const octetsOf = (text: string) => new TextEncoder().encode(text).length;

type EntryStamp = Omit<IcsOptions, 'calendarName'>;

/** Writes a calendar entry that fits, if necessary with a shortened note, or returns undefined. */
function fitEntry(
  event: Event,
  stamp: EntryStamp,
): { readonly text: string; readonly isShortened: boolean } | undefined {
  const write = (description: string | null) => writeEntry({ ...event, description }, stamp);
  const fits = (text: string) => octetsOf(text) <= maxOctets;
  const letters = Array.from((event.description ?? '').slice(0, maxOctets));
  const whole = write(event.description);
  if (fits(whole)) return { text: whole, isShortened: false };
  const cut = (length: number) =>
    write(length === 0 ? null : `${letters.slice(0, length).join('').trimEnd()}…`);
  if (!fits(cut(0))) return undefined;
  let [most, tooMany] = [0, letters.length + 1];
  while (tooMany - most > 1) {
    const middle = (most + tooMany) >>> 1;
    if (fits(cut(middle))) most = middle;
    else tooMany = middle;
  }
  return { text: cut(most), isShortened: true };
}

/** Creates the QR code of a calendar entry; undefined if even its name and location are too long. */
export function makeEntryCode(event: Event, stamp: EntryStamp): EntryCode | undefined {
  const entry = fitEntry(event, stamp);
  if (entry === undefined) return undefined;
  return { ...makeQrCode(entry.text), isShortened: entry.isShortened };
}
