import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  parseRevision,
  prepareIsRecorded,
  prepareOrderedChanges,
  type Revision,
} from '../../db/event-changes.ts';
import { digestOf } from '../../db/event-hash.ts';
import { eachEvent, prepareEventListReads, type SourcedEvent } from '../../db/event-list.ts';
import {
  type HomeState,
  lowerPushTimeline,
  type Push,
  type PushedKey,
  putPush,
  readHomeStates,
  readPushedKeys,
  readPushes,
  readPushTimeline,
  settlePush,
} from '../../db/hub.ts';
import type { StoredEvent } from '../../db/model.ts';
import { inSnapshot, type Reader, type Writer } from '../../db/open.ts';
import { readSettings } from '../../db/settings.ts';
import { type NumberedTeam, readTeams, type StoredTeam, textOfTeam } from '../../db/teams.ts';
import { prepareUserReads } from '../../db/users.ts';
import { commandProblem, explain, type Problem, packProblem } from '../base/errors.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName } from '../club/user-actions.ts';
import type { PackedProblem } from '../messages/message.ts';
import { requireNoNode, withReader, withWriter } from '../store/store.ts';
import type { Connection } from './postgres.ts';
import {
  connectRecord,
  inChange,
  type KnownRecord,
  newChangeId,
  requireSchema,
  withRecord,
} from './record.ts';

export const PushClub = z
  .strictObject({
    user: UserName.optional(),
    all: z.boolean().default(false),
    /** True to bring the keys of the home along. */
    keys: z.boolean().default(false),
    /** The revision of the record that the events of this home replace. */
    onto: z.string().trim().optional(),
    /** The command line repeats the push. */
    every: z.string().optional(),
    acceptRecord: z.boolean().default(false),
  })
  .superRefine(({ user, all, onto }, context) => {
    if ((user === undefined) !== all || (all && onto !== undefined))
      context.addIssue({ code: 'custom', message: 'hub_push_clubs' });
  });

type Named = Pick<StoredEvent, 'id' | 'name' | 'date'>;

/** The events that differ between a home and the record, as a push adds, changes and removes them. */
type Difference = {
  readonly added: readonly Named[];
  readonly changed: readonly Named[];
  readonly removed: readonly Named[];
};

/**
 * The reason for which nothing was pushed: the record has forgotten the last push of this home,
 * another home has pushed since, has renamed the club or given it another zone, the club was removed,
 * or the record has one of this name from another home.
 */
type Conflict = 'lost' | 'changed' | 'renamed' | 'removed' | 'foreign';

export type PushResult = Difference & {
  readonly user: string;
  readonly server: string;
  /** The number of the change; null if nothing was pushed. */
  readonly number: number | null;
  /** The revision of the club in the record; `none` if it does not have the club. */
  readonly revision: string;
  /** The keys that came along and that the record did not have so. */
  readonly keys: number;
  readonly conflict: Conflict | null;
  /** The name and zone of the club in the record before, if they differ. */
  readonly recordName?: string;
  readonly recordZone?: string;
};

/** A club of this home, as a push brings it into the record. */
type HomeClub = Pick<HomeState, 'userId' | 'name' | 'zone' | 'uidBase' | 'pushes'> & {
  /** The keys that come along; undefined for none. */
  readonly keys: readonly PushedKey[] | undefined;
};

/** A club as the record has it. */
type StoredClub = {
  readonly id: number;
  readonly name: string;
  readonly zone: string;
  readonly epoch: string;
  readonly revision: number;
  readonly eventCount: number;
  readonly eventDigest: string;
  /** The teams as JSON. */
  readonly teams: string;
};

const clubColumns = `id, name, zone, epoch, revision, event_count AS "eventCount",
  event_digest AS "eventDigest", teams`;

/** The columns of an event in the record, in their order. */
type EventColumns = readonly [id: number, name: string, date: string, ...others: unknown[]];

const columns = `id, name, date, location, description, status, event_type, registration_open,
  created_at, source_key`;
const columnNames = columns.split(/,\s+/);

