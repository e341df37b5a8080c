import { z } from 'zod';
import { filterTypes, type StoredEvent } from '../../db/model.ts';
import type { Reader } from '../../db/open.ts';
import { readTeams } from '../../db/teams.ts';
import { prepareUserReads } from '../../db/users.ts';
import { problem } from '../base/errors.ts';
import { withLock } from '../base/lock.ts';
import { requireTeam } from '../club/team-actions.ts';
import { type ActionTools, isLanguageTag } from '../club/tools.ts';
import { requireUser, UserName } from '../club/user-actions.ts';
import type { PackedProblem, ProblemCode } from '../messages/message.ts';
import {
  addressOf,
  forgetPublishedFile,
  noFile,
  type PublishedFile,
  publishFormats,
  readPublishedFiles,
  readWithFarewells,
  Since,
  storeNewPassword,
  storeSettings,
  type Written,
} from '../outside/live-files.ts';
import { withReader } from '../store/store.ts';
import { KeyStore } from '../store/upstream-keys.ts';
import { checkAddress, findDueAddresses } from './address-check.ts';
import { composeContent, readEvents } from './content.ts';
import {
  findDueFiles,
  isBehind,
  isOver,
  publishFile,
  readRevisions,
  withFileLock,
} from './publish.ts';

/** The state of a file for people. */
export type FileStatus = Pick<
  PublishedFile,
  | 'id'
  | 'format'
  | 'search'
  | 'types'
  | 'drafts'
  | 'since'
  | 'target'
  | 'keyStore'
  | 'address'
  | 'onSheets'
> & {
  /** The name of the club; null if it is gone. */
  readonly user: string | null;
  /** The name of the team whose events it has; null without one, and empty for one that is gone. */
  readonly team: string | null;
  readonly events: number;
  /** The size of the file in bytes; 0 if it is not known. */
  readonly bytes: number;
  /** True for a calendar or a page that some programs and services do not read to its end. */
  readonly isLarge: boolean;
  /** `behind`: the club has changed since, and the next writing has not failed. */
  readonly state: 'current' | 'behind' | 'failed';
  /** The time of the last successful writing. */
  readonly writtenAt: string | null;
  /** The last check of the address for members; null before the first one. */
  readonly addressCheck: {
    readonly checkedAt: string | null;
    readonly problem: PackedProblem | null;
    /** The last time at which members got the newest state there. */
    readonly seenAt: string | null;
  } | null;
  readonly checkedAt: string | null;
  readonly failure: {
    readonly problem: PackedProblem;
    readonly since: string;
    /** Null if only a person can end it. */
    readonly nextAt: string | null;
  } | null;
};

function describeFailure({ failure }: PublishedFile): FileStatus['failure'] {
  if (failure === null) return null;
  const { code, values, since, nextAt } = failure;
  return { problem: { code, values }, since, nextAt };
}

/** More than this, and some programs and services stop reading a calendar without a word. */
const largest = { bytes: 900_000, events: 1_000 };

/** Returns true for a calendar or a page that some programs and services do not read to its end. */
function isLarge(
  format: PublishedFile['format'],
  { bytes, events }: Pick<Written, 'bytes' | 'events'>,
): boolean {
  return format !== 'json' && (bytes > largest.bytes || events > largest.events);
}

export async function describeFiles(
  files: readonly PublishedFile[],
  tools: ActionTools,
): Promise<FileStatus[]> {
  if (files.length === 0) return [];
  const revisions = await readRevisions(files, tools);
  const clubs = await withReader(tools.home, (db) => {
    const users = prepareUserReads(db);
    return new Map(
      users.all().map(({ id, name }) => [users.uidBase(id), { name, teams: readTeams(db, id) }]),
    );
  });
  return files.map((file) => {
    const { id, format, search, types, drafts, target, keyStore, address, written } = file;
    const { addressCheck: check, onSheets, team, since } = file;
    const club = clubs.get(file.club);
    const failure = describeFailure(file);
    const behind = isBehind(file, revisions.get(id)) ? 'behind' : 'current';
    return {
      ...{ id, format, search, types, drafts, since, target, keyStore, address, onSheets },
      user: club?.name ?? null,
      team: team === null ? null : (club?.teams.find((one) => one.id === team)?.name ?? ''),
      events: written.events,
      bytes: written.bytes,
      isLarge: isLarge(format, written),
      state: failure === null ? behind : 'failed',
      writtenAt: written.at,
      addressCheck: check && {
        checkedAt: check.checkedAt,
        problem: check.failure,
        seenAt: check.seenAt,
      },
      checkedAt: written.checkedAt,
      failure,
    };
  });
}

