import { rmSync } from 'node:fs';
import { z } from 'zod';
import { filterTypes } from '../../db/model.ts';
import { problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { writeWholeFile } from '../base/write-file.ts';
import type { MessageValues, ProblemCode } from '../messages/message.ts';
import { readPrivateFile, writePrivateFile } from '../store/private-file.ts';
import { KeyStore, type UpstreamKey } from '../store/upstream-keys.ts';
import {
  outsidePath,
  readIfThere,
  readList,
  readOutsideState,
  writeOutsideState,
} from './state-file.ts';

export const publishFormats = ['ics', 'html', 'json'] as const;

const Target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string() }),
  z.object({ kind: z.literal('web'), url: z.string(), account: z.string() }),
]);
export type TargetSettings = z.infer<typeof Target>;

/** Returns the address of a file as a text: a path or a URL. */
export function addressOf(target: TargetSettings): string {
  return target.kind === 'web' ? target.url : target.path;
}

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
  /** The last time at which the newest state of the file was seen there. */
  seenAt: z.string().nullable().default(null),
});
export type AddressCheck = z.infer<typeof AddressCheck>;

export const Failure = z.object({
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
  /** The time at which the file was last read and found up to date. */
  checkedAt: z.string().nullable(),
  /** The revision of the club and its name, which the file has. */
  revision: z.string().nullable(),
  /** The time that the file names. */
  asOf: z.string().nullable(),
  /** Digests of the last contents, the newest first: a sync program may bring back an older one. */
  digests: z.array(z.string()),
  /** The number of events. */
  events: z.number(),
  /** The size of the file; 0 before a version of this program that stores it has written it. */
  bytes: z.number().default(0),
  /** The stamp of the file in a folder when it was last found up to date. */
  stamp: z.string().nullable().default(null),
  /** The folder without links when a person chose it; null before the first writing. */
  real: z.string().nullable().default(null),
});
export type Written = z.infer<typeof Written>;

/** The state of a file, which only the program that writes it changes. */
const State = z.object({
  written: Written,
  failure: Failure.nullable(),
  /** Null before the first check. */
  addressCheck: AddressCheck.nullable().default(null),
});
type State = z.infer<typeof State>;

/** The digest and the time of the last change of each event in a calendar, by its id. */
const Changes = z.record(z.string(), z.tuple([z.string(), z.number()]));
export type Changes = z.infer<typeof Changes>;

/** The last word of a file that is kept up to date no more. */
const Farewell = z.object({
  /** `moved`: the file has another address. `gone`: its club was removed. */
  kind: z.enum(['moved', 'gone']),
  /** The path or address of a file that moved; empty for the other kind. */
  to: z.string(),
  since: z.string(),
});

const sinceError = { error: 'publish_since_invalid' satisfies ProblemCode };
/** When the events of a file begin: on a day, with the season before the present one, or with the first. */
export const Since = z.union([z.enum(['season', 'all']), z.iso.date(sinceError)], sinceError);

/** The choices of a person. */
const Settings = z.object({
  id: z.number(),
  /** The club by the random part of its UIDs: a restored backup may have other ids. */
  club: z.string(),
  format: z.enum(publishFormats),
  search: z.string(),
  types: z.array(z.enum(filterTypes)),
  drafts: z.boolean(),
  /** The number of the team whose events it has; null for no team. Another name of the team changes nothing. */
  team: z.number().nullable().default(null),
  /** Files of earlier versions have all events. */
  since: Since.default('all'),
  language: z.string(),
  target: Target,
  keyStore: KeyStore,
  /** The address at which members read the file without a password. */
  address: z.string().nullable(),
  /** False for a file whose code the print view does not offer. */
  onSheets: z.boolean().default(true),
  /** Null for a file that is kept up to date. */
  farewell: Farewell.nullable().default(null),
});
type Settings = z.infer<typeof Settings>;

export type PublishedFile = Settings & State;

/** Earlier versions of the program had the states, with their changes, in the list. */
const StateInList = State.extend({ written: Written.extend({ changes: Changes }) });

const inList = z.unknown().optional();

const Stored = z.object({
  lastId: z.number(),
  files: z.array(Settings.extend({ written: inList, failure: inList, addressCheck: inList })),
});

export const nothingWritten: Written = {
  at: null,
  checkedAt: null,
  revision: null,
  asOf: null,
  digests: [],
  events: 0,
  bytes: 0,
  stamp: null,
  real: null,
};

/** A file that nobody has chosen or written yet. */
export const noFile = {
  id: 0,
  target: { kind: 'folder', path: '' },
  keyStore: 'run',
  address: null,
  onSheets: true,
  farewell: null,
  written: nothingWritten,
  failure: null,
  addressCheck: null,
} as const satisfies Partial<PublishedFile>;

/** Parts of a file's state that have a file of their own in the data directory. */
type Part = 'state.json' | 'changes.json' | 'content' | 'former' | 'lock';

