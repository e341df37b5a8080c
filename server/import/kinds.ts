import { createReadStream, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { applicationId } from '../../db/open.ts';
import { asUsage, commandProblem, explain } from '../base/errors.ts';
import { startLength, startOf, textOfStart } from '../base/file-start.ts';
import { requireOtherFile } from '../base/home.ts';
import type { ActionTools } from '../club/tools.ts';
import { findCopyInPage } from '../copy/page.ts';
import { findSealedFormat } from '../copy/seal.ts';
import { type FileKind, fileKinds } from './formats.ts';
import { readWholeDays } from './ics/whole-days.ts';
import { sourceAt } from './reading.ts';
import { identify } from './workbook/kind.ts';

/** Maximum sizes in bytes of files that are read whole to tell their kind; larger ones are events. */
const maxSizes = { text: 128 * 1024 * 1024, calendar: 16_000_000 } as const;

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startLength), 0, startLength, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns true for the header of a database of this program (https://sqlite.org/fileformat2.html). */
const isOwnDatabase = (head: Buffer) => head.length >= 72 && head.readInt32BE(68) === applicationId;

/** Returns the first bytes in a compressed file; none if it is damaged there. */
function unpackStart(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // No backup of this program begins like this.
    return Buffer.alloc(0);
  }
}

/** Returns the kind of a workbook or another packed document. */
async function kindOfArchive(path: string): Promise<FileKind> {
  try {
    const { format } = await identify(await readFile(path), basename(path));
    return format === undefined ? 'other' : 'events';
  } catch (error) {
    // The import says how it is damaged.
    if (explain(error) === undefined) throw error;
    return 'other';
  }
}

type Clock = { readonly timeZone: string; readonly now: Date };

/** Returns the kind of a calendar: with a clock, one of whole days only is days off. */
async function kindOfCalendar(path: string, clock: Clock | undefined): Promise<FileKind> {
  if (clock === undefined) return 'events';
  try {
    const { days, timed, unreadable } = await readWholeDays(sourceAt(path), clock);
    return days.length > 0 && timed + unreadable.length === 0 ? 'daysOff' : 'events';
  } catch (error) {
    if (explain(error) === undefined) throw error;
    return 'events';
  }
}

/** Returns the kind of a web page. */
function kindOfPage(page: string): FileKind {
  const found = findCopyInPage(page);
  const isOwn = typeof found === 'object' || (found === 'damaged' && page.includes('data-sha256='));
  return isOwn ? 'copy' : 'other';
}

function kindOfJson(text: string): FileKind {
  const format = findSealedFormat(text);
  if (format !== undefined) return format;
  const start = text.slice(0, startLength);
  return /^\W*\[/.test(start) || /"(?:events|name)"\s*:/.test(start) ? 'events' : 'other';
}

/** Returns true for the start of a text that is not empty, such as that of a table. */
const isText = (start: string) => start.trim() !== '' && !start.includes('\0');

async function readText(path: string): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of createReadStream(path, 'utf8')) pieces.push(String(piece));
  return pieces.join('');
}

/** Returns the kind of an ordinary file by its content. Throws the error of a file that cannot be read. */
async function kindOfFile(path: string, size: number, clock: Clock | undefined): Promise<FileKind> {
  const head = await readStart(path);
  const start = startOf(head);
  switch (start) {
    case 'sqlite':
      return isOwnDatabase(head) ? 'backup' : 'other';
    case 'gzip': {
      const content = unpackStart(head);
      return startOf(content) === 'sqlite' && isOwnDatabase(content) ? 'backup' : 'other';
    }
    case 'zip':
      return size > maxSizes.text ? 'other' : await kindOfArchive(path);
    case 'calendar':
      return size > maxSizes.calendar ? 'events' : await kindOfCalendar(path, clock);
    case 'page':
      return size > maxSizes.text ? 'other' : kindOfPage(await readText(path));
    case 'json':
      return size > maxSizes.text ? 'events' : kindOfJson(await readText(path));
    case 'other':
      return isText(textOfStart(head)) ? 'events' : 'other';
    default:
      return 'other';
  }
}

/**
 * Recognizes a file by its content, whatever its name. A file that cannot be read, a folder and a device
 * are `other`: what is done with it then says why. Without a clock, a calendar is not read.
 */
export async function recognizeFile(path: string, clock?: Clock): Promise<FileKind> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? await kindOfFile(path, stats.size, clock) : 'other';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return 'other';
  }
}

export const FileKinds = z.strictObject({ files: z.array(z.string().min(1)).min(1) });

/** Returns the kinds of files, in their order. Throws `file_is_database` for that of the home. */
export async function listFileKinds(
  { files }: z.output<typeof FileKinds>,
  { home, now, systemTimeZone }: Pick<ActionTools, 'home' | 'now' | 'systemTimeZone'>,
): Promise<{ readonly kinds: readonly FileKind[] }> {
  for (const path of files) requireOtherFile(path, home);
  const clock = { now: now(), timeZone: systemTimeZone() };
  return { kinds: await Promise.all(files.map((path) => recognizeFile(path, clock))) };
}

/**
 * Throws a problem that says what a file is, and where to take it, if it is of one of these kinds. Those
 * for events are for days off, too, so that no calendar has to be read.
 */
export async function requireOtherKinds(
  paths: readonly string[],
  refused: readonly FileKind[],
  { home }: Pick<ActionTools, 'home'>,
): Promise<void> {
  for (const path of paths) {
    requireOtherFile(path, home);
    const kind = refused.length === 0 ? 'other' : await recognizeFile(path);
    const { refusal } = fileKinds[kind];
    if (refusal === undefined || !refused.includes(kind)) continue;
    throw asUsage(commandProblem(refusal, { path }));
  }
}
