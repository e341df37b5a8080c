import { encode } from 'uqr';
import { type IcsOptions, writeEntry } from '../../../export/ics.ts';
import type { Event } from '../../../http/contract.ts';

/** Maximum size in octets of a code that a phone can still read from paper. */
const maxOctets = 700;

/** Width of the white border in modules, which scanners need (ISO/IEC 18004). */
const quietZone = 4;

type EntryCode = {
  readonly size: number;
  /** Dark modules as the path of an SVG of `size` × `size`. */
  readonly path: string;
  readonly isShortened: boolean;
};

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

/** Returns an SVG path with one rectangle for each run of dark modules in a row. */
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

/** Creates the QR code of a calendar entry; undefined if even its name and location are too long. */
export function makeEntryCode(event: Event, stamp: EntryStamp): EntryCode | undefined {
  const entry = fitEntry(event, stamp);
  if (entry === undefined) return undefined;
  const { data, size } = encode(entry.text, { ecc: 'M', border: quietZone });
  return { size, path: pathOf(data), isShortened: entry.isShortened };
}

/** A QR code; `name` describes it to screen readers. */
export function CodePicture({ code, name }: { readonly code: EntryCode; readonly name: string }) {
  return (
    <svg
      className="sheet-code"
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={name}
    >
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  );
}