/** Runs `use` while no other program changes the list of files. Throws `publish_busy`. */
export async function withListLock<T>(
  { home, onWait }: ActionTools,
  use: () => Promise<T>,
): Promise<T> {
  const done = await withLock(home.publishLock, { waits: true, onWait }, use);
  if (done === undefined) throw problem('publish_busy');
  return done.result;
}

/** Runs `use` with the present state of a file while no other program writes it. Throws `publish_busy`. */
export async function withFile<T>(
  id: number,
  tools: ActionTools,
  use: (file: PublishedFile) => Promise<T>,
): Promise<T> {
  const run = async () => ({ result: await use(requireFile(id, tools)) });
  const done = await withFileLock({ id }, tools, { waits: true }, run);
  if (done === undefined) throw problem('publish_busy');
  return done.result;
}

export const Password = z.string().max(1_000);

/** The choice of events. */
export const filter = {
  /** Words that the events must have, as in the search of the window. */
  search: z.string().max(1_000).default(''),
  types: z
    .array(z.enum(filterTypes, { error: 'publish_type_unknown' satisfies ProblemCode }))
    .default([]),
  drafts: z.boolean().default(false),
  /** The name of a team; empty for all events. */
  team: z.string().default(''),
  since: Since.default('all'),
};

/** Returns the number of the team of a file; null for an empty name. Throws `team_unknown`. */
export function teamIdOf(db: Reader, userId: number, user: string, name: string): number | null {
  return name === '' ? null : requireTeam(db, userId, user, name).id;
}

export const PreviewPublished = z.strictObject({ user: UserName, ...filter });

type Preview = {
  readonly events: number;
  /** The number of all events of the club, with drafts. */
  readonly all: number;
  /** The next upcoming ones, at most five. */
  readonly next: readonly StoredEvent[];
};

/** Returns the events that a file would have. */
export function previewPublished(
  { user, team, ...choice }: z.output<typeof PreviewPublished>,
  tools: ActionTools,
): Promise<Preview> {
  const { home, now } = tools;
  return withReader(home, (db) => {
    const userId = requireUser(db, user);
    const ofTeam = { ...choice, team: teamIdOf(db, userId, user, team) };
    const events = readEvents(db, userId, ofTeam, false, tools);
    const today = now().toISOString().slice(0, 10);
    const next = events
      .filter(({ date }) => date >= today)
      .slice(0, 5)
      .map(({ sourceKey, ...event }) => event);
    return { events: events.length, all: prepareUserReads(db).countEvents(userId), next };
  });
}

export const MeasurePublished = z.strictObject({
  user: UserName,
  format: z.enum(publishFormats),
  language: z.string().refine(isLanguageTag, 'Not a language tag such as de-AT.'),
  search: filter.search,
  types: filter.types,
  drafts: filter.drafts,
  team: filter.team,
  /** The first days among which a person chooses. */
  periods: z.array(Since).max(10),
});

/** The size of a file that begins on one of several days. */
type Measured = Pick<FileStatus, 'since' | 'events' | 'bytes' | 'isLarge'>;

/** Composes a file from each of several first days on, and returns the sizes. */
export async function measurePublished(
  { user, format, language, periods, ...choice }: z.output<typeof MeasurePublished>,
  tools: ActionTools,
): Promise<{ periods: readonly Measured[] }> {
  const { club, team } = await withReader(tools.home, (db) => {
    const userId = requireUser(db, user);
    const uidBase = prepareUserReads(db).uidBase(userId);
    return { club: uidBase, team: teamIdOf(db, userId, user, choice.team) };
  });
  const measure = async (since: PublishedFile['since']): Promise<Measured> => {
    const file = { ...noFile, ...choice, club, format, language, team, since };
    const { bytes, events } = await composeContent(file, tools);
    const size = { bytes: bytes.length, events };
    return { since, ...size, isLarge: isLarge(format, size) };
  };
  const measured: Measured[] = [];
  // One after the other, as each has a whole file in memory.
  for (const since of periods) measured.push(await measure(since));
  return { periods: measured };
}

export const ListPublished = z.strictObject({ user: UserName.optional() });

export async function listPublished(
  { user }: z.output<typeof ListPublished>,
  tools: ActionTools,
): Promise<{ files: FileStatus[] }> {
  if (user !== undefined) await withReader(tools.home, (db) => requireUser(db, user));
  const files = await describeFiles(readPublishedFiles(tools.home), tools);
  return { files: files.filter((file) => user === undefined || file.user === user) };
}

export const Id = z.number().int().positive();

/** Returns a file by its id. Throws `publish_unknown`. */
export function requireFile(id: number, { home }: ActionTools): PublishedFile {
  const file = readPublishedFiles(home).find((each) => each.id === id);
  if (file !== undefined) return file;
  throw problem('publish_unknown', { id });
}

