import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { prepareEventReads } from '../../db/event-rows.ts';
import { digestOfKey } from '../../db/keys.ts';
import {
  addSourceKey,
  closeSourceKey,
  deleteSource,
  findSource,
  insertMirror,
  type MirrorSource,
  moveSource,
  readEventIds,
  readMirror,
  setKeyStore,
  writeMirror,
} from '../../db/mirror.ts';
import { coveredSince, labelOfSource, nameOfSource } from '../../db/mirror-model.ts';
import type { StoredEvent } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, problem } from '../base/errors.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName } from '../club/user-actions.ts';
import { takeCopyFacts } from '../copy/facts.ts';
import type { ProblemCode } from '../messages/message.ts';
import { pathOfFile } from '../outside/outside-files.ts';
import { withReader, withWriter } from '../store/store.ts';
import {
  findUpstreamKey,
  KeyStore,
  removeUpstreamKey,
  storeUpstreamKey,
  type UpstreamKey,
} from '../store/upstream-keys.ts';
import type { MirrorState } from './planner/state.ts';
import type { SyncResult } from './status.ts';
import { syncMirrors } from './sync.ts';
import {
  lockForPerson,
  problemOf,
  requireSource,
  requireSourceOf,
  resultOf,
  withTrial,
} from './sync-session.ts';
import { createTransport } from './transport.ts';
import { parseBaseUrl, parseFileAddress, parseUpstreamKey } from './upstream-address.ts';

const Key = z.string({ error: 'mirror_key_invalid' satisfies ProblemCode });
const Url = z.string({ error: 'mirror_url_invalid' satisfies ProblemCode });

/** The place of the events. */
const place = {
  /** The address and the key of a service. */
  url: Url.optional(),
  key: Key.optional(),
  /** The path or the address of a file of another computer. */
  file: z.string().min(1).optional(),
  fileUrl: z.string().optional(),
};

/** Returns the URL to read and its key, which is null for a file. Throws problems of both. */
function accessOf({ url, key, file, fileUrl }: z.output<z.ZodObject<typeof place>>): {
  readonly baseUrl: string;
  readonly key: string | null;
} {
  const places = [url, file, fileUrl].filter((each) => each !== undefined);
  if (places.length !== 1) throw asUsage(problem('mirror_where'));
  if (file !== undefined) return { baseUrl: pathToFileURL(resolve(file)).href, key: null };
  if (fileUrl !== undefined) return { baseUrl: parseFileAddress(fileUrl).href, key: null };
  const baseUrl = parseBaseUrl(url ?? '').href;
  if (key === undefined) throw problem('mirror_key_invalid');
  return { baseUrl, key: parseUpstreamKey(key) };
}

export const TryMirror = z.strictObject({
  ...place,
  /** A user whose events may be those of the service. */
  user: UserName.optional(),
});

/** The events that a mirror would have, found by a trial that stores nothing. */
type Trial = {
  readonly url: string;
  /** The host of a service, or the name of a file. */
  readonly name: string;
  /** The name of the club in a file; null for a service. */
  readonly club: string | null;
  /** The time of the list. */
  readonly asOf: string | null;
  readonly events: number;
  /** False if the service may have older events, which it does not list. */
  readonly isComplete: boolean;
  readonly upcoming: number;
  /** The next upcoming events, at most five. */
  readonly first: readonly StoredEvent[];
  /** True if most events of the user are events of the service, too. */
  readonly hasSameEvents: boolean;
};

/** Compares the user's events with those of a service, by their ids and times of creation. */
function hasSameEvents(db: Reader, user: string, entries: MirrorState['entries']): boolean {
  const userId = requireUser(db, user);
  const { byId } = prepareEventReads(db);
  const ids = readEventIds(db, userId);
  const listed = ids.filter((id) => entries.has(id));
  const same = listed.filter(
    (id) => byId(userId, id)?.createdAt === entries.get(id)?.event.createdAt,
  );
  return same.length * 2 > Math.min(ids.length, entries.size);
}

/** Runs a first sync in memory. Throws the problem with which it ends. */
async function tryFirstSync(
  { wanted = [], ...access }: ReturnType<typeof accessOf> & { wanted?: readonly number[] },
  tools: ActionTools,
) {
  const checked = { ...access, wanted };
  return await withTrial(checked, tools, async (session) => {
    const outcome = await session.sync({ kind: 'sync', round: 'due' });
    const failure = problemOf(outcome.state);
    // Its events are there; the problem is shown with them.
    if (failure !== undefined && failure.code !== 'sync_digest_differs') throw failure;
    return { outcome, head: session.head(), ...checked };
  });
}

