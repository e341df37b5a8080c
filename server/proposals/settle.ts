import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { findSource } from '../../db/mirror.ts';
import { inTransaction, type Reader, type Writer } from '../../db/open.ts';
import {
  type OwnProposal,
  readFollowedClub,
  readProposals as readOwnProposals,
  readProposers,
  updateProposal,
} from '../../db/proposals.ts';
import { prepareUserReads } from '../../db/users.ts';
import { explain, Problem, packProblem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { withLock } from '../base/lock.ts';
import type { ActionTools } from '../club/tools.ts';
import { dayMs, hourMs, minuteMs } from '../dates/units.ts';
import type { PackedProblem, ProblemCode } from '../messages/message.ts';
import type { FolderEntry } from '../outside/file-process.ts';
import { createId, readHomeId } from '../outside/identity.ts';
import { callOutside } from '../outside/outside-files.ts';
import {
  listOutsideStates,
  outsidePath,
  readOutsideState,
  writeOutsideState,
} from '../outside/state-file.ts';
import { withReader, withWriter } from '../store/store.ts';
import {
  entryForProposals,
  type FoundProposals,
  hasProposalsId,
  listProposals,
  pathForProposals,
  readProposals,
  writeProposals,
} from './proposals-file.ts';

/** A file that this home wrote, or began to write. */
const WrittenFile = z.object({
  folder: z.string(),
  name: z.string(),
  /** The folder without links; absent before the first look. */
  real: z.string().optional(),
  /** The stamp and digest of its content; empty if it has none or was removed. */
  stamp: z.string().default(''),
  sha256: z.string().default(''),
  /** The time at which the content was last read, or the file was removed. */
  readAt: z.string().default(''),
});
type WrittenFile = z.infer<typeof WrittenFile>;

const Outbox = z.object({
  /** The club here, by the random part of its UIDs. */
  club: z.string(),
  /** Random; names the file. */
  id: z.string(),
  /** The id of the home for which the id was made. */
  home: z.string(),
  /** True if proposals were sent before the id was made, perhaps by a home that still exists. */
  isCopy: z.boolean(),
  /** The time of the last comparison, and a digest of what the file should have had. */
  settledAt: z.string().default(''),
  wanted: z.string().default(''),
  /** The number of the last content. */
  number: z.number().default(0),
  written: z.array(WrittenFile).default([]),
  failure: z
    .object({ code: z.string(), values: z.record(z.string(), z.any()) })
    .nullable()
    .default(null),
});
type Outbox = z.infer<typeof Outbox>;

const namePattern = /^followed-[0-9a-f]{16}\.json$/;

/** Returns the name of the file about a club: its UIDs can have any characters. */
function nameOf(uidBase: string, ending: 'json' | 'lock' = 'json'): string {
  return `followed-${hash('sha256', uidBase).slice(0, 16)}.${ending}`;
}

const readOutbox = (home: Home, uidBase: string) => readOutsideState(home, nameOf(uidBase), Outbox);

/** Returns the clubs that have an outbox, by the random part of their UIDs. */
function findOutboxes(home: Home): readonly string[] {
  return listOutsideStates(home)
    .filter((name) => namePattern.test(name))
    .flatMap((name) => readOutsideState(home, name, Outbox)?.club ?? []);
}

/** Returns the reason why the file of a club's proposals is not as it should be. */
export function readOutboxFailure(home: Home, uidBase: string): PackedProblem | null {
  const failure = readOutbox(home, uidBase)?.failure ?? null;
  return failure && { ...failure, code: failure.code as ProblemCode };
}

/** Returns true for a proposal without an answer that was not withdrawn. */
export function isOpen({ answer, withdrawnAt }: OwnProposal): boolean {
  return answer === null && withdrawnAt === null;
}

/** Returns those of them that are for a club. */
export function openFor(club: string, proposals: readonly OwnProposal[]): readonly OwnProposal[] {
  return proposals.filter((each) => isOpen(each) && each.club === club);
}

/** Returns true for a proposal that was sent while its folder was not there. */
const isWaiting = (each: OwnProposal) =>
  isOpen(each) && each.sender !== null && each.sentAt === null;

/** Returns the name of the person at the last sending. */
export function senderOf(all: readonly OwnProposal[]): string | null {
  return all.findLast(({ sender }) => sender !== null)?.sender ?? null;
}

/** A club with what the folder of its followed file should have. */
type Wanted = {
  readonly userId: number;
  readonly uidBase: string;
  /** The path of the followed file; undefined if proposals cannot lie beside it. */
  readonly path: string | undefined;
  readonly club: string;
  readonly proposals: readonly OwnProposal[];
};

function readWanted(db: Reader, userId: number): Wanted {
  const source = findSource(db, userId);
  return {
    userId,
    uidBase: prepareUserReads(db).uidBase(userId),
    path: source?.kind === 'file' ? pathForProposals(source.baseUrl) : undefined,
    club: readFollowedClub(db, userId)?.club ?? '',
    proposals: readOwnProposals(db, userId),
  };
}

/** Reads what one club wants, or all, with those that were removed. */
function readAllWanted(db: Reader, home: Home, userId: number | undefined): readonly Wanted[] {
  if (userId !== undefined) return [readWanted(db, userId)];
  const { idByUidBase } = prepareUserReads(db);
  const boxes = findOutboxes(home).map((uidBase) => ({ uidBase, id: idByUidBase(uidBase) }));
  const ids = new Set([...readProposers(db), ...boxes.flatMap(({ id }) => id ?? [])]);
  const removed = boxes
    .filter(({ id }) => id === undefined)
    .map(({ uidBase }) => ({ userId: 0, uidBase, path: undefined, club: '', proposals: [] }));
  return [...Array.from(ids, (id) => readWanted(db, id)), ...removed];
}

type SettleOptions = {
  /** One club; without it, those with proposals, also of clubs that were removed. */
  readonly userId?: number | undefined;
  /** The same, by the random part of its UIDs. */
  readonly club?: string | undefined;
  /** The connection of the caller, outside of a transaction. */
  readonly db?: Writer | undefined;
  /** True if a person has just chosen to write into this folder, wherever it leads. */
  readonly isChosen?: boolean | undefined;
};

/**
 * Compares the files of proposals with the database, and writes, rewrites or removes them. Returns
 * the failures; what could not be done stays due.
 */
export async function settleOutbox(
  tools: ActionTools,
  { club, userId, db, isChosen }: SettleOptions = {},
): Promise<readonly Problem[]> {
  const { home } = tools;
  const clubs = await readNeeded(home, { db, userId });
  // At the same time, so that a folder that does not answer delays no other.
  const failures = await Promise.all(
    clubs
      .filter((each) => club === undefined || each.uidBase === club)
      .map(({ uidBase }) => settleInTurn(uidBase, tools, { db, userId, isChosen })),
  );
  return failures.filter((failure) => failure !== undefined);
}

/** Reads the clubs that have proposals, or had some. */
async function readNeeded(home: Home, { db, userId }: SettleOptions): Promise<readonly Wanted[]> {
  const read = (reader: Reader) => readAllWanted(reader, home, userId);
  const all = db === undefined ? await withReader(home, read) : read(db);
  return all.filter(
    ({ uidBase, proposals }) => proposals.length > 0 || readOutbox(home, uidBase) !== undefined,
  );
}

/** Settles a club while no other program does. */
async function settleInTurn(
  uidBase: string,
  tools: ActionTools,
  options: SettleOptions,
): Promise<Problem | undefined> {
  const { home, onWait } = tools;
  const { db, isChosen = false } = options;
  const settle = async () => {
    // Within the lock: the last program that writes has read the last change.
    const wanted = (await readNeeded(home, options)).find((each) => each.uidBase === uidBase);
    if (wanted === undefined) return undefined;
    const sentAt = tools.now().toISOString();
    const { sent, failure } = await settleClub(wanted, sentAt, tools, isChosen);
    const mark = (writer: Writer) => markSent(writer, wanted.userId, sent, sentAt);
    if (sent.length > 0) await (db === undefined ? withWriter(home, mark, tools) : mark(db));
    return failure;
  };
  const lock = outsidePath(home, nameOf(uidBase, 'lock'));
  const done = await withLock(lock, { waits: true, onWait }, settle);
  return done === undefined ? problem('place_in_use', { path: lock }) : done.result;
}

/** Notes that proposals are in a file, unless they were withdrawn meanwhile. */
function markSent(db: Writer, userId: number, ids: readonly string[], sentAt: string): void {
  inTransaction(db, () => {
    const waiting = readOwnProposals(db, userId).filter(
      (each) => ids.includes(each.id) && each.sentAt === null,
    );
    for (const each of waiting) updateProposal(db, { ...each, sentAt });
  });
}

/** Settles, and passes failures to `warn`. A folder that is not there only delays. */
export async function settleLater(tools: ActionTools, options: SettleOptions = {}): Promise<void> {
  let failures: readonly Problem[] = [];
  const failure = await findFailure(async () => {
    failures = await settleOutbox(tools, options);
  });
  for (const each of failure === undefined ? failures : [failure]) {
    if (each.code !== 'publish_folder_gone' && each.code !== 'cancelled') tools.warn?.(each);
  }
}

export const SettleProposals = z.strictObject({
  /** One club, by the random part of its UIDs; by default, all. */
  club: z.string().optional(),
});

/** Compares files of proposals with the database, for a running service. */
export async function settleProposals(
  { club }: z.output<typeof SettleProposals>,
  tools: ActionTools,
): Promise<Record<string, never>> {
  await settleLater(tools, { club });
  return {};
}

/** Pause in milliseconds between two tries of a file that failed. */
const retryAfter = minuteMs;

/** Returns a text that differs if the file of a club should have another content, or another path. */
function digestOfWanted({ path = '', club, proposals }: Wanted): string {
  const open = openFor(club, proposals).filter(({ sender }) => sender !== null);
  return hash('sha256', JSON.stringify([path, club, open]));
}

/**
 * Returns the clubs whose files differ from what the database says, or have to be read again, each
 * with its folder, and the paths of all files.
 */
export async function findDueOutboxes(
  home: Home,
  stampOf: (path: string) => string | undefined,
  now: Date,
): Promise<{
  readonly due: readonly { readonly club: string; readonly folder: string }[];
  readonly paths: readonly string[];
}> {
  const clubs = (await readNeeded(home, {})).map((wanted) => {
    const outbox = readOutbox(home, wanted.uidBase);
    const own = wanted.path && outbox ? entryForProposals(wanted.path, outbox.id) : undefined;
    const path = own && join(own.folder, own.name);
    const isOwn = (file: FolderEntry) => file.folder === own?.folder && file.name === own.name;
    return { wanted, outbox, path, stamp: outbox?.written.find(isOwn)?.stamp ?? '' };
  });
  const isDue = ({ wanted, outbox, path, stamp }: (typeof clubs)[number]): boolean => {
    if (outbox === undefined || outbox.wanted !== digestOfWanted(wanted)) return true;
    const age = Math.abs(now.getTime() - Date.parse(outbox.settledAt));
    const isLate = outbox.failure !== null || wanted.proposals.some(isWaiting);
    if (!(age < (isLate ? retryAfter : hourMs))) return true;
    return path !== undefined && (stampOf(path) ?? stamp) !== stamp;
  };
  const due = clubs.filter(isDue).map(({ wanted: { uidBase, path } }) => ({
    club: uidBase,
    folder: path === undefined ? uidBase : dirname(path),
  }));
  return { due, paths: clubs.flatMap(({ path }) => path ?? []) };
}

/** Returns the outbox of a club; one that another home had gets another id. */
function outboxOf({ uidBase, proposals }: Wanted, { home, randomInt }: ActionTools): Outbox {
  const stored = readOutbox(home, uidBase);
  const homeId = readHomeId(home, randomInt);
  if (stored?.home === homeId) return stored;
  const isCopy = stored !== undefined || proposals.some(({ sentAt }) => sentAt !== null);
  return Outbox.parse({ club: uidBase, id: createId(randomInt), home: homeId, isCopy });
}

/** Runs `use`, and returns its failure. */
async function findFailure(use: () => Promise<void>): Promise<Problem | undefined> {
  try {
    await use();
    return undefined;
  } catch (error) {
    const failure = explain(error);
    if (failure === undefined) throw error;
    return failure;
  }
}

/** Days for which a folder is looked at after its file was removed: a sync program may bring it back. */
const watchedDays = 30;

/** Settles a club, and returns the ids of the proposals that were not in a file before. */
async function settleClub(
  wanted: Wanted,
  now: string,
  tools: ActionTools,
  isChosen: boolean,
): Promise<{ readonly sent: readonly string[]; readonly failure: Problem | undefined }> {
  const { uidBase, path, proposals } = wanted;
  const { home, warn } = tools;
  let outbox = outboxOf(wanted, tools);
  const save = (changes: Partial<Outbox>) => {
    outbox = { ...outbox, ...changes };
    if (isDeepStrictEqual(readOutbox(home, uidBase), outbox)) return;
    const isOver = path === undefined && proposals.length === 0 && outbox.written.length === 0;
    writeOutsideState(home, nameOf(uidBase), isOver ? undefined : outbox);
  };
  const own = path === undefined ? undefined : entryForProposals(path, outbox.id);
  const isOwn = (file: FolderEntry) => file.folder === own?.folder && file.name === own.name;
  const withoutOwn = () => outbox.written.filter((each) => !isOwn(each));

  for (const file of withoutOwn()) {
    const { folder, real = folder } = file;
    const failure = await findFailure(async () => {
      const gone = await bringUpToDate({ ...file, folder: real }, null, tools);
      const others = outbox.written.filter((each) => each !== file);
      const isOver = Date.parse(now) - Date.parse(gone.readAt) > watchedDays * dayMs;
      save({ written: isOver ? others : [...others, { ...gone, folder }] });
    });
    if (failure?.code === 'cancelled') throw failure;
    if (failure !== undefined && failure.code !== 'publish_folder_gone') warn?.(failure);
  }
  save({ settledAt: now, wanted: digestOfWanted(wanted) });
  if (own === undefined) return { sent: [], failure: undefined };

  let sent: readonly string[] = [];
  const failure = await findFailure(async () => {
    const before = outbox.written.find(isOwn);
    const real = isChosen ? undefined : before?.real;
    const file = WrittenFile.parse({ ...before, ...own, real });
    const others = await findOthers(file, wanted, outbox, tools);
    const due = openFor(wanted.club, proposals).filter(({ sender }) => sender !== null);
    const isInOther = ({ id }: OwnProposal) =>
      others.some(({ kept }) => kept.some((each) => each.id === id));
    const inFile = outbox.isCopy ? due.filter((each) => !isInOther(each)) : due;
    const { text, number } = composeContent(inFile, wanted, outbox, file, now);
    // Before the file is there, so that it is known also if the program is killed.
    if (text !== null) save({ number, written: [...withoutOwn(), file] });
    const after = await bringUpToDate(file, text, tools);
    const written = before === undefined && text === null ? [] : [after];
    save({ written: [...withoutOwn(), ...written], failure: null });
    sent = due.filter((each) => each.sentAt === null).map(({ id }) => id);
    // Last: until then, no other file may have these proposals.
    for (const each of others) await cleanOther(each, tools);
  });
  if (failure?.code === 'cancelled') throw failure;
  const isRefused = failure !== undefined && failure.code !== 'publish_folder_gone';
  // Those that are sent now change what is wanted, which a later look compares once more.
  save({
    ...{ settledAt: now, wanted: digestOfWanted(wanted) },
    ...(isRefused && { failure: packProblem(failure) }),
  });
  return { sent, failure };
}

/** Composes the file of a club; its text is null if there should be none. */
function composeContent(
  proposals: readonly OwnProposal[],
  { club }: Wanted,
  { id, number }: Outbox,
  { sha256 }: WrittenFile,
  now: string,
): { readonly text: string | null; readonly number: number } {
  if (proposals.length === 0) return { text: null, number };
  const sent = proposals.map((each) => ({ ...each, sentAt: each.sentAt ?? now }));
  const head = { club, sender: senderOf(sent) ?? '', file: id };
  const last = writeProposals({ ...head, number }, sent);
  if (hash('sha256', last) === sha256) return { text: last, number };
  // The time, so that it grows also if the last number is lost.
  const next = Math.max(number + 1, Date.parse(now));
  return { text: writeProposals({ ...head, number: next }, sent), number: next };
}

function write(entry: FolderEntry, text: string, stamp: string, tools: ActionTools) {
  const bytes = Buffer.from(text).toString('base64');
  return callOutside(tools, 'write', entry, bytes, stamp, tools.umask ?? 0o022);
}

/** Gives a file a content, or removes it. Returns its state. */
async function bringUpToDate(
  file: WrittenFile,
  text: string | null,
  tools: ActionTools,
): Promise<WrittenFile> {
  const { found, real } = await callOutside(tools, 'look', file);
  const readAt = tools.now().toISOString();
  if (text === null) {
    if (found.kind !== 'none') await callOutside(tools, 'remove', file, found.stamp);
    const wasGone = file.stamp === '' && file.readAt !== '';
    return { ...file, real, stamp: '', sha256: '', readAt: wasGone ? file.readAt : readAt };
  }
  const sha256 = hash('sha256', text);
  const age = Math.abs(Date.parse(readAt) - Date.parse(file.readAt));
  // Some disks do not notice each change.
  const isKnown = found.stamp === file.stamp && age < hourMs;
  const present = isKnown ? file : await callOutside(tools, 'digest', file);
  if (present?.sha256 === sha256) {
    return { ...file, real, stamp: found.stamp, sha256, readAt: isKnown ? file.readAt : readAt };
  }
  const { stamp } = await write(file, text, found.stamp, tools);
  return { ...file, real, stamp, sha256, readAt };
}

/** Another file with proposals, and those in it that stay. */
type OtherFile = Pick<FoundProposals, 'entry' | 'stamp'> & {
  readonly kept: FoundProposals['content']['proposals'];
  /** The content without the others; null if nothing changes. */
  readonly text: string | null;
};

/**
 * Finds proposals of this computer in files with other names: those of an earlier id or version of
 * the program, and conflict copies.
 */
async function findOthers(
  own: FolderEntry,
  { proposals }: Wanted,
  { id, isCopy }: Outbox,
  tools: ActionTools,
): Promise<readonly OtherFile[]> {
  const known = new Map(proposals.map((each) => [each.id, each]));
  const isStale = (each: { readonly id: string }) => {
    const proposal = known.get(each.id);
    if (proposal === undefined) return false;
    // Another home with the same proposals may still need those without an answer.
    return !isOpen(proposal) || (!isCopy && proposal.sender !== null);
  };
  const files: OtherFile[] = [];
  for (const { entry, stamp } of await listProposals(own, tools)) {
    if (entry.name === own.name) continue;
    if (hasProposalsId(entry.name, id)) {
      files.push({ entry, stamp, kept: [], text: '' });
      continue;
    }
    const found = await readProposals(entry, tools);
    if (found === undefined || found instanceof Problem) continue;
    const { content } = found;
    const kept = content.proposals.filter((each) => !isStale(each));
    const isClean = kept.length === content.proposals.length;
    files.push({
      entry,
      stamp: found.stamp,
      kept,
      text: isClean ? null : writeProposals(content, kept),
    });
  }
  return files;
}

async function cleanOther(
  { entry, stamp, kept, text }: OtherFile,
  tools: ActionTools,
): Promise<void> {
  if (text === null) return;
  if (kept.length === 0) {
    await callOutside(tools, 'remove', entry, stamp);
  } else {
    await write(entry, text, stamp, tools);
  }
}