export const PublishNow = z.strictObject({
  id: Id.optional(),
  /** Replaces a file that others changed. */
  replace: z.boolean().default(false),
});

/** Writes a file now, or all of them. */
export async function publishNow(
  { id, replace }: z.output<typeof PublishNow>,
  tools: ActionTools,
): Promise<{ files: FileStatus[] }> {
  const files = id === undefined ? readPublishedFiles(tools.home) : [requireFile(id, tools)];
  // At the same time, so that a target that does not answer delays no other.
  const write = (file: PublishedFile) => publishFile(file, tools, { replaces: replace });
  const done = await Promise.all(files.map((file) => withFile(file.id, tools, write)));
  return { files: await describeFiles(done, tools) };
}

export const ChangePublishPassword = z.strictObject({
  id: Id,
  password: Password,
  keyStore: KeyStore,
});

/** Writes a file with another password and stores it if the web space accepts it. */
export function changePublishPassword(
  { id, password, keyStore }: z.output<typeof ChangePublishPassword>,
  tools: ActionTools,
): Promise<{ files: FileStatus[] }> {
  const change = async (file: PublishedFile) => {
    if (file.target.kind !== 'web') throw problem('publish_no_password', { id });
    const done = await publishFile(file, tools, { password });
    if (done.failure?.code === 'publish_password_refused') {
      return { files: await describeFiles([done], tools) };
    }
    const changed = { ...done, keyStore };
    storeSettings(tools.home, changed);
    storeNewPassword(tools.home, changed, password);
    return { files: await describeFiles([changed], tools) };
  };
  return withListLock(tools, () => withFile(id, tools, change));
}

export const RemovePublished = z.strictObject({ id: Id });

/** Stops to keep a file up to date. The file stays where it is. */
export function removePublished(
  { id }: z.output<typeof RemovePublished>,
  tools: ActionTools,
): Promise<{ id: number; place: string }> {
  const remove = async ({ target }: PublishedFile) => {
    forgetPublishedFile(tools.home, id);
    return { id, place: addressOf(target) };
  };
  return withListLock(tools, () => withFile(id, tools, remove));
}

export const CheckAddresses = z.strictObject({ user: UserName });

/** Checks the addresses for members of a club now, and lists its files. */
export async function checkAddresses(
  { user }: z.output<typeof CheckAddresses>,
  tools: ActionTools,
): Promise<{ files: FileStatus[] }> {
  const club = await withReader(tools.home, (db) =>
    prepareUserReads(db).uidBase(requireUser(db, user)),
  );
  for (const file of readPublishedFiles(tools.home)) {
    if (file.club !== club || file.address === null) continue;
    await withFile(file.id, tools, (present) => checkAddress(present, tools));
  }
  return await listPublished({ user }, tools);
}

export const TickPublished = z.strictObject({
  isWake: z.boolean().default(false),
  /** The only file; by default, all. */
  id: Id.optional(),
  /** True to compare this file with its target also if nothing here says that it is due. */
  isDue: z.boolean().default(false),
});

/**
 * Writes the files that are due, and checks the addresses for members. Does nothing for a file that
 * another program writes. Failures are stored, and passed to `warn`.
 */
export async function tickPublished(
  { isWake, id, isDue }: z.output<typeof TickPublished>,
  tools: ActionTools,
): Promise<{ files: number }> {
  const isMeant = (file: PublishedFile) => id === undefined || id === file.id;
  const files = readWithFarewells(tools.home).filter(isMeant);
  const due = isDue
    ? files
    : findDueFiles(files, await readRevisions(files, tools), tools.now(), { isWake });
  const write = async (file: PublishedFile) => {
    if (isOver(file, tools.now())) {
      await withListLock(tools, async () => forgetPublishedFile(tools.home, file.id));
      return;
    }
    const { failure } = await publishFile(file, tools);
    if (failure !== null) tools.warn?.(problem(failure.code, failure.values));
  };
  const addresses = findDueAddresses(files, tools.now());
  const check = async (file: PublishedFile) => {
    const failure = await checkAddress(file, tools);
    if (failure !== undefined) tools.warn?.(failure);
  };
  const run = (file: PublishedFile, use: typeof write) =>
    withFileLock(file, tools, { waits: false }, async () => {
      // Another program may have written or removed it meanwhile.
      const present = readWithFarewells(tools.home).find((each) => each.id === file.id);
      if (present !== undefined) await use(present);
    });
  await Promise.all(due.map((file) => run(file, write)));
  await Promise.all(addresses.map((file) => run(file, check)));
  return { files: due.length + addresses.length };
}