export async function tryMirror(
  { user, ...access }: z.output<typeof TryMirror>,
  tools: ActionTools,
): Promise<Trial> {
  const { outcome, head, baseUrl } = await tryFirstSync(accessOf(access), tools);
  const { entries, source } = outcome.state;
  const now = tools.now().toISOString();
  const upcoming = [...entries.values()]
    .map(({ event }) => event)
    .filter(({ date }) => date >= now)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return {
    url: pathOfFile(baseUrl) ?? baseUrl,
    name: nameOfSource(baseUrl),
    club: head?.club ?? null,
    asOf: source.listedAt === null ? null : new Date(source.listedAt).toISOString(),
    events: entries.size,
    isComplete: coveredSince(source.coverage) === '',
    upcoming: upcoming.length,
    first: upcoming.slice(0, 5),
    hasSameEvents:
      user !== undefined &&
      (await withReader(tools.home, (db) => hasSameEvents(db, user, entries))),
  };
}

export const SetMirror = z.strictObject({
  user: UserName,
  ...place,
  keyStore: KeyStore,
});

/**
 * Connects a user with an online service or a file after a first sync. Stores nothing if that fails, or if the
 * user has other events.
 */
export async function setMirror(
  { user, keyStore, ...access }: z.output<typeof SetMirror>,
  tools: ActionTools,
): Promise<SyncResult> {
  const { home } = tools;
  const { followed, present } = await withReader(home, (db) => {
    const userId = requireUser(db, user);
    const source = findSource(db, userId);
    if (source === undefined) return { followed: undefined, present: readEventIds(db, userId) };
    const { club } = readMirror(db, source.id).source;
    return { followed: { source, club }, present: [] };
  });
  const next = accessOf(access);
  if (followed !== undefined) return await followElsewhere(user, followed, next, tools);
  const first = await tryFirstSync({ ...next, wanted: present }, tools);
  const connect = (db: Writer): MirrorSource => {
    const userId = requireUser(db, user);
    const { baseUrl, key, writes } = first;
    const common = { userId, baseUrl, writes, now: tools.now() };
    const stored = insertMirror(
      db,
      key === null
        ? { ...common, kind: 'file', keyStore: 'run', digest: undefined }
        : {
            ...common,
            keyStore,
            digest: digestOfKey(key),
            storeKey(sourceId) {
              if (keyStore === 'file') storeUpstreamKey(home, sourceId, { url: baseUrl, key });
            },
          },
    );
    switch (stored.kind) {
      case 'stored': {
        const added = requireSource(db, user);
        if (first.head !== undefined) takeCopyFacts(db, userId, first.head);
        return added;
      }
      case 'mirrored':
        throw problem('mirror_exists', { user, url: labelOfSource(stored.baseUrl) });
      case 'key taken':
        throw problem('mirror_key_taken');
      case 'other events': {
        const name = prepareEventReads(db).byId(userId, stored.ids[0] ?? 0)?.name ?? '';
        const count = stored.ids.length;
        throw problem('mirror_events_differ', { user, url: labelOfSource(baseUrl), count, name });
      }
    }
  };
  const source = await lockForPerson(tools, () => withWriter(home, connect, tools));
  if (first.key === null) return await resultOf(source, [first.outcome], tools);
  // The caller keeps the key after this result.
  const stored = { url: source.baseUrl, key: first.key };
  const upstreamKeys = new Map([...(tools.upstreamKeys ?? []), [source.id, stored]]);
  return await resultOf(source, [first.outcome], { ...tools, upstreamKeys });
}

/**
 * Follows the file of the same club at another place. Throws `mirror_exists` for anything else.
 */
async function followElsewhere(
  user: string,
  { source, club }: { readonly source: MirrorSource; readonly club: string | null },
  next: ReturnType<typeof accessOf>,
  tools: ActionTools,
): Promise<SyncResult> {
  const taken = problem('mirror_exists', { user, url: labelOfSource(source.baseUrl) });
  if (source.kind !== 'file' || next.key !== null || next.baseUrl === source.baseUrl) throw taken;
  const { head } = await tryFirstSync(next, tools);
  if (head?.uidBase !== club) throw taken;
  const move = (db: Writer) => moveSource(db, source.id, next.baseUrl);
  await lockForPerson(tools, () => withWriter(tools.home, move, tools));
  const { results } = await syncMirrors(
    { user, confirmRemovals: false, acceptReset: false },
    tools,
  );
  return results[0] as SyncResult;
}

export const AddMirrorKey = z.strictObject({ user: UserName, key: Key });

