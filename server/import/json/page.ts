import { findCopyInPage } from '../../copy/page.ts';
import { message } from '../../messages/message.ts';
import type { FormatReader } from '../preview.ts';
import { badSource, type SourceFile } from '../source.ts';
import { reader as jsonReader } from './reader.ts';

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
  const found = findCopyInPage(await readText(file));
  if (found === 'none') throw badSource(file.name, undefined, message('reason:file_is_html'));
  if (found === 'damaged') throw badSource(file.name, undefined, message('reason:page_damaged'));
  const bytes = Buffer.from(found.json);
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