function columnsOf(event: SourcedEvent): EventColumns {
  const { id, name, date, location, description, status, eventType, createdAt, sourceKey } = event;
  const registrationOpen = event.registrationOpen ?? null;
  const others = [location, description, status, eventType, registrationOpen, createdAt, sourceKey];
  return [id, name, date, ...others];
}

/** The events to push from one snapshot of a home, and the state that they lead to. */
type Snapshot = {
  readonly put: readonly EventColumns[];
  readonly removed: readonly number[];
  readonly revision: string;
  readonly count: number;
  readonly digest: string;
  readonly teams: readonly NumberedTeam[];
};

/** The state of a home whose clubs are pushed, and its memory of the pushes. */
type Source = {
  readonly db: Reader;
  /** True to compare all events with the record if none has changed here. */
  readonly comparesAll: boolean;
  read(userId: number): HomeClub;
  /** Stores a push that is not committed yet. */
  put(userId: number, push: Push): void;
  /** Stores a push that was committed, and forgets those before it. */
  settle(userId: number, push: Push, replaced: readonly Push[]): void;
};

/** The database of a home, opened to read and, for the memory of pushes, to write. */
type OpenHome = { readonly db: Reader; readonly writer: Writer };

type SourceOptions = Pick<Source, 'comparesAll'> & {
  /** True to bring the keys of the home along. */
  readonly withKeys: boolean;
  readonly timeline: number;
};

function openSource(
  { db, writer }: OpenHome,
  { systemTimeZone }: ActionTools,
  { withKeys, comparesAll, timeline }: SourceOptions,
): Source {
  return {
    db,
    comparesAll,
    read(userId) {
      const { name, zone } = readSettings(db, userId);
      return {
        userId,
        name,
        // Also one that only the record and other computers know.
        zone: zone || systemTimeZone(),
        uidBase: prepareUserReads(db).uidBase(userId),
        pushes: readPushes(db, userId),
        keys: withKeys ? readPushedKeys(db, userId) : undefined,
      };
    },
    put: (userId, push) => putPush(writer, userId, push, timeline),
    settle: (userId, push, replaced) => settlePush(writer, userId, push, { timeline, replaced }),
  };
}

/** Pushes a club to the record, or all that have changed, if it still has what was last pushed. */
export function pushClub(
  { user, keys, onto, acceptRecord }: z.output<typeof PushClub>,
  tools: ActionTools,
): Promise<PushResult | PushedClubs> {
  // No event changes, so nothing has to be backed up or checked first.
  const options = { ...tools, isForKeys: true, onWritten: undefined };
  return withReader(tools.home, (db) => {
    requireNoNode(db);
    const userId = user === undefined ? undefined : requireUser(db, user);
    const known = { timeline: readPushTimeline(db), isAccepted: acceptRecord };
    const push = async (writer: Writer): Promise<PushResult | PushedClubs> => {
      const home = { db, writer };
      if (userId === undefined) return await pushAll(home, known, keys, tools);
      return await withRecord(known, (record) => {
        warnOfClearText(record, tools.warn);
        noteAccepted(record, known, writer);
        const { timeline } = record;
        const source = openSource(home, tools, { withKeys: keys, comparesAll: true, timeline });
        return pushTo(record, source, userId, onto);
      });
    };
    return withWriter(tools.home, push, options);
  });
}

/**
 * Stores that a person has accepted an older record. All clubs of this home go on with it, also those that
 * are refused now or have not changed.
 */
function noteAccepted({ timeline }: Connection, known: KnownRecord, writer: Writer): void {
  if (timeline < known.timeline) lowerPushTimeline(writer, timeline);
}

/** Warns of a connection that others in the network can read. */
export function warnOfClearText(
  { isPrivate, server }: Connection,
  warn: ((failure: Problem) => void) | undefined,
): void {
  if (!isPrivate) warn?.(commandProblem('hub_unencrypted', { server }));
}

/** The outcome of a club in a push of all. */
type PushedClub = {
  readonly user: string;
  readonly number: number | null;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly keys: number;
  readonly conflict: Conflict | null;
  readonly error?: PackedProblem;
};