/** Adds another key of the same account, with which scripts read the events here too. */
export async function addMirrorKey(
  { user, key }: z.output<typeof AddMirrorKey>,
  tools: ActionTools,
): Promise<{ user: string; url: string }> {
  const source = await requireService(user, tools);
  // A person confirms another address by a change of the key.
  if (findUpstreamKey(source, tools) === 'foreign') {
    throw problem('mirror_key_foreign', { url: source.baseUrl });
  }
  await requireSameAccount(source, key, tools);
  await withWriter(tools.home, (db) => addKeyDigest(db, source, key, tools), tools);
  return { user, url: source.baseUrl };
}

/** Returns the service of a user. Throws `mirror_file_no_key` for a file. */
async function requireService(user: string, tools: ActionTools): Promise<MirrorSource> {
  const source = await requireSourceOf(user, tools);
  if (source.kind === 'service') return source;
  throw problem('mirror_file_no_key', { url: labelOfSource(source.baseUrl) });
}

function addKeyDigest(db: Writer, source: MirrorSource, key: string, { now }: ActionTools): void {
  const isOurs = addSourceKey(db, source.id, digestOfKey(parseUpstreamKey(key)), now());
  if (!isOurs) throw problem('mirror_key_taken');
}

/** Throws `mirror_key_other_account` unless a key shows events of the mirror. */
async function requireSameAccount(
  source: MirrorSource,
  key: string,
  tools: ActionTools,
): Promise<void> {
  const access = { baseUrl: source.baseUrl, key: parseUpstreamKey(key) };
  const { outcome } = await tryFirstSync(access, tools);
  const { entries } = await withReader(tools.home, (db) => readMirror(db, source.id));
  const ids = [...outcome.state.entries.keys()];
  const isSame = ids.length === 0 ? entries.size === 0 : ids.some((id) => entries.has(id));
  if (!isSame) throw problem('mirror_key_other_account');
}

export const ChangeMirrorKey = z.strictObject({
  user: UserName,
  key: Key,
  keyStore: KeyStore,
});

type ChangedKey = {
  readonly user: string;
  readonly url: string;
  readonly source: number;
  /** True if the service refuses the key before this one, which then opens no events here either. */
  readonly isOldKeyClosed: boolean;
};

/**
 * Replaces the key with which a mirror syncs by another one of the same account. It is sent to the
 * present address of the service and kept for it.
 */
export async function changeMirrorKey(
  { user, key, keyStore }: z.output<typeof ChangeMirrorKey>,
  tools: ActionTools,
): Promise<ChangedKey> {
  const { home } = tools;
  const source = await requireService(user, tools);
  await requireSameAccount(source, key, tools);
  const next = { url: source.baseUrl, key: parseUpstreamKey(key) };
  const old = findUpstreamKey(source, tools);
  const isOther = typeof old === 'object' && old.key !== next.key;
  const isOldKeyClosed = isOther && (await isRefused(old));
  const change = (db: Writer) => {
    addKeyDigest(db, source, key, tools);
    if (isOldKeyClosed) closeSourceKey(db, source.id, digestOfKey(old.key), tools.now());
    if (keyStore === 'file') storeUpstreamKey(home, source.id, next);
    setKeyStore(db, source.id, keyStore);
    if (keyStore !== 'file') removeUpstreamKey(home, source.id);
    // A person ends the pause after a restore.
    if (requireSource(db, user).paused !== null) return;
    // A refused key must not delay the next sync.
    const nextAt = tools.now().getTime();
    writeMirror(db, source.id, [{ kind: 'source', values: { nextAt } }], tools.now().toISOString());
  };
  await lockForPerson(tools, () => withWriter(home, change, tools));
  return { user, url: source.baseUrl, source: source.id, isOldKeyClosed };
}

/** Returns true if the service answers 401 to a key. */
async function isRefused({ url, key }: UpstreamKey): Promise<boolean> {
  const transport = createTransport({ baseUrl: url, key });
  try {
    const answer = await transport.send({ run: 0, operation: 'byId', id: 1 });
    return answer.kind === 'failure' && answer.code === 'key_refused';
  } finally {
    await transport.close();
  }
}

export const RemoveMirror = z.strictObject({ user: UserName });

/** Disconnects a user. The events stay; the service's key no longer opens them. */
export async function removeMirror(
  { user }: z.output<typeof RemoveMirror>,
  tools: ActionTools,
): Promise<{ user: string; url: string; source: number; events: number }> {
  const { home } = tools;
  const remove = (db: Writer) => {
    const source = requireSource(db, user);
    deleteSource(db, source.id);
    removeUpstreamKey(home, source.id);
    const events = prepareUserReads(db).countEvents(source.userId);
    return { user, url: labelOfSource(source.baseUrl), source: source.id, events };
  };
  return await lockForPerson(tools, () => withWriter(home, remove, tools));
}
