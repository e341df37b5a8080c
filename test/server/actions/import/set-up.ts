import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '../../../../db/model.ts';
import type { Writer } from '../../../../db/open.ts';
import { insertUser } from '../../../../db/users.ts';
import { type ImportRequest, importFiles } from '../../../../server/actions/import/import.ts';
import { storedEvents } from '../../../support/events.ts';
import { makeTestFolder, openMemory } from '../../../support/home.ts';

export const now = new Date('2026-06-01T00:00:00.000Z');

type Import = (
  files: Readonly<Record<string, string | Uint8Array>>,
  more?: Partial<ImportRequest>,
) => ReturnType<typeof importFiles>;

/** A user without events, and a way to import texts as files. */
export function setUp(): { db: Writer; stored: () => StoredEvent[]; run: Import } {
  const db = openMemory();
  const userId = insertUser(db, 'Chess', now.toISOString()) ?? 0;
  const folder = makeTestFolder();
  const run: Import = (files, more = {}) => {
    const paths = Object.entries(files).map(([name, content]) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    });
    const plain = { map: {}, dryRun: false, skipBadRows: false, details: false };
    const request = { userId, files: paths, timeZone: 'Europe/Berlin', ...plain, ...more };
    return importFiles(db, request, { now, onProgress: () => undefined });
  };
  const stored = () => storedEvents(db, userId);
  return { db, stored, run };
}
