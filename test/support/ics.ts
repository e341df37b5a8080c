import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { readIcs } from '../../server/actions/import/ics.ts';
import {
  isRecord,
  type ReadSource,
  type SourceRecord,
} from '../../server/actions/import/source.ts';

/** The time of every import here. */
export const now = new Date('2026-06-01T00:00:00.000Z');

export type Reading = { readonly records: SourceRecord[]; readonly notes: string[] };

/** Reads a calendar that stands in `club.ics`, in chunks of that many bytes. */
export async function readText(
  content: string | Uint8Array,
  { chunk = 65_536, reader = readIcs }: { chunk?: number; reader?: ReadSource } = {},
): Promise<Reading> {
  const bytes = Buffer.from(content);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
    bytes.subarray(at * chunk, (at + 1) * chunk),
  );
  const notes: string[] = [];
  const records: SourceRecord[] = [];
  const file = { name: 'club.ics', open: () => Readable.from(chunks) };
  const options = {
    map: {},
    timeZone: 'Europe/Berlin',
    now,
    ignore: () => expect.unreachable('nothing is ignored by name'),
    note: (sentence: string) => notes.push(sentence),
  };
  for await (const some of reader(file, options)) records.push(...[...some].filter(isRecord));
  return { records, notes };
}

/** A calendar with these lines in it. */
export function calendar(...lines: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

/** An event with these lines, and with others that it needs. */
export function event(...lines: readonly string[]): string {
  const has = (name: string) => lines.some((line) => line.startsWith(name));
  return [
    'BEGIN:VEVENT',
    ...(has('UID') ? [] : ['UID:a@b']),
    ...(has('SUMMARY') ? [] : ['SUMMARY:Run']),
    ...(has('DTSTART') ? [] : ['DTSTART:20260501T180000Z']),
    ...lines,
    'END:VEVENT',
  ].join('\r\n');
}