/** Returns the name of a part of a file's state. */
export function partName(id: number, part: Part): string {
  return `live-${id}.${part}`;
}

function readStored({ published }: Home): z.infer<typeof Stored> {
  return readList(published, Stored, 'publish_list_damaged') ?? { lastId: 0, files: [] };
}

type StoredFile = z.infer<typeof Stored>['files'][number];

function withState(home: Home, { written, failure, addressCheck, ...settings }: StoredFile) {
  const stored = readOutsideState(home, partName(settings.id, 'state.json'), State);
  const earlier = () => StateInList.safeParse({ written, failure, addressCheck }).data;
  const empty = { written: nothingWritten, failure: null, addressCheck: null };
  return { ...settings, ...(stored ?? earlier() ?? empty) };
}

/** Reads the files that are kept up to date, in the order in which they were added. */
export function readPublishedFiles(home: Home): readonly PublishedFile[] {
  return readWithFarewells(home).filter(({ farewell }) => farewell === null);
}

/** Reads the same files, and those that only say why they are kept up to date no more. */
export function readWithFarewells(home: Home): readonly PublishedFile[] {
  return readStored(home).files.map((file) => withState(home, file));
}

/** Writes the list, after the states that an earlier version had in it. */
function writeList(home: Home, lastId: number, files: readonly StoredFile[]): void {
  for (const file of files) {
    const { data } = StateInList.safeParse(file);
    if (data === undefined) continue;
    const { written, ...others } = data;
    const { changes, ...rest } = written;
    storeChanges(home, file.id, changes);
    writeOutsideState(home, partName(file.id, 'state.json'), { ...others, written: rest });
  }
  const settings = files.map((file) => Settings.parse(file));
  writeWholeFile(home.published, [`${JSON.stringify({ lastId, files: settings })}\n`]);
}

/** Stores the settings of a file in place of those with its id. Call it under the lock of the list. */
export function storeSettings(home: Home, file: Settings): void {
  const { lastId, files } = readStored(home);
  const isKnown = files.some(({ id }) => id === file.id);
  const { written, failure, addressCheck } = files.find(({ id }) => id === file.id) ?? {};
  const next = { ...Settings.parse(file), written, failure, addressCheck };
  const all = isKnown ? files.map((each) => (each.id === file.id ? next : each)) : [...files, next];
  writeList(home, Math.max(lastId, file.id), all);
}

/** Stores the state of a file. Call it under the lock of the file. */
export function storeState(home: Home, file: PublishedFile): void {
  const name = partName(file.id, 'state.json');
  // Before the first state, so that the changes in a list of an earlier version are not lost.
  if (readOutsideState(home, name, State) === undefined) {
    storeChanges(home, file.id, readChanges(home, file.id));
  }
  writeOutsideState(home, name, State.parse(file));
}

/** Reads the changes of the events in a calendar. */
export function readChanges(home: Home, id: number): Changes {
  const stored = readOutsideState(home, partName(id, 'changes.json'), Changes);
  if (stored !== undefined) return stored;
  const file = readStored(home).files.find((each) => each.id === id);
  return StateInList.safeParse(file).data?.written.changes ?? {};
}

export function storeChanges(home: Home, id: number, changes: Changes): void {
  writeOutsideState(home, partName(id, 'changes.json'), changes);
}

/** Stores a content before it is written, beside the last one. */
export function keepContent(home: Home, id: number, bytes: Uint8Array): void {
  const [present] = readContents(home, id);
  if (present !== undefined && Buffer.compare(present, bytes) === 0) return;
  if (present !== undefined) writeWholeFile(outsidePath(home, partName(id, 'former')), [present]);
  writeWholeFile(outsidePath(home, partName(id, 'content')), [bytes]);
}

/** Reads the last two contents, the newer one first. */
export function readContents(home: Home, id: number): readonly Buffer[] {
  const parts = ['content', 'former'] as const;
  return parts.flatMap((part) => readIfThere(outsidePath(home, partName(id, part))) ?? []);
}

/** Returns the id of the next file; an id is never given twice. */
export function nextFileId(home: Home): number {
  return readStored(home).lastId + 1;
}

/** Removes a file from the list, with its state and its password. */
export function forgetPublishedFile(home: Home, id: number): void {
  const { lastId, files } = readStored(home);
  writeList(
    home,
    lastId,
    files.filter((file) => file.id !== id),
  );
  for (const part of ['state.json', 'changes.json', 'content', 'former'] as const) {
    rmSync(outsidePath(home, partName(id, part)), { force: true });
  }
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
function storePassword(
  home: Home,
  id: number,
  password: { readonly url: string; readonly password: string } | undefined,
): void {
  const { [id]: _, ...others } = readPasswords(home);
  if (password === undefined && _ === undefined) return;
  writePrivateFile(home.publishPasswords, password ? { ...others, [id]: password } : others);
}

/** Stores the password of a file, or removes one that only the window, or nobody, can keep now. */
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
