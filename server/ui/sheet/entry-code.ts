import { encode } from 'uqr';
import { type IcsOptions, writeEntry } from '../../actions/export/ics.ts';
import type { Event } from '../../contract.ts';

/** How much goes into a code that a telephone still reads from paper, in octets. */
const mostOctets = 700;

/** White around the code, in modules, without which it is not found (ISO/IEC 18004). */
const quietZone = 4;

export type EntryCode = {
  readonly size: number;
  /** Its dark modules as the path of an SVG of `size` × `size`. */
  readonly path: string;
  /** Whether the description had to be shortened. */
  readonly isShortened: boolean;
};

const octetsOf = (text: string) => new TextEncoder().encode(text).length;

type EntryStamp = Pick<IcsOptions, 'now' | 'uidBase'>;

/** A calendar entry that fits, its description shortened if need be; undefined when none does. */
export function fitEntry(
  event: Event,
  stamp: EntryStamp,
): { readonly text: string; readonly isShortened: boolean } | undefined {
  const write = (description: string | null) => writeEntry({ ...event, description }, stamp);
  const fits = (text: string) => octetsOf(text) <= mostOctets;
  const letters = Array.from((event.description ?? '').slice(0, mostOctets));
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

/** Each run of dark modules in a row as one rectangle. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      const width = x + 1 - start;
      path += `M${start} ${y}h${width}v1h-${width}z`;
    }
  }
  return path;
}

/** The QR code of an event's calendar entry; undefined when even its name and place are too long. */
export function makeEntryCode(event: Event, stamp: EntryStamp): EntryCode | undefined {
  const entry = fitEntry(event, stamp);
  if (entry === undefined) return undefined;
  const { data, size } = encode(entry.text, { ecc: 'M', border: quietZone });
  return { size, path: pathOf(data), isShortened: entry.isShortened };
}
