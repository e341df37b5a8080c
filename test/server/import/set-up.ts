import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '../../../db/model.ts';
import type { Writer } from '../../../db/open.ts';
import { insertUser } from '../../../db/users.ts';
import { type ImportRequest, importFiles } from '../../../server/import/import.ts';
import type { ImportReport } from '../../../server/import/report.ts';
import type { Message } from '../../../server/messages/message.ts';
import { wordForCommandLine } from '../../../server/messages/messages.ts';
import { storedEvents } from '../../support/events.ts';
import { makeTestFolder, openMemory } from '../../support/home.ts';
import { worded } from '../../support/words.ts';

export const now = new Date('2026-06-01T00:00:00.000Z');

/** A value with its messages in the words of the command line. */
export type Worded<T> = T extends Message
  ? string
  : T extends (infer Item)[] | readonly (infer Item)[]
    ? Worded<Item>[]
    : T extends object
      ? { [Key in keyof T]: Worded<T[Key]> }
      : T;

export function wordAll<T>(value: T): Worded<T>;
export function wordAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wordAll);
  if (typeof value !== 'object' || value === null) return value;
  if ('key' in value) return wordForCommandLine(value as Message);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, wordAll(part)]));
}

type Import = (
  files: Readonly<Record<string, string | Uint8Array>>,
  more?: Partial<ImportRequest>,
) => Promise<ImportReport>;

type SetUp = { db: Writer; stored: () => StoredEvent[]; run: Import };

/** A user without events, and a way to import texts as files. */
export function setUp(): SetUp {
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

type WordedImport = (...args: Parameters<Import>) => Promise<Worded<ImportReport>>;

/** Sets up like `setUp`, with reports and errors in the words of the command line. */
export function setUpInWords(): Omit<SetUp, 'run'> & { run: WordedImport } {
  const { run, ...rest } = setUp();
  const runInWords: WordedImport = async (...args) => {
    try {
      return wordAll(await run(...args));
    } catch (error) {
      throw worded(error);
    }
  };
  return { ...rest, run: runInWords };
}
