import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  parseRevision,
  prepareIsRecorded,
  prepareOrderedChanges,
  type Revision,
} from '../../db/event-changes.ts';
import { digestOf } from '../../db/event-hash.ts';
import { eachEvent, prepareEventListReads, type SourcedEvent } from '../../db/event-list.ts';
import { type Push, readPushes, savePush } from '../../db/hub.ts';
import type { StoredEvent } from '../../db/model.ts';
import { inSnapshot, type Reader } from '../../db/open.ts';
import { readSettings } from '../../db/settings.ts';
import { prepareUserReads } from '../../db/users.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireUser, UserName } from '../club/user-actions.ts';
import { requireNoNode, withReader, withWriter } from '../store/store.ts';
import { inChange, type RecordChange, type RecordConnection, withRecord } from './record.ts';

export const PushClub = z.strictObject({
  user: UserName,
  /** The revision of the record that the events of this home replace. */
  onto: z.string().trim().optional(),
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
 * another home has pushed since, the club was removed, or the record has one of this name from
 * another home.
 */
type Conflict = 'lost' | 'changed' | 'removed' | 'foreign';

type PushResult = Difference & {
  readonly user: string;
  readonly server: string;
  /** The number of the change; null if nothing was pushed. */
  readonly number: number | null;
  /** The revision of the club in the record; `none` if it does not have the club. */
  readonly revision: string;
  readonly conflict: Conflict | null;
};

/** A club of this home. */
type HomeClub = {
  readonly userId: number;
  readonly name: string;
  readonly zone: string;
  readonly uidBase: string;
  readonly pushes: readonly Push[];
};

/** A club as the record has it. */
type StoredClub = {
  readonly id: number;
  readonly name: string;
  readonly zone: string;
  readonly epoch: string;
  readonly revision: number;
};

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
};

/** Pushes a club to the record, if it still has the revision of the last push. */
export function pushClub(
  { user, onto }: z.output<typeof PushClub>,
  tools: ActionTools,
): Promise<PushResult> {
  return withReader(tools.home, (db) => {
    requireNoNode(db);
    const home = readHome(db, user, tools);
    // No event changes, so nothing has to be backed up or checked first.
    const options = { ...tools, isForKeys: true, onWritten: undefined };
    const save: SavePush = (push, base) =>
      withWriter(tools.home, (writer) => savePush(writer, home.userId, push, base), options);
    return withRecord((record) => pushTo(record, db, home, save, onto));
  });
}

type SavePush = (push: Push, base?: Push) => Promise<void>;

function readHome(db: Reader, user: string, tools: ActionTools): HomeClub {
  const userId = requireUser(db, user);
  const uidBase = prepareUserReads(db).uidBase(userId);
  // Also one that only the record and other computers know.
  const zone = readSettings(db, userId).zone || tools.systemTimeZone();
  return { userId, name: user, zone, uidBase, pushes: readPushes(db, userId) };
}

async function pushTo(
  record: RecordConnection,
  db: Reader,
  home: HomeClub,
  save: SavePush,
  onto: string | undefined,
): Promise<PushResult> {
  const push = randomBytes(8).toString('hex');
  let pushed: { readonly own: Push; readonly base: Push | undefined } | undefined;
  const result = await inChange(
    record,
    async (change): Promise<PushResult> => {
      const club = await findClub(record, home);
      const base = home.pushes.find((each) => each.push === club?.epoch);
      const snapshot = await readSnapshot(record, db, home, club, base);
      const common = { user: home.name, server: record.server, revision: revisionOf(club) };
      const isFirst = club === undefined && home.pushes.length === 0;
      const isEmpty = snapshot.put.length === 0 && snapshot.removed.length === 0;
      if (base === undefined && !isFirst && onto !== common.revision) {
        if (!isEmpty || club === undefined) {
          const conflict = await findConflict(record, home, club);
          const found = await readDifference(record, snapshot, club);
          return { ...common, ...found, number: null, conflict };
        }
        // The record has the events of this home: go on from there.
        await save({ push: club.epoch, revision: snapshot.revision });
      }
      const writer = { record, change, home, club, push };
      if (isEmpty && club !== undefined) return { ...common, ...(await pushName(writer)) };
      pushed = { own: { push, revision: snapshot.revision }, base };
      return { ...common, ...(await pushEvents(writer, snapshot)) };
    },
    // A later push recognises this one, although its answer was lost.
    async () => void (pushed && (await save(pushed.own, pushed.base))),
  );
  if (pushed !== undefined) await save(pushed.own);
  return result;
}

const revisionOf = (club: StoredClub | undefined) =>
  club === undefined ? 'none' : `${club.epoch}.${club.revision}`;

/** Finds the club by its last push, else by the identity of its calendars, else by its name. */
async function findClub(
  record: RecordConnection,
  { name, uidBase, pushes }: HomeClub,
): Promise<StoredClub | undefined> {
  const [club] = await record.query<StoredClub>(
    `SELECT id, name, zone, epoch, revision FROM club_events.clubs
      WHERE epoch = ANY ($1) OR uid_base = $2 OR name = $3
      ORDER BY epoch = ANY ($1) DESC, uid_base = $2 DESC LIMIT 1`,
    [pushes.map(({ push }) => push), uidBase, name],
  );
  return club;
}

async function findConflict(
  record: RecordConnection,
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

/** Reads the changes since the last push; without it, compares all events with the record. */
async function readSnapshot(
  record: RecordConnection,
  db: Reader,
  { userId }: HomeClub,
  club: StoredClub | undefined,
  base: Push | undefined,
): Promise<Snapshot> {
  const since = base && parseRevision(base.revision);
  const recent = since && inSnapshot(db, () => readChanges(db, userId, since));
  if (recent !== undefined) return recent;
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
  record: RecordConnection,
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
  readonly record: RecordConnection;
  readonly change: RecordChange;
  readonly home: HomeClub;
  readonly club: StoredClub | undefined;
  readonly push: string;
};

type Pushed = Difference & Pick<PushResult, 'number' | 'conflict'> & { readonly revision?: string };

const nothing: Difference = { added: [], changed: [], removed: [] };

/** Pushes the name and zone of a club whose events have not changed. */
async function pushName({ record, change, home, club, push }: PushWriter): Promise<Pushed> {
  const { name, zone } = home;
  const isSame = club === undefined || (club.name === name && club.zone === zone);
  if (isSame) return { ...nothing, number: null, conflict: null };
  await record.query('UPDATE club_events.clubs SET name = $2, zone = $3 WHERE id = $1', [
    club.id,
    name,
    zone,
  ]);
  await change.log({ id: push, club: club.id, kind: 'club' });
  return { ...nothing, number: change.number, conflict: null };
}

/** The number of events in one statement. */
const chunkLength = 1_000;

async function pushEvents(
  { record, change, home, club, push }: PushWriter,
  { put, removed, count, digest }: Snapshot,
): Promise<Pushed> {
  const revision = (club?.revision ?? 0) + 1;
  const state = [home.name, home.zone, push, revision, count, digest];
  const [stored] =
    club === undefined
      ? await record.query<{ id: number }>(insertClub, [...state, home.uidBase])
      : await record.query<{ id: number }>(updateClub, [...state, club.id]);
  const id = stored?.id as number;
  // Removals first: they may have been the last with a source key.
  const gone = await record.query<Named>(removeEvents, [id, removed, revision]);
  const added = new Set<number>();
  for (let start = 0; start < put.length; start += chunkLength) {
    const rows = put.slice(start, start + chunkLength);
    const objects = rows.map((row) =>
      Object.fromEntries(row.map((value, index) => [columnNames[index], value])),
    );
    const values = [id, JSON.stringify(objects), revision];
    const written = await record.query<{ id: number; isNew: boolean }>(putEvents, values);
    for (const { id: event, isNew } of written) if (isNew) added.add(event);
  }
  await record.query('DELETE FROM club_events.removed WHERE club = $1 AND id = ANY ($2)', [
    id,
    put.map(([event]) => event),
  ]);
  await change.log({ id: push, club: id, kind: 'events', revision });
  return {
    added: put.filter(([event]) => added.has(event)).map(nameOf),
    changed: put.filter(([event]) => !added.has(event)).map(nameOf),
    removed: gone,
    number: change.number,
    revision: `${push}.${revision}`,
    conflict: null,
  };
}

const insertClub = `INSERT INTO club_events.clubs
    (name, zone, epoch, revision, event_count, event_digest, uid_base)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`;

const updateClub = `UPDATE club_events.clubs
  SET name = $1, zone = $2, epoch = $3, revision = $4, event_count = $5, event_digest = $6
  WHERE id = $7 RETURNING id`;

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