/** The clubs that were not as the record has them, and the number of those that were. */
export type PushedClubs = {
  readonly server: string;
  readonly clubs: readonly PushedClub[];
  readonly unchanged: number;
};

/** Pushes every club that differs from its last push, each in a transaction of its own. */
async function pushAll(
  home: OpenHome,
  known: KnownRecord,
  withKeys: boolean,
  tools: ActionTools,
): Promise<PushedClubs> {
  const connect = async () => {
    const record = await connectRecord({ ...known, isWritable: true });
    await requireSchema(record);
    return record;
  };
  let record = await connect();
  try {
    warnOfClearText(record, tools.warn);
    noteAccepted(record, known, home.writer);
    const { timeline } = record;
    const source = openSource(home, tools, { withKeys, comparesAll: false, timeline });
    const { changed, unchanged } = await findChanged(record, home.db, withKeys, tools);
    const clubs: PushedClub[] = [];
    for (const { userId, name } of changed) {
      tools.onStep?.();
      try {
        const { added, removed, ...pushed } = await pushTo(record, source, userId, undefined);
        const { number, keys, conflict } = pushed;
        const counts = { added: added.length, changed: pushed.changed.length };
        clubs.push({ user: name, number, ...counts, removed: removed.length, keys, conflict });
      } catch (error) {
        const failure = explain(error);
        if (failure === undefined) throw error;
        const nothingDone = { number: null, added: 0, changed: 0, removed: 0, keys: 0 };
        clubs.push({ user: name, ...nothingDone, conflict: null, error: packProblem(failure) });
        record.destroy();
        // A record that is away stops all others too.
        record = await connect();
      }
    }
    return { server: record.server, clubs, unchanged };
  } finally {
    await record.end();
  }
}

/** Compares all clubs of the home with their last pushes and, by one query, with the record. */
async function findChanged(
  record: Connection,
  db: Reader,
  withKeys: boolean,
  { systemTimeZone }: ActionTools,
): Promise<{ readonly changed: readonly HomeState[]; readonly unchanged: number }> {
  const states = inSnapshot(db, () => readHomeStates(db));
  const stored = await record.query<Omit<StoredClub, 'id' | 'revision' | 'teams'>>(
    `SELECT name, zone, epoch, event_count AS "eventCount", event_digest AS "eventDigest"
      FROM club_events.clubs WHERE epoch = ANY ($1)`,
    [states.flatMap(({ pushes }) => pushes.map(({ push }) => push))],
  );
  const byEpoch = new Map(stored.map((club) => [club.epoch, club]));
  const lacked = withKeys
    ? await readLackedKeys(
        record,
        states.flatMap(({ keys }) => keys),
      )
    : new Set();
  const changed = states.filter(({ pushes, ...state }) => {
    const last = pushes.find(({ push }) => byEpoch.has(push));
    const club = byEpoch.get(last?.push ?? '');
    if (last === undefined || club === undefined) return true;
    const zone = state.zone || systemTimeZone();
    const hasName = club.name === state.name && club.zone === zone;
    const isLacked = state.keys.some(({ digest }) => lacked.has(digest));
    const hasKeys = !withKeys || (last.keys === digestOfKeys(state.keys) && !isLacked);
    return last.revision !== state.revision || !hasName || !hasKeys || !isSound(club, state);
  });
  return { changed, unchanged: states.length - changed.length };
}

/** Attempts of a push whose club another one changes meanwhile. */
const maxAttempts = 10;

async function pushTo(
  record: Connection,
  source: Source,
  userId: number,
  onto: string | undefined,
): Promise<PushResult> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const home = source.read(userId);
    const result = await tryPush(record, source, home, onto);
    if (result !== undefined) return result;
  }
  throw commandProblem('hub_busy', { server: record.server, reason: 'another push' });
}

