import { hash } from 'node:crypto';
import { message } from '../../messages/message.ts';
import type { FormatReader } from '../preview.ts';
import { badSource, type SourceFile } from '../source.ts';
import { reader as jsonReader } from './reader.ts';

/** The start of the events in a page for members, with the digest of their text. */
const startPattern = /<script type="application\/json" id="events" data-sha256="([0-9a-f]*)">/;
const end = '</script>';

/** Maximum size of a page in bytes: twice that of a document, as it shows its events, too. */
const maxLength = 128 * 1024 * 1024;

async function readText({ name, open }: SourceFile): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of open()) {
    length += piece.length;
    if (length > maxLength) {
      const values = { limit: maxLength / 1024 / 1024 };
      throw badSource(name, undefined, message('reason:json_too_large', values));
    }
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString('utf8');
}

/**
 * Returns the JSON in a page for members as a file. Throws `file_refused` for a page without events,
 * or with one byte of them that differs.
 */
async function openEvents(file: SourceFile): Promise<SourceFile> {
  const text = await readText(file);
  const found = startPattern.exec(text);
  if (found === null) {
    // Every page of this program ends like this; the start may be cut off or damaged.
    const isOwn = text.includes('id="calendar"') || text.includes('data-sha256=');
    const reason = isOwn ? message('reason:page_damaged') : message('reason:file_is_html');
    throw badSource(file.name, undefined, reason);
  }
  const from = found.index + found[0].length;
  const to = text.indexOf(end, from);
  const json = text.slice(from, to);
  if (to === -1 || hash('sha256', json) !== found[1]) {
    throw badSource(file.name, undefined, message('reason:page_damaged'));
  }
  const bytes = Buffer.from(json);
  return {
    name: file.name,
    open: async function* open() {
      yield bytes;
    },
  };
}

/** Reads the events in a page for members, which an export wrote as HTML. */
export const reader: FormatReader = {
  async *read(file, options) {
    yield* jsonReader.read(await openEvents(file), options);
  },
  async preview(file, options, maxRows) {
    return await jsonReader.preview(await openEvents(file), options, maxRows);
  },
};
