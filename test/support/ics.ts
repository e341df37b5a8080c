import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { Problem } from '../../server/base/errors.ts';
import { reader } from '../../server/import/ics/reader.ts';
import {
  badSource,
  isEvent,
  type SourceOptions,
  type SourceRecord,
} from '../../server/import/source.ts';
import { type Message, problemMessage } from '../../server/messages/message.ts';
import { wordForCommandLine } from '../../server/messages/messages.ts';

/** The time of every import here. */
export const now = new Date('2026-06-01T00:00:00.000Z');

/** A record with its place in words. */
type PlacedRecord = Omit<SourceRecord, 'place'> & { readonly place: string };

export type Reading = { readonly records: PlacedRecord[]; readonly notes: string[] };

/** Reads `club.ics` in chunks of that many bytes; the first bad event ends it, as in an import. */
export async function readText(
  content: string | Uint8Array,
  { chunk = 65_536, ...more }: { chunk?: number } & Partial<SourceOptions> = {},
): Promise<Reading> {
  const bytes = Buffer.from(content);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
    bytes.subarray(at * chunk, (at + 1) * chunk),
  );
  const notes: string[] = [];
  const records: PlacedRecord[] = [];
  const file = { name: 'club.ics', open: () => Readable.from(chunks) };
  const options = {
    map: {},
    timeZone: 'Europe/Berlin',
    now,
    ignore: () => expect.unreachable('nothing is ignored by name'),
    note: (note: Message) => notes.push(wordForCommandLine(note)),
    ...more,
  };
  for await (const some of reader.read(file, options)) {
    for (const record of [...some].filter(isEvent)) {
      if ('problem' in record) throw badSource(file.name, record.place, record.problem);
      records.push({ ...record, place: wordForCommandLine(record.place) });
    }
  }
  return { records, notes };
}

/** Reads a calendar that is refused, and returns the problem in the words of the command line. */
export async function readRefusal(content: string | Uint8Array): Promise<string> {
  const error: unknown = await readText(content).then(
    () => expect.unreachable('the file was not refused'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw error;
  return wordForCommandLine(problemMessage(error));
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