/** Pushes a club; returns undefined if the record has changed since it was compared. */
async function tryPush(
  record: Connection,
  source: Source,
  home: HomeClub,
  onto: string | undefined,
): Promise<PushResult | undefined> {
  const { name: user, zone, userId } = home;
  const club = await findClub(record, home);
  const base = home.pushes.find((each) => each.push === club?.epoch);
  const snapshot = await readSnapshot(record, source, home, club, base);
  const isSameName = club === undefined || (club.name === user && club.zone === zone);
  const common = {
    user,
    server: record.server,
    revision: revisionOf(club),
    keys: 0,
    ...(club !== undefined && club.name !== user && { recordName: club.name }),
    ...(club !== undefined && club.zone !== zone && { recordZone: club.zone }),
  };
  const isFirst = club === undefined && home.pushes.length === 0;
  const isSame =
    club !== undefined &&
    snapshot.put.length === 0 &&
    snapshot.removed.length === 0 &&
    teamsWith(club, snapshot.teams) === undefined;
  const isApproved = onto === common.revision;
  const conflict =
    base === undefined && !isFirst && !isApproved && !isSame
      ? await findConflict(record, home, club)
      : !isApproved && isRenamed(home, club, base)
        ? 'renamed'
        : undefined;
  if (conflict !== undefined) {
    const found = await readDifference(record, snapshot, club);
    return { ...common, ...found, number: null, conflict };
  }
  const keysDigest = home.keys && digestOfKeys(home.keys);
  const hasKeys =
    home.keys !== undefined &&
    (keysDigest !== base?.keys || (await readLackedKeys(record, home.keys)).size > 0);
  const state = {
    revision: snapshot.revision,
    name: user,
    zone,
    keys: keysDigest ?? base?.keys ?? null,
  };
  const replaced = home.pushes;
  const writer = { record, home, club };
  if (club === undefined || !isSame || !isSound(club, snapshot)) {
    const push = newChangeId();
    // A later push recognises this one, although its answer was lost. Before any lock of the record: this
    // home may be busy.
    source.put(userId, { push, ...state });
    const pushed = await pushEvents(writer, snapshot, push, hasKeys);
    if (pushed === undefined) return undefined;
    source.settle(userId, { push, ...state }, replaced);
    return { ...common, ...pushed, conflict: null };
  }
  const pushed =
    isSameName && !hasKeys ? { number: null, keys: 0 } : await pushRest(writer, hasKeys);
  if (pushed === undefined) return undefined;
  const next = { push: club.epoch, ...state };
  // The record has the events of this home: go on from there.
  if (JSON.stringify({ ...base }) !== JSON.stringify(next) || replaced.length > 1)
    source.settle(userId, next, replaced);
  return { ...common, ...nothing, ...pushed, conflict: null };
}

/** Returns true if the record has a name or zone of a club that this home has neither now nor before. */
function isRenamed(home: HomeClub, club: StoredClub | undefined, base: Push | undefined): boolean {
  if (club === undefined || (club.name === home.name && club.zone === home.zone)) return false;
  // Pushes of earlier versions did not store the name: then a person has to have renamed it here.
  if (base !== undefined && base.name === null) return false;
  return base?.name !== club.name || base.zone !== club.zone;
}

const revisionOf = (club: StoredClub | undefined) =>
  club === undefined ? 'none' : `${club.epoch}.${club.revision}`;

/** Finds the club by its last push, else by the identity of its calendars, else by its name. */
async function findClub(
  record: Connection,
  { name, uidBase, pushes }: HomeClub,
): Promise<StoredClub | undefined> {
  const [club] = await record.query<StoredClub>(
    `SELECT ${clubColumns} FROM club_events.clubs
      WHERE epoch = ANY ($1) OR uid_base = $2 OR name = $3
      ORDER BY epoch = ANY ($1) DESC, uid_base = $2 DESC LIMIT 1`,
    [pushes.map(({ push }) => push), uidBase, name],
  );
  return club;
}

async function findConflict(
  record: Connection,
  { pushes }: HomeClub,
  club: StoredClub | undefined,
): Promise<Conflict> {
  if (pushes.length === 0) return 'foreign';
  const found = await record.query('SELECT id FROM club_events.log WHERE id = ANY ($1)', [
    pushes.map(({ push }) => push),
  ]);
  if (found.length === 0) return 'lost';
  return club === undefined ? 'removed' : 'changed';
}

