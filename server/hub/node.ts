import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import {
  becomeNode,
  type ClubChanges,
  type HubClub,
  type HubEventRow,
  type HubKeyRow,
  type NodeUpdate,
  prepareNodeUpdates,
  type RecordPosition,
  readClubRevisions,
  readNode,
} from '../../db/hub.ts';
import type { Writer } from '../../db/open.ts';
import { commandProblem, explain, type Problem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { LongRunning } from '../base/long-running.ts';
import type { NodeWatch } from '../http/problems.ts';
import { withWriter } from '../store/store.ts';
import { connectRecord, nodeName, type RecordConnection, requireSchema } from './record.ts';

/** Times in milliseconds. */
const times = {
  /** The interval of looks at the record. */
  pollEvery: 250,
  /** Lag from which a node is not ready and says as of when its answers are. */
  staleAfter: 5_000,
  /** Limit of a look: a server that is cut off does not answer. */
  headLimit: 2_000,
  /** Interval at which the time of the last contact is stored, for a start without the record. */
  noteEvery: 60_000,
} as const;

/** Clubs that are read at a time, and events of them. */
const pageSizes = { clubs: 500, events: 2_000 } as const;

/** Events of the first filling in one transaction, whose log must not become as large as the data. */
const eventsPerPart = 100_000;

type NodeOptions = {
  readonly home: Home;
  readonly now: () => Date;
  /** The lag in milliseconds after which requests are refused. */
  readonly maxLag: number;
  /** Called with a failure that does not stop the node, once while it stays the same. */
  readonly warn: (problem: Problem) => void;
};

/** A node: a database that follows the record. `run` resolves once the database is there. */
export type HubNode = LongRunning<Promise<void>> & NodeWatch;

/** Creates a node of a hub on a home, whose database it fills and changes alone. */
export function createNode({ home, now, maxLag, warn }: NodeOptions): HubNode {
  const stopping = new AbortController();
  let work: Promise<void> | undefined;
  let isFilled = false;
  let isAway = false;
  // The last time at which the record had nothing newer, by the clock of the system, and by one that
  // nobody sets: a key that was revoked must not open anything for longer.
  let confirmedAt = 0;
  let confirmedTick = 0;
  let lastFailure: string | undefined;

  const lag = () => performance.now() - confirmedTick;

  function noteFailure(error: unknown): void {
    isAway = true;
    if (stopping.signal.aborted) return;
    const failure = explain(error) ?? commandProblem('internal', { reason: reasonOf(error) });
    if (failure.code !== lastFailure) warn(failure);
    lastFailure = failure.code;
  }

  async function follow(db: Writer): Promise<void> {
    const updates = prepareNodeUpdates(db);
    let record: RecordConnection | undefined;
    let failures = 0;
    let notedAt = confirmedAt;
    // Ends a read that waits for a server.
    stopping.signal.addEventListener('abort', () => void record?.end());
    while (!stopping.signal.aborted) {
      const sentAt = now().getTime();
      const sentTick = performance.now();
      try {
        if (record === undefined) {
          record = await connectRecord({ isWritable: false, first: failures });
          await requireSchema(record);
          await nameNode(record, readNode(db)?.position);
        }
        if (await look(record, db, updates, sentAt, warn)) {
          confirmedAt = sentAt;
          confirmedTick = sentTick;
          isFilled = true;
          isAway = false;
          lastFailure = undefined;
        }
        if (confirmedAt - notedAt > times.noteEvery) {
          const noted = updates.begin();
          noted.commit(readNode(db)?.position, confirmedAt);
          notedAt = confirmedAt;
        }
      } catch (error) {
        noteFailure(error);
        failures += 1;
        await record?.end();
        record = undefined;
      }
      await delay(times.pollEvery, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await record?.end();
  }

  return {
    readFault() {
      if (!isFilled) return 'node_filling';
      return lag() > maxLag ? 'record_away' : undefined;
    },
    isReady: () => isFilled && lag() <= times.staleAfter,
    readAsOf: () => (isAway || lag() > times.staleAfter ? new Date(confirmedAt) : undefined),
    async run() {
      const opened = Promise.withResolvers<void>();
      const use = async (db: Writer) => {
        if (!becomeNode(db)) throw problem('hub_home_in_use', { path: home.directory });
        const node = readNode(db);
        isFilled = node?.position !== undefined;
        confirmedAt = node?.confirmedAt ?? 0;
        confirmedTick = performance.now() - Math.max(0, now().getTime() - confirmedAt);
        // Until the record confirms what is here.
        isAway = true;
        opened.resolve();
        await follow(db);
      };
      work = withWriter(home, use, { isForNode: true, warn });
      work.catch(opened.reject);
      await opened.promise;
      work.catch(noteFailure);
    },
    async stop() {
      stopping.abort();
      // `run` has thrown what prevented the start.
      await work?.catch(() => undefined);
    },
  };
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Shows `hub status` the number of a node. */
async function nameNode(record: RecordConnection, position?: RecordPosition): Promise<void> {
  const name = nodeName.compose(position?.number, `${hostname()}/${process.pid}`);
  await record.query("SELECT set_config('application_name', $1, false)", [name]);
}

type Head = {
  readonly number: number;
  readonly changeId: string;
  /** The id that the record has for the number of the node. */
  readonly known: string | null;
  readonly isReplica: boolean;
  /** True for a replica that no primary feeds: it does not know what changed since. */
  readonly isCutOff: boolean;
};

// No change at all has the number 0 and an empty id. A replica may have become the primary.
const headQuery = `SELECT head.number, coalesce(log.id, '') AS "changeId",
    CASE $1::bigint WHEN 0 THEN '' ELSE (SELECT id FROM club_events.log WHERE number = $1) END AS known,
    pg_is_in_recovery() AS "isReplica",
    pg_is_in_recovery() AND NOT EXISTS (
      SELECT 1 FROM pg_stat_get_wal_receiver() WHERE pid IS NOT NULL) AS "isCutOff"
  FROM club_events.head LEFT JOIN club_events.log ON log.number = head.number`;

/**
 * Brings the database of a node to the present state of the record. Returns false if the record does not
 * show its present state: its server is a replica that lags or is cut off.
 */
async function look(
  record: RecordConnection,
  db: Writer,
  updates: ReturnType<typeof prepareNodeUpdates>,
  sentAt: number,
  warn: (problem: Problem) => void,
): Promise<boolean> {
  const position = readNode(db)?.position;
  const readHead = async () => {
    const [head] = await record.query<Head>(headQuery, [position?.number ?? 0], times.headLimit);
    return head as Head;
  };
  const head = await readHead();
  if (head.isCutOff) throw problem('hub_replica_alone', { server: record.server });
  if (position?.number === head.number && head.known === position.changeId) return true;
  // A shorter prefix of what the node has. A primary that is shorter has forgotten the rest.
  if (head.isReplica && head.number < (position?.number ?? 0)) return false;
  // One snapshot, so that what is read is one committed state.
  await record.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const { number, changeId, known } = await readHead();
    const isPrefix = position !== undefined && known === position.changeId;
    if (position !== undefined && !isPrefix) {
      warn(problem('hub_record_forgot', { server: record.server, number: position.number }));
    }
    const since = isPrefix ? position.number : undefined;
    const update = { next: { number, changeId }, sentAt };
    await copyChanges({ record, db, updates, isFilling: position === undefined }, since, update);
    await record.query('COMMIT');
    await nameNode(record, update.next);
    return true;
  } catch (error) {
    await record.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

type CopyTools = {
  readonly record: RecordConnection;
  readonly db: Writer;
  readonly updates: ReturnType<typeof prepareNodeUpdates>;
  /** True if nobody reads the database yet, so that a part of the changes can be committed. */
  readonly isFilling: boolean;
};

/** Copies what changed since a number; without one, all clubs that differ and the keys of all clubs. */
async function copyChanges(
  { record, db, updates, isFilling }: CopyTools,
  since: number | undefined,
  { next, sentAt }: { readonly next: RecordPosition; readonly sentAt: number },
): Promise<void> {
  const logged = await record.queryLists<[number]>(loggedQuery, [since]);
  const ids = since === undefined ? undefined : logged.flat();
  const clubs = await record.query<HubClub>(clubQuery, [ids ?? null]);
  const local = new Map(readClubRevisions(db, ids).map((club) => [club.id, club]));
  const epochs = [...local.values()].flatMap(({ epoch }) => epoch ?? []);
  const lineage = await readLineage(record, epochs);
  const wanted = clubs.map((club) => {
    const { epoch = null, revision = 0 } = local.get(club.id) ?? {};
    // Revisions that the record does not know are those of a lost push, or of another club.
    const isWhole = epoch === null || lineage.get(epoch) !== club.id;
    return { club, isWhole, after: isWhole ? 0 : revision };
  });
  let update = updates.begin();
  let pending = 0;
  try {
    const known = new Set(clubs.map(({ id }) => id));
    for (const id of local.keys()) if (!known.has(id)) update.removeClub(id);
    for (let start = 0; start < wanted.length; start += pageSizes.clubs) {
      pending += await copyClubs(record, wanted.slice(start, start + pageSizes.clubs), update);
      if (!isFilling || pending < eventsPerPart) continue;
      update.commit(undefined, 0);
      update = updates.begin();
      pending = 0;
    }
    update.commit(next, sentAt);
  } catch (error) {
    update.rollback();
    throw error;
  }
}

// Without a number, none.
const loggedQuery = 'SELECT DISTINCT club FROM club_events.log WHERE number > $1';

const clubQuery = `SELECT id, name, zone, uid_base AS "uidBase", epoch, revision,
    event_count AS "eventCount", event_digest AS "eventDigest" FROM club_events.clubs
  WHERE $1::integer[] IS NULL OR id = ANY ($1) ORDER BY id`;

/** Returns the clubs of those epochs that the record knows. */
async function readLineage(
  record: RecordConnection,
  epochs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await record.queryLists<readonly [string, number]>(
    'SELECT id, club FROM club_events.log WHERE id = ANY ($1)',
    [epochs],
  );
  return new Map(rows);
}

type WantedClub = Pick<ClubChanges, 'club' | 'isWhole'> & {
  /** The last revision that the node has. */
  readonly after: number;
};

type OfClub<Row extends readonly unknown[]> = readonly [club: number, ...Row];

/** Copies some clubs; returns the number of their events. */
async function copyClubs(
  record: RecordConnection,
  wanted: readonly WantedClub[],
  update: NodeUpdate,
): Promise<number> {
  const values = [wanted.map(({ club }) => club.id), wanted.map(({ after }) => after)];
  const read = async <Row extends readonly unknown[]>(text: string) =>
    groupByClub(await record.queryLists<OfClub<Row>>(text, values));
  const keys = await read<HubKeyRow>(keyQuery);
  const revisions = await read<readonly [number, string]>(revisionQuery);
  const removed = await read<readonly [number, number]>(removedQuery);
  await record.query(`DECLARE changed NO SCROLL CURSOR FOR ${eventQuery}`, values);
  let page: readonly OfClub<HubEventRow>[] = [];
  let isLast = false;
  let count = 0;
  for (const { club, isWhole } of wanted) {
    const { id } = club;
    const own = { keys: keys(id), revisions: revisions(id), removed: removed(id) };
    update.beginClub({ club, isWhole, ...own });
    for (;;) {
      const end = page.findIndex((row) => row[0] !== id);
      const rows = end === -1 ? page : page.slice(0, end);
      update.putEvents(rows.map(([, ...row]) => row as unknown as HubEventRow));
      count += rows.length;
      page = page.slice(rows.length);
      if (page.length > 0 || isLast) break;
      page = await record.queryLists(`FETCH ${pageSizes.events} FROM changed`);
      isLast = page.length < pageSizes.events;
    }
    update.endClub();
  }
  await record.query('CLOSE changed');
  return count;
}

/** Returns a function that returns the rows of a club. */
function groupByClub<Row extends readonly unknown[]>(
  rows: readonly OfClub<Row>[],
): (club: number) => readonly Row[] {
  const groups = new Map<number, Row[]>();
  for (const [club, ...row] of rows) {
    const group = groups.get(club);
    if (group === undefined) groups.set(club, [row as unknown as Row]);
    else group.push(row as unknown as Row);
  }
  return (club) => groups.get(club) ?? [];
}

const wantedClubs = 'unnest($1::integer[], $2::bigint[]) AS wanted (club, after)';

const keyQuery = `SELECT keys.club, digest, label, created_at, expires_at, revoked_at
  FROM ${wantedClubs} JOIN club_events.keys USING (club) ORDER BY keys.id`;

const revisionQuery = `SELECT log.club, revision, log.id
  FROM ${wantedClubs} JOIN club_events.log ON log.club = wanted.club AND revision > after`;

const removedQuery = `SELECT removed.club, id, revision
  FROM ${wantedClubs} JOIN club_events.removed ON removed.club = wanted.club AND revision > after`;

const eventQuery = `SELECT events.club, id, name, date, location, description, status, event_type,
    registration_open::integer, created_at, source_key, revision
  FROM ${wantedClubs} JOIN club_events.events ON events.club = wanted.club AND revision > after
  ORDER BY events.club, id`;
