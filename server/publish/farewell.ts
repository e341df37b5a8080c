import type { StoredEvent } from '../../db/model.ts';
import { problem } from '../base/errors.ts';
import { type CopyFacts, readCopyBytes, writeCopy } from '../copy/club-copy.ts';
import { localOptions } from '../export/export.ts';
import { closePage } from '../export/html.ts';
import type { PublishedFile } from '../outside/live-files.ts';

/**
 * Returns the last content of a file with the reason why it is kept up to date no more: for people in
 * a page, and for another computer in the copy. A calendar has no place for it.
 */
export async function addFarewell(
  last: Uint8Array,
  { kind, to }: NonNullable<CopyFacts['farewell']>,
  { format, language, address }: PublishedFile,
): Promise<Uint8Array> {
  const copy = readCopyBytes(last);
  // The last content is always a copy: this program wrote it.
  if (copy === undefined) throw problem('publish_club_gone');
  const { format: _, version: __, digest: ___, answers = [], ...facts } = copy.head;
  const text = writeCopy(copy.events as readonly StoredEvent[], {
    ...{ ...facts, answers },
    farewell: { kind, to },
  });
  if (format === 'json') return Buffer.from(text);
  const { words } = await localOptions({ language }, copy.head.timeZone);
  const { moved, movedElsewhere, gone } = words.membersPage;
  const known = address === null ? movedElsewhere : moved.replace('{{to}}', () => address);
  const page = closePage(Buffer.from(last).toString('utf8'), {
    sentence: kind === 'gone' ? gone : known,
    copy: text,
  });
  return Buffer.from(page);
}