/** Returns true if the record has the number and digest of events without which nodes refuse a club. */
function isSound(
  club: Pick<StoredClub, 'eventCount' | 'eventDigest'> | undefined,
  { count, digest }: Pick<HomeState, 'count' | 'digest'>,
): boolean {
  return club?.eventCount === count && club.eventDigest === digest;
}

/**
 * Reads the changes since the last push; without it, compares all events with the record. So it does
 * without changes too, as somebody may have changed the rows of the record by hand.
 */
async function readSnapshot(
  record: Connection,
  { db, comparesAll }: Source,
  { userId }: HomeClub,
  club: StoredClub | undefined,
  base: Push | undefined,
): Promise<Snapshot> {
  const since = base && parseRevision(base.revision);
  const recent = since && inSnapshot(db, () => readChanges(db, userId, since));
  if (recent !== undefined) {
    const hasChanges = recent.put.length > 0 || recent.removed.length > 0;
    if (hasChanges || (!comparesAll && isSound(club, recent))) return recent;
  }
  const stored = await record.queryLists<EventColumns>(
    `SELECT ${columns} FROM club_events.events WHERE club = $1`,
    [club?.id ?? null],
  );
  return inSnapshot(db, () => compareEvents(db, userId, stored));
}

function readState(db: Reader, userId: number) {
  const { revision, count, digest } = prepareEventListReads(db).state(userId);
  return {
    revision,
    count: count ?? prepareUserReads(db).countEvents(userId),
    digest: digest ?? digestOf(eachEvent(db, userId)),
    teams: readTeams(db, userId),
  };
}

/** Reads the changes after a revision; undefined if not all of them are recorded. */
function readChanges(db: Reader, userId: number, since: Revision): Snapshot | undefined {
  const state = readState(db, userId);
  const isRecorded = prepareIsRecorded(db)(
    userId,
    since,
    parseRevision(state.revision) as Revision,
  );
  if (!isRecorded) return undefined;
  const changes = prepareOrderedChanges(db)(userId, since, Number.MAX_SAFE_INTEGER);
  const events = changes.flatMap(({ event }) => event ?? []);
  const sourced = prepareEventListReads(db).withSourceKeys(userId, events);
  const removed = changes.filter(({ event }) => event === undefined).map(({ id }) => id);
  return { ...state, put: sourced.map(columnsOf), removed };
}

function compareEvents(db: Reader, userId: number, stored: readonly EventColumns[]): Snapshot {
  const others = new Map(stored.map((row) => [row[0], JSON.stringify(row)]));
  const put: EventColumns[] = [];
  for (const event of eachEvent(db, userId)) {
    const row = columnsOf(event);
    if (others.get(event.id) !== JSON.stringify(row)) put.push(row);
    others.delete(event.id);
  }
  return { ...readState(db, userId), put, removed: [...others.keys()] };
}

const nameOf = ([id, name, date]: EventColumns): Named => ({ id, name, date });

/** Returns what a push would change. */
async function readDifference(
  record: Connection,
  { put, removed }: Snapshot,
  club: StoredClub | undefined,
): Promise<Difference> {
  const ids = [...put.map(([id]) => id), ...removed];
  const stored = await record.query<Named>(
    'SELECT id, name, date FROM club_events.events WHERE club = $1 AND id = ANY ($2) ORDER BY id',
    [club?.id ?? null, ids],
  );
  const known = new Set(stored.map(({ id }) => id));
  const gone = new Set(removed);
  return {
    added: put.filter(([id]) => !known.has(id)).map(nameOf),
    changed: put.filter(([id]) => known.has(id)).map(nameOf),
    removed: stored.filter(({ id }) => gone.has(id)),
  };
}

type PushWriter = {
  readonly record: Connection;
  readonly home: HomeClub;
  readonly club: StoredClub | undefined;
};

const nothing: Difference = { added: [], changed: [], removed: [] };

/**
 * Locks the club against other pushes, for the rest of the transaction. Returns false if it is not as it
 * was read. A new key of the club does not wait for this lock.
 */
