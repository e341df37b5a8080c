import type { EventDraft } from '../../../db/model.ts';
import { Problem } from '../../../server/base/errors.ts';
import { createDraftParser } from '../../../server/club/event-draft.ts';
import { reader } from '../../../server/import/csv/reader.ts';
import {
  badSource,
  isEvent,
  type SourceFile,
  type SourceOptions,
} from '../../../server/import/source.ts';
import { type Message, message } from '../../../server/messages/message.ts';
import { wordForCommandLine } from '../../../server/messages/messages.ts';
import { worded } from '../../support/words.ts';

/** The result of reading a file. */
export type Reading = {
  readonly events: readonly EventDraft[];
  readonly places: readonly string[];
  readonly notes: readonly string[];
  readonly ignored: readonly string[];
  /** The number of times the file was opened. */
  readonly opened: number;
};

export type Content = string | Uint8Array;

/** A file that is there each time with the next of the contents, in pieces of `size` bytes. */
function makeSource(
  contents: readonly Content[],
  size = 65_536,
): { file: SourceFile; opened: () => number } {
  let opened = 0;
  const open = async function* open() {
    const content = contents[Math.min(opened, contents.length - 1)] ?? '';
    opened += 1;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  return { file: { name: 'season.csv', open }, opened: () => opened };
}

/** Reads and checks a file as an import does. */
export async function readContents(
  contents: readonly Content[],
  more: Partial<SourceOptions> = {},
  size?: number,
): Promise<Reading> {
  const { file, opened } = makeSource(contents, size);
  const notes: string[] = [];
  const ignored: string[] = [];
  const options: SourceOptions = {
    map: {},
    timeZone: 'UTC',
    now: new Date('2026-01-01T00:00:00.000Z'),
    ignore: (name) => ignored.push(name),
    note: (note) => notes.push(wordForCommandLine(note)),
    ...more,
  };
  const parse = createDraftParser(options.timeZone);
  const events: EventDraft[] = [];
  const places: Message[] = [];
  for await (const records of reader.read(file, options)) {
    for (const record of [...records].filter(isEvent)) {
      if ('problem' in record) throw badSource(file.name, record.place, record.problem);
      const draft = parse(record);
      if ('reason' in draft) {
        const field = record.labels?.[draft.field] ?? '';
        const place = message('place:field_at', { place: record.place, field });
        throw badSource(file.name, place, draft.reason);
      }
      events.push(draft);
      places.push(record.place);
    }
  }
  return {
    events,
    notes,
    ignored,
    opened: opened(),
    // Words for 25,000 places take longer than the reading.
    get places() {
      return places.map(wordForCommandLine);
    },
  };
}

export function read(content: Content, more: Partial<SourceOptions> = {}): Promise<Reading> {
  return readContents([content], more);
}

/** The one sentence that a file is refused with. */
export async function readRefusal(
  content: Content,
  more: Partial<SourceOptions> = {},
): Promise<string> {
  return refusalOf(read(content, more));
}

/** The one sentence that a reading ends with; any other error is thrown on. */
export async function refusalOf(reading: Promise<Reading>): Promise<string> {
  const error = await reading.then(
    ({ events }) => new Error(`${events.length} events were read`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw error;
  return (worded(error) as Error).message;
}

/** The dates of a column of cells, as ISO 8601 in UTC. */
export async function readDates(
  cells: readonly string[],
  more: Partial<SourceOptions> = {},
): Promise<string[]> {
  const rows = cells.map((cell, at) => `Event ${at};"${cell}"`);
  const { events } = await read(['name;date', ...rows].join('\n'), more);
  return events.map(({ date }) => date);
}
