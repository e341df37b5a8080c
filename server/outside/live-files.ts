import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { eventTypes } from '../../db/model.ts';
import { fileError, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { writeWholeFile } from '../base/write-file.ts';
import type { MessageValues, ProblemCode } from '../messages/message.ts';
import { readPrivateFile, writePrivateFile } from '../store/private-file.ts';
import type { UpstreamKey } from '../store/upstream-keys.ts';

export const publishFormats = ['ics', 'html', 'json'] as const;

/** The types of a filter: those of events, and none. */
export const filterTypes = [...eventTypes, 'none'] as const;

const Target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string() }),
  z.object({ kind: z.literal('web'), url: z.string(), account: z.string() }),
]);
export type TargetSettings = z.infer<typeof Target>;

/** Returns the place of a file as a text: a path or an address. */
export function placeOf(target: TargetSettings): string {
  return target.kind === 'web' ? target.url : target.path;
}

/** The place of the password of a file: the private file, or the key store or memory of the window. */
export const KeyStore = z.enum(['file', 'system', 'run']).default('file');

const problemData = {
  code: z.string().transform((code) => code as ProblemCode),
  values: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .transform((v): MessageValues => v),
};

/** The last check of the address for members. */
const AddressCheck = z.object({
  /** The time of the last answer; null if there was none. */
  checkedAt: z.string().nullable(),
  nextAt: z.string(),
  failure: z.object(problemData).nullable(),
});
export type AddressCheck = z.infer<typeof AddressCheck>;

const Failure = z.object({
  ...problemData,
  /** The first of the failures that follow each other without a success. */
  since: z.string(),
  attempts: z.number(),
  /** Null for a failure that only a person can end. */
  nextAt: z.string().nullable(),
});
export type Failure = z.infer<typeof Failure>;

/** The last writing, so that the next one knows its own file and what has changed since. */
const Written = z.object({
  /** The time of the last successful writing. */
  at: z.string().nullable(),
  /** The time at which the file was last known to be up to date. */
  checkedAt: z.string().nullable(),
  /** The revision of the club and its name, which the file has. */
  revision: z.string().nullable(),
  /** The time that the file names. */
  asOf: z.string().nullable(),
  /** Digests of the last contents, the newest first: a sync program may bring back an older one. */
  digests: z.array(z.string()),
  /** The length of a content whose writing began and did not end. */
  begun: z.number().nullable(),
  /** The number of events. */
  events: z.number(),
  /** The digest and the time of the last change of each event in a calendar, by its id. */
  changes: z.record(z.string(), z.tuple([z.string(), z.number()])),
});
export type Written = z.infer<typeof Written>;

const PublishedFile = z.object({
  id: z.number(),
  /** The club by the random part of its UIDs: a restored backup may have other ids. */
  club: z.string(),
  format: z.enum(publishFormats),
  search: z.string(),
  types: z.array(z.enum(filterTypes)),
  drafts: z.boolean(),
  language: z.string(),
  target: Target,
  keyStore: KeyStore,
  /** The address at which members read the file without a password. */
  address: z.string().nullable(),
  /** False for a file whose code the print view does not offer. */
  onSheets: z.boolean().default(true),
  /** Null before the first check. */
  addressCheck: AddressCheck.nullable().default(null),
  written: Written,
  failure: Failure.nullable(),
});
export type PublishedFile = z.infer<typeof PublishedFile>;

const Stored = z.object({ lastId: z.number(), files: z.array(PublishedFile) });
type Stored = z.infer<typeof Stored>;

export const nothingWritten: Written = {
  at: null,
  checkedAt: null,
  revision: null,
  asOf: null,
  digests: [],
  begun: null,
  events: 0,
  changes: {},
};

function readStored({ published: path }: Home): Stored {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { lastId: 0, files: [] };
    throw fileError(error, path);
  }
  try {
    return Stored.parse(JSON.parse(text));
  } catch (error) {
    throw problem('publish_list_damaged', { path }, error);
  }
}

/** Reads the files that are kept up to date, in the order in which they were added. */
export function readPublishedFiles(home: Home): readonly PublishedFile[] {
  return readStored(home).files;
}

/** Stores a file in place of the one with its id. Call it, as the others, under the lock. */
export function storePublishedFile(home: Home, file: PublishedFile): void {
  const { lastId, files } = readStored(home);
  const isKnown = files.some(({ id }) => id === file.id);
  const next = isKnown
    ? files.map((each) => (each.id === file.id ? file : each))
    : [...files, file];
  const stored: Stored = { lastId: Math.max(lastId, file.id), files: next };
  writeWholeFile(home.published, [`${JSON.stringify(stored)}\n`]);
}

/** Returns the id of the next file; an id is never given twice. */
export function nextFileId(home: Home): number {
  return readStored(home).lastId + 1;
}

/** Removes a file from the list, and its password. */
export function forgetPublishedFile(home: Home, id: number): void {
  const { lastId, files } = readStored(home);
  const stored: Stored = { lastId, files: files.filter((file) => file.id !== id) };
  writeWholeFile(home.published, [`${JSON.stringify(stored)}\n`]);
  storePassword(home, id, undefined);
}

/** A password with the only address to which it may be sent. */
const Passwords = z.record(z.string(), z.strictObject({ url: z.string(), password: z.string() }));

function readPasswords(home: Home): z.infer<typeof Passwords> {
  const text = readPrivateFile(home.publishPasswords, 'publish_passwords_open');
  if (text === undefined) return {};
  try {
    return Passwords.parse(JSON.parse(text));
  } catch {
    // Without the cause, which could quote a password.
    throw problem('publish_passwords_damaged', { path: home.publishPasswords });
  }
}

/** Stores the password of a file, or removes it. */
export function storePassword(
  home: Home,
  id: number,
  password: { readonly url: string; readonly password: string } | undefined,
): void {
  const { [id]: _, ...others } = readPasswords(home);
  if (password === undefined && _ === undefined) return;
  writePrivateFile(home.publishPasswords, password ? { ...others, [id]: password } : others);
}

/** Stores the password of a file, or removes one for which the window or nobody has a place now. */
export function storeNewPassword(home: Home, file: PublishedFile, password: string): void {
  const { id, target, keyStore } = file;
  const isHere = target.kind === 'web' && keyStore === 'file';
  storePassword(home, id, isHere ? { url: target.url, password } : undefined);
}

/**
 * Returns the number under which the window keeps the password of a file. Its key store is also that
 * of online services, whose numbers are positive.
 */
export function keyNumberOf(id: number): number {
  return -id;
}

type PasswordTools = {
  readonly home: Home;
  /** Keys and passwords that this program has in memory. */
  readonly upstreamKeys?: ReadonlyMap<number, UpstreamKey> | undefined;
};

/**
 * Returns the password of a file for an address. Throws `publish_password_missing`, or `_elsewhere`
 * if only the window has it.
 */
export function requirePassword(
  { id, keyStore }: Pick<PublishedFile, 'id' | 'keyStore'>,
  url: string,
  { home, upstreamKeys }: PasswordTools,
): string {
  const { host } = new URL(url);
  if (keyStore === 'file') {
    const stored = readPasswords(home)[id];
    if (stored?.url === url) return stored.password;
  } else {
    if (upstreamKeys === undefined) throw problem('publish_password_elsewhere', { host });
    const stored = upstreamKeys.get(keyNumberOf(id));
    if (stored?.url === url) return stored.key;
  }
  throw problem('publish_password_missing', { host });
}