async function lockClub(record: Connection, club: StoredClub | undefined): Promise<boolean> {
  if (club === undefined) return true;
  const [now] = await record.query<StoredClub>(
    `SELECT ${clubColumns} FROM club_events.clubs WHERE id = $1
      FOR NO KEY UPDATE`,
    [club.id],
  );
  return JSON.stringify(now) === JSON.stringify(club);
}

/** Pushes the name, zone and keys of a club whose events have not changed. */
async function pushRest(
  { record, home, club }: PushWriter,
  hasKeys: boolean,
): Promise<Pick<PushResult, 'number' | 'keys'> | undefined> {
  const { id } = club as StoredClub;
  let keys = 0;
  const number = await inChange(record, async () => {
    if (!(await lockClub(record, club))) return undefined;
    await record.query('UPDATE club_events.clubs SET name = $2, zone = $3 WHERE id = $1', [
      id,
      home.name,
      home.zone,
    ]);
    if (hasKeys) keys = await pushKeys(record, id, home.keys);
    return { id: newChangeId(), club: id, kind: 'club' };
  });
  return number === undefined ? undefined : { number, keys };
}

/** The number of events in one statement. */
const chunkLength = 1_000;

async function pushEvents(
  { record, home, club }: PushWriter,
  { put, removed, count, digest, teams }: Snapshot,
  push: string,
  hasKeys: boolean,
): Promise<(Difference & Pick<PushResult, 'number' | 'keys' | 'revision'>) | undefined> {
  const revision = (club?.revision ?? 0) + 1;
  const added = new Set<number>();
  let [keys, gone]: [number, readonly Named[]] = [0, []];
  const number = await inChange(record, async () => {
    if (!(await lockClub(record, club))) return undefined;
    const stored = teamsWith(club, teams, revision) ?? club?.teams ?? '[]';
    const state = [home.name, home.zone, push, revision, count, digest, stored];
    const [written] =
      club === undefined
        ? await record.query<{ id: number }>(insertClub, [...state, home.uidBase])
        : await record.query<{ id: number }>(updateClub, [...state, club.id]);
    const id = (written as typeof written & object).id;
    gone = await record.query<Named>(removeEvents, [id, removed, revision]);
    for (let start = 0; start < put.length; start += chunkLength) {
      const rows = put.slice(start, start + chunkLength);
      const objects = rows.map((row) =>
        Object.fromEntries(row.map((value, index) => [columnNames[index], value])),
      );
      const values = [id, JSON.stringify(objects), revision];
      const answers = await record.query<{ id: number; isNew: boolean }>(putEvents, values);
      for (const { id: event, isNew } of answers) if (isNew) added.add(event);
    }
    await record.query('DELETE FROM club_events.removed WHERE club = $1 AND id = ANY ($2)', [
      id,
      put.map(([event]) => event),
    ]);
    // Last, as somebody may revoke one of them meanwhile.
    if (hasKeys) keys = await pushKeys(record, id, home.keys);
    return { id: push, club: id, kind: 'events', revision };
  });
  if (number === undefined) return undefined;
  return {
    added: put.filter(([event]) => added.has(event)).map(nameOf),
    changed: put.filter(([event]) => !added.has(event)).map(nameOf),
    removed: gone,
    number,
    keys,
    revision: `${push}.${revision}`,
  };
}

/** Returns a digest of the keys of a club, which differs after every change of one. */
const digestOfKeys = (keys: readonly PushedKey[]): string =>
  hash('sha256', JSON.stringify(keys.map((key) => Object.values(key))));

/**
 * Returns the digests of the keys that the record does not have, or has without their revocation: it may
 * have gone back to a dump, which no revision of a club shows.
 */
async function readLackedKeys(
  record: Connection,
  keys: readonly PushedKey[],
): Promise<ReadonlySet<string>> {
  const lacked = await record.queryLists<[string]>(
    `SELECT own.digest FROM unnest($1::text[], $2::boolean[]) AS own (digest, revoked)
      LEFT JOIN club_events.keys ON keys.digest = decode(own.digest, 'hex')
      WHERE keys.digest IS NULL OR (own.revoked AND keys.revoked_at IS NULL)`,
    [keys.map(({ digest }) => digest), keys.map(({ revokedAt }) => revokedAt !== null)],
  );
  return new Set(lacked.flat());
}

/**
 * Brings the keys of a home into the record, by their digests: so nobody changes a key on the day of
 * the move. A key that is revoked on one side is revoked. Returns how many the record did not have so.
 */
async function pushKeys(
  record: Connection,
  club: number,
  keys: readonly PushedKey[] = [],
): Promise<number> {
  const digests = keys.map(({ digest }) => digest);
  const others = await record.query(
    'SELECT FROM club_events.keys WHERE club <> $1 AND encode(digest, $2) = ANY ($3) LIMIT 1',
    [club, 'hex', digests],
  );
  if (others.length > 0) throw commandProblem('hub_key_elsewhere', { server: record.server });
  const written = await record.query(putKeys, [club, JSON.stringify(keys)]);
  return written.length;
}

/**
 * Returns the teams of the record after a push, as JSON: each with the revision of its last change, which
 * is the new one for those that differ. Returns undefined if all are the same.
 */
function teamsWith(
  club: StoredClub | undefined,
  teams: readonly NumberedTeam[],
  revision = 0,
): string | undefined {
  const before: readonly StoredTeam[] = JSON.parse(club?.teams ?? '[]');
  const isSame = (team: NumberedTeam, at: number) =>
    before[at] !== undefined && textOfTeam(before[at]) === textOfTeam(team);
  if (before.length === teams.length && teams.every(isSame)) return undefined;
  const known = new Map(before.map((team) => [textOfTeam(team), team.revision]));
  const stored = teams.map((team) => {
    const text = textOfTeam(team);
    return { ...JSON.parse(text), revision: known.get(text) ?? revision };
  });
  return JSON.stringify(stored);
}

const insertClub = `INSERT INTO club_events.clubs
    (name, zone, epoch, revision, event_count, event_digest, teams, uid_base)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`;

const updateClub = `UPDATE club_events.clubs
  SET name = $1, zone = $2, epoch = $3, revision = $4, event_count = $5, event_digest = $6,
    teams = $7
  WHERE id = $8 RETURNING id`;

const putKeys = `INSERT INTO club_events.keys AS keys
    (digest, club, label, created_at, expires_at, revoked_at)
  SELECT decode(digest, 'hex'), $1, label, "createdAt", "expiresAt", "revokedAt"
  FROM json_to_recordset($2) AS pushed (
    digest text, label text, "createdAt" text, "expiresAt" text, "revokedAt" text)
  ON CONFLICT (digest) DO UPDATE SET label = excluded.label, expires_at = excluded.expires_at,
    revoked_at = coalesce(keys.revoked_at, excluded.revoked_at)
  WHERE (keys.label, keys.expires_at) IS DISTINCT FROM (excluded.label, excluded.expires_at)
    OR keys.revoked_at IS NULL AND excluded.revoked_at IS NOT NULL
  RETURNING digest`;

const removeEvents = `WITH gone AS (
    DELETE FROM club_events.events WHERE club = $1 AND id = ANY ($2) RETURNING id, name, date
  ), noted AS (
    INSERT INTO club_events.removed SELECT $1, id, $3 FROM gone
      ON CONFLICT (club, id) DO UPDATE SET revision = excluded.revision
  )
  SELECT id, name, date FROM gone ORDER BY id`;

// A row that the statement has inserted has no earlier transaction (xmax).
const putEvents = `INSERT INTO club_events.events (club, ${columns}, revision)
  SELECT $1, ${columns}, $3 FROM json_to_recordset($2) AS pushed (
    id bigint, name text, date text, location text, description text, status text,
    event_type text, registration_open boolean, created_at text, source_key text)
  ON CONFLICT (club, id) DO UPDATE SET name = excluded.name, date = excluded.date,
    location = excluded.location, description = excluded.description, status = excluded.status,
    event_type = excluded.event_type, registration_open = excluded.registration_open,
    created_at = excluded.created_at, source_key = excluded.source_key,
    revision = excluded.revision
  RETURNING id, xmax = 0 AS "isNew"`;
