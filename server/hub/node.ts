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
  readStuckClubs,
  type StuckClub,
} from '../../db/hub.ts';
import { digestOfKey } from '../../db/keys.ts';
import type { Writer } from '../../db/open.ts';
import { commandProblem, explain, type Problem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { LongRunning } from '../base/long-running.ts';
import type { NodeEntry, NodeWatch } from '../http/problems.ts';
import { withWriter } from '../store/store.ts';
import { type Connection, connectTo, readServers } from './postgres.ts';
import {
  choosePrimary,
  connectAll,
  connectRecord,
  nodeName,
  olderProblem,
  requireSchema,
  staleAfter,
} from './record.ts';

/** Times in milliseconds. */
const times = {
  /** The interval of looks at the record. */
  pollEvery: 250,
  /** Limit of a look: a server that is cut off does not answer. */
  headLimit: 2_000,
  /** Limit of each read of a copy, and of the first one, for which the server sorts. */
  readLimit: 10_000,
  firstLimit: 120_000,
  /** Interval at which the time of the last contact is stored, for a start without the record. */
  noteEvery: 60_000,
  /** Interval at which the other addresses of the record are asked. */
  searchEvery: 5_000,
  /** Interval at which a club that could not be copied is tried again. */
  retryEvery: 5_000,
} as const;

/** Clubs that are read at a time, and events of them. */
const pageSizes = { clubs: 500, events: 2_000 } as const;

/** Events of the first filling in one transaction, whose log must not become as large as the data. */
const eventsPerPart = 100_000;

type NodeOptions = {
  readonly home: Home;
  readonly now: () => Date;
  /** The time in milliseconds without contact after which requests are refused. */
  readonly maxLag: number;
  /** True to accept, once, a record that is older than the last one that was met. */
  readonly acceptsRecord?: boolean;
  /** Called with a failure that does not stop the node, once while it stays the same. */
  readonly warn: (problem: Problem) => void;
};

/** The state of a node for an operator. Times are in milliseconds. */
export type NodeState = {
  /** The number of the last change of the record that the node has; null before it is filled. */
  readonly number: number | null;
  readonly timeline: number;
  /** The time since the record last had nothing newer, and since it last answered. */
  readonly lagMs: number;
  readonly contactMs: number;
  /** The clubs that are not as the record has them. */
  readonly stuck: readonly StuckClub[];
  /** Failures of looks and copies since the start. */
  readonly failures: number;
};

/** A node: a database that follows the record. `run` resolves once the database is there. */
export type HubNode = LongRunning<Promise<void>> &
  Omit<NodeWatch, 'readState'> & {
    readState(): NodeState;
    /** Returns the numbers of answers by status, and of those with events by club. */
    readAnswers(): { byStatus: ReadonlyMap<number, number>; byClub: ReadonlyMap<number, number> };
  };

/** Since when and why a club is not as the record has it. */
type Fault = Omit<StuckClub, 'club'>;

/** A moment by the clock of the system, and by one that nobody sets. */
type Moment = { readonly at: number; readonly tick: number };

const earlier = ({ at, tick }: Moment, ms: number): Moment => ({ at: at - ms, tick: tick - ms });

/** Creates a node of a hub on a home, whose database it fills and changes alone. */
export function createNode(options: NodeOptions): HubNode {
  const { home, now, maxLag, acceptsRecord = false, warn } = options;
  const stopping = new AbortController();
  let work: Promise<void> | undefined;
  let isFilled = false;
  let isAway = true;
  let position: RecordPosition | undefined;
  let timeline = 0;
  // The last time at which the record had nothing newer, and the last at which it answered so that the
  // node knows of every key that was revoked before.
  let confirmed: Moment = { at: 0, tick: 0 };
  let contact: Moment = { at: 0, tick: 0 };
  let stuck: ReadonlyMap<number, StuckClub> = new Map();
  // Keys that were revoked, and clubs that were removed, while a copy that began before goes on; with the
  // number of the change.
  const revoked = new Map<string, number>();
  const removed = new Map<number, number>();
  const byStatus = new Map<number, number>();
  const byClub = new Map<number, number>();
  let failures = 0;
  let lastFailure: string | undefined;
  const entries: NodeEntry[] = [];
  let listener: ((entry: NodeEntry) => void) | undefined;

  const moment = (): Moment => ({ at: now().getTime(), tick: performance.now() });
  const since = ({ tick }: Moment) => performance.now() - tick;

  function note(text: string, values: object = {}, isFailure = false): void {
    const entry = { text, values: { number: position?.number ?? null, ...values }, isFailure };
    if (listener === undefined) entries.push(entry);
    else listener(entry);
  }
  function noteFailure(error: unknown): void {
    isAway = true;
    if (stopping.signal.aborted) return;
    failures += 1;
    const failure = explain(error) ?? commandProblem('internal', { reason: reasonOf(error) });
    if (failure.code === lastFailure) return;
    lastFailure = failure.code;
    warn(failure);
    note('not following', { code: failure.code, ...failure.values }, true);
  }
  function noteContact(found: Moment): void {
    if (found.tick > contact.tick) contact = found;
  }
  /** Notes that the node has all that the record had at a moment. */
  function confirm(found: Moment): void {
    noteContact(found);
    if (found.tick > confirmed.tick) confirmed = found;
    if (!isFilled) note('filled');
    else if (isAway) note('following again');
    isFilled = true;
    isAway = false;
    lastFailure = undefined;
  }
  function noteClub(club: HubClub, reason: string | undefined, isNew: boolean): Fault | undefined {
    const before = stuck.get(club.id);
    if (reason === undefined) {
      note('club follows again', { club: club.name });
      return undefined;
    }
    if (before?.reason !== reason) {
      warn(commandProblem('hub_club_stuck', { user: club.name, reason }));
      note('club not copied', { club: club.name, reason }, true);
    }
    // A club that was never complete is refused at once.
    return { since: before?.since ?? (isNew ? 0 : now().getTime()), reason };
  }

  function readStuck(db: Writer): void {
    stuck = new Map(readStuckClubs(db).map((fault) => [fault.club, fault]));
  }

  let hasJoined = false;
  async function join(updates: ReturnType<typeof prepareNodeUpdates>) {
    const isAccepted = acceptsRecord && !hasJoined;
    const record = await connectRecord({ isWritable: false, timeline, isAccepted });
    try {
      await requireSchema(record);
      const isOlder = record.timeline < timeline && !isAccepted;
      if (record.isReplica && isOlder) throw olderProblem(record, timeline);
      if (!record.isReplica) timeline = record.timeline;
      updates.noteContact(confirmed.at, timeline);
      hasJoined = true;
      if (!record.isPrivate) warn(commandProblem('hub_unencrypted', { server: record.server }));
      await nameNode(record, position, stuck);
      note('connected', { server: record.server, timeline: record.timeline });
      return record;
    } catch (error) {
      record.destroy();
      throw error;
    }
  }

  async function follow(db: Writer): Promise<void> {
    const updates = prepareNodeUpdates(db);
    let record: Connection | undefined;
    let proof = createProofs(warn);
    let notedAt = confirmed.at;
    let searched = performance.now();
    let retryAt = 0;
    // Ends a read that waits for a server.
    stopping.signal.addEventListener('abort', () => record?.destroy());
    while (!stopping.signal.aborted) {
      try {
        if (record === undefined) {
          proof = createProofs(warn);
          record = await join(updates);
        }
        const sent = moment();
        const head = await readHead(record, position);
        if (head.isCutOff) throw problem('hub_replica_alone', { server: record.server });
        // A replica that was promoted has a timeline of its own.
        if (head.isReplica !== record.isReplica) throw new Moved();
        const proven = proof(head, sent, record.server);
        const isSame = position?.number === head.number && head.known === position.changeId;
        const isElsewhere =
          head.isReplica && position !== undefined && head.known !== position.changeId;
        const isRetry = stuck.size > 0 && performance.now() > retryAt;
        // A replica that has not all that the node has, or something else, is not the record.
        if (isElsewhere) isAway = true;
        else {
          if (!isSame || isRetry) {
            const begun = performance.now();
            await copy({ record, db, updates });
            const took = performance.now() - begun;
            retryAt = performance.now() + Math.max(times.retryEvery, 10 * took);
          }
          if (proven !== undefined) confirm(proven);
        }
        if (confirmed.at - notedAt > times.noteEvery) {
          // A clock that is ahead must not make a later start believe in a contact.
          updates.noteContact(Math.min(confirmed.at, head.clock), timeline);
          notedAt = confirmed.at;
        }
        if (performance.now() - searched > times.searchEvery) {
          searched = performance.now();
          if (await isReplaced(record)) throw new Moved();
        }
      } catch (error) {
        record?.destroy();
        record = undefined;
        if (!(error instanceof Moved)) noteFailure(error);
      }
      await delay(times.pollEvery, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await record?.end();
  }

  /** Brings the database to the present state of the record, in one snapshot of it. */
  async function copy(tools: Omit<CopyTools, 'isFilling' | 'noteClub' | 'stuck'>): Promise<void> {
    const { record } = tools;
    const before = contact;
    const pulse = startPulse(record);
    try {
      await record.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', times.readLimit);
      const { number, changeId, known } = await readHead(record, position);
      const isPrefix = position !== undefined && known === position.changeId;
      if (position !== undefined && !isPrefix) {
        const lost = problem('hub_record_forgot', {
          server: record.server,
          number: position.number,
        });
        warn(lost);
        note('record forgot', lost.values, true);
      }
      const next = { number, changeId };
      const isFilling = position === undefined;
      const all = { ...tools, isFilling, noteClub, stuck };
      await copyChanges(all, isPrefix ? position?.number : undefined, next);
      await record.run('COMMIT', times.readLimit);
      position = next;
      for (const changes of [revoked, removed])
        for (const [key, at] of changes) if (at <= number) changes.delete(key as never);
      readStuck(tools.db);
      await nameNode(record, position, stuck);
    } catch (error) {
      // What the record has answered meanwhile is not here.
      contact = before;
      throw error;
    } finally {
      await pulse.stop();
    }
  }

  /**
   * Looks for revoked keys and removed clubs while a copy goes on, which may take minutes; each look is
   * contact with the record. Short copies end before the first look.
   */
  function startPulse({ address, isReplica }: Connection): { stop(): Promise<void> } {
    const ending = new AbortController();
    let seen = position?.number ?? 0;
    async function beat(own: Connection): Promise<void> {
      const proof = createProofs(warn);
      while (!ending.signal.aborted) {
        const sent = moment();
        const head = await readHead(own, position);
        if (head.isReplica !== isReplica || head.isCutOff) return;
        // Nobody opens anything before the first filling ends.
        const changes = isFilled
          ? await own.query<{ club: number; digest: string | null }>(
              pulseQuery,
              // A record that forgot has given numbers of the node to other changes.
              [head.known === position?.changeId ? seen : 0],
              times.headLimit,
            )
          : [];
        for (const { club, digest } of changes) {
          if (digest === null) removed.set(club, head.number);
          else revoked.set(digest, head.number);
        }
        seen = head.number;
        const proven = proof(head, sent, own.server);
        if (proven !== undefined) noteContact(proven);
        await delay(times.pollEvery, undefined, ending).catch(() => undefined);
      }
    }
    const run = async () => {
      await delay(times.pollEvery, undefined, ending).catch(() => undefined);
      while (!ending.signal.aborted) {
        const own = await connectTo(address).catch(() => undefined);
        // The copy itself reports a record that is away.
        if (own !== undefined) await beat(own).catch(() => undefined);
        own?.destroy();
        await delay(times.pollEvery, undefined, ending).catch(() => undefined);
      }
    };
    const running = run();
    return {
      stop() {
        ending.abort();
        return running;
      },
    };
  }

  return {
    readFault(club) {
      if (!isFilled) return 'node_filling';
      if (since(contact) > maxLag) return 'record_away';
      const behind = club === undefined ? undefined : stuck.get(club);
      return behind !== undefined && now().getTime() - behind.since > maxLag
        ? 'record_away'
        : undefined;
    },
    isReady: () => isFilled && since(contact) <= staleAfter,
    readAsOf(club) {
      const behind = club === undefined ? undefined : stuck.get(club);
      if (behind !== undefined) return new Date(Math.min(behind.since, confirmed.at));
      return isAway || since(confirmed) > staleAfter ? new Date(confirmed.at) : undefined;
    },
    isRevoked: (club, key) =>
      removed.has(club) || (revoked.size > 0 && revoked.has(digestOfKey(key).toString('hex'))),
    noteAnswer(status, club) {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      if (club !== undefined) byClub.set(club, (byClub.get(club) ?? 0) + 1);
    },
    readAnswers: () => ({ byStatus, byClub }),
    readState: () => ({
      number: position?.number ?? null,
      timeline,
      lagMs: Math.round(since(confirmed)),
      contactMs: Math.round(since(contact)),
      stuck: [...stuck.values()],
      failures,
    }),
    onEntry(next) {
      listener = next;
      for (const entry of entries.splice(0)) next(entry);
    },
    async run() {
      const opened = Promise.withResolvers<void>();
      const use = async (db: Writer) => {
        if (!becomeNode(db)) throw problem('hub_home_in_use', { path: home.directory });
        const node = readNode(db);
        position = node?.position;
        timeline = node?.timeline ?? 0;
        isFilled = position !== undefined;
        readStuck(db);
        // A contact in the future is none: the clock was ahead when it was stored.
        const at = node?.confirmedAt ?? 0;
        const age = now().getTime() - at;
        confirmed = earlier(moment(), age < 0 ? now().getTime() : age);
        contact = confirmed;
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

/** The record is at another address now. */
class Moved extends Error {}

const reasonOf = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Returns true if another address is that of the record: a later primary, or the first one to return. */
async function isReplaced(record: Connection): Promise<boolean> {
  const { host, port } = record.address;
  const others = readServers().filter((other) => other.host !== host || other.port !== port);
  const asked = await connectAll(others);
  for (const { connection } of asked) void connection?.end();
  const primary = choosePrimary(asked);
  if (primary === undefined) return false;
  return (
    primary.timeline > record.timeline || (record.isReplica && primary.timeline >= record.timeline)
  );
}

/** Shows `hub status` the number of a node, and the clubs that it could not copy. */
async function nameNode(
  record: Connection,
  position: RecordPosition | undefined,
  stuck: ReadonlyMap<number, unknown>,
): Promise<void> {
  const name = `${hostname()}/${process.pid}`;
  const text = nodeName.compose({
    name,
    number: position?.number ?? null,
    stuck: [...stuck.keys()],
  });
  await record.query("SELECT set_config('application_name', $1, false)", [text], times.readLimit);
}

type Head = {
  readonly number: number;
  readonly changeId: string;
  /** The id that the record has for the number of the node. */
  readonly known: string | null;
  /** The clock of the server, in milliseconds since 1970. */
  readonly clock: number;
  readonly isReplica: boolean;
  /** True for a replica that no primary feeds: it does not know what changed since. */
  readonly isCutOff: boolean;
  /** The bytes of the primary's log that a replica has received and replayed. */
  readonly received: number | null;
  readonly replayed: number | null;
  /** Milliseconds after which a replica notices that its primary is gone; 0 for never. */
  readonly patience: number;
};

// No change at all has the number 0 and an empty id. A replica may have become the primary.
const headQuery = `SELECT head.number, coalesce(log.id, '') AS "changeId",
    CASE $1::bigint WHEN 0 THEN '' ELSE (SELECT id FROM club_events.log WHERE number = $1) END AS known,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock,
    pg_is_in_recovery() AS "isReplica",
    pg_is_in_recovery() AND NOT EXISTS (
      SELECT 1 FROM pg_stat_get_wal_receiver() WHERE pid IS NOT NULL) AS "isCutOff",
    (pg_last_wal_receive_lsn() - '0/0')::bigint AS received,
    (pg_last_wal_replay_lsn() - '0/0')::bigint AS replayed,
    (SELECT setting::integer FROM pg_settings WHERE name = 'wal_receiver_timeout') AS patience
  FROM club_events.head LEFT JOIN club_events.log ON log.number = head.number`;

async function readHead(record: Connection, position: RecordPosition | undefined): Promise<Head> {
  const [head] = await record.query<Head>(headQuery, [position?.number ?? 0], times.headLimit);
  if (head === undefined) throw problem('hub_not_initialised', { server: record.server });
  return head;
}

/**
 * Returns a function that says as of when an answer is the state of the record. A primary answers as of
 * now. A replica does as of the look at which it had received what it has replayed by now, less the
 * time after which it notices that its primary is gone.
 */
function createProofs(
  warn: (failure: Problem) => void,
): (head: Head, sent: Moment, server: string) => Moment | undefined {
  let before: { readonly received: number; readonly sent: Moment } | undefined;
  let hasWarned = false;
  return ({ isReplica, received, replayed, patience }, sent, server) => {
    if (!isReplica) return sent;
    if (received === null || replayed === null || patience === 0) return undefined;
    if (patience > staleAfter - 2 * times.pollEvery && !hasWarned) {
      hasWarned = true;
      warn(commandProblem('hub_replica_slow', { server, seconds: patience / 1_000 }));
    }
    if (before === undefined) before = { received, sent };
    if (replayed < before.received) return undefined;
    const proven = earlier(before.sent, patience);
    before = { received, sent };
    return proven;
  };
}

// Without a digest, the club was removed.
const pulseQuery = `WITH changed AS (
    SELECT DISTINCT club FROM club_events.log WHERE number > $1)
  SELECT changed.club, encode(digest, 'hex') AS digest FROM changed
    JOIN club_events.keys ON keys.club = changed.club AND revoked_at IS NOT NULL
  UNION ALL SELECT club, NULL FROM changed
    WHERE NOT EXISTS (SELECT FROM club_events.clubs WHERE id = club)`;

type CopyTools = {
  readonly record: Connection;
  readonly db: Writer;
  readonly updates: ReturnType<typeof prepareNodeUpdates>;
  /** True if nobody reads the database yet, so that a part of the changes can be committed. */
  readonly isFilling: boolean;
  /** The clubs that could not be copied, which are tried again. */
  readonly stuck: ReadonlyMap<number, StuckClub>;
  /** Notes the failure of a club, or its end. */
  readonly noteClub: (
    club: HubClub,
    reason: string | undefined,
    isNew: boolean,
  ) => Fault | undefined;
};

/** Copies what changed since a number; without one, all clubs that differ and the keys of all clubs. */
async function copyChanges(
  { record, db, updates, isFilling, stuck, noteClub }: CopyTools,
  since: number | undefined,
  next: RecordPosition,
): Promise<void> {
  const logged = await record.queryLists<[number]>(loggedQuery, [since], times.firstLimit);
  const changed = new Set([...logged.flat(), ...stuck.keys()]);
  const ids = since === undefined ? undefined : [...changed];
  const rows = await record.query<Omit<HubClub, 'teams'> & { readonly teams: string }>(
    clubQuery,
    [ids ?? null],
    times.firstLimit,
  );
  const clubs = rows.map(({ teams, ...club }) => ({ ...club, teams: JSON.parse(teams) }));
  const local = new Map(readClubRevisions(db, ids).map((club) => [club.id, club]));
  const epochs = [...local.values()].flatMap(({ epoch }) => epoch ?? []);
  const lineage = await readLineage(record, epochs);
  const wanted = clubs.map((club) => {
    const { epoch = null, revision = 0 } = local.get(club.id) ?? {};
    // Revisions that the record does not know are those of a lost push, or of another club. One that
    // could not be copied is read again from the beginning.
    const isWhole = epoch === null || lineage.get(epoch) !== club.id || stuck.has(club.id);
    return { club, isWhole, isNew: epoch === null, after: isWhole ? 0 : revision };
  });
  let update = updates.begin();
  let pending = 0;
  try {
    const known = new Set(clubs.map(({ id }) => id));
    for (const id of local.keys()) if (!known.has(id)) update.removeClub(id);
    for (const id of stuck.keys()) if (!known.has(id)) update.noteClub(id, undefined);
    for (let start = 0; start < wanted.length; start += pageSizes.clubs) {
      const part = wanted.slice(start, start + pageSizes.clubs);
      pending += await copyClubs(record, part, update, ({ club, isNew }, reason) => {
        if (reason !== undefined || stuck.has(club.id))
          update.noteClub(club.id, noteClub(club, reason, isNew));
      });
      if (!isFilling || pending < eventsPerPart) continue;
      update.commit(undefined);
      update = updates.begin();
      pending = 0;
    }
    update.commit(next);
  } catch (error) {
    update.rollback();
    throw error;
  }
}

// Without a number, none.
const loggedQuery = 'SELECT DISTINCT club FROM club_events.log WHERE number > $1';

const clubQuery = `SELECT id, name, zone, uid_base AS "uidBase", epoch, revision,
    event_count AS "eventCount", event_digest AS "eventDigest", teams FROM club_events.clubs
  WHERE $1::integer[] IS NULL OR id = ANY ($1) ORDER BY id`;

/** Returns the clubs of those epochs that the record knows. */
async function readLineage(
  record: Connection,
  epochs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await record.queryLists<readonly [string, number]>(
    'SELECT id, club FROM club_events.log WHERE id = ANY ($1)',
    [epochs],
  );
  return new Map(rows);
}

type WantedClub = Pick<ClubChanges, 'club' | 'isWhole'> & {
  /** True if the node does not have the club yet. */
  readonly isNew: boolean;
  /** The last revision that the node has. */
  readonly after: number;
};

type OfClub<Row extends readonly unknown[]> = readonly [club: number, ...Row];

/** Copies some clubs, and calls `onEnd` after each one; returns the number of their events. */
async function copyClubs(
  record: Connection,
  wanted: readonly WantedClub[],
  update: NodeUpdate,
  onEnd: (club: WantedClub, reason: string | undefined) => void,
): Promise<number> {
  const values = [wanted.map(({ club }) => club.id), wanted.map(({ after }) => after)];
  const read = async <Row extends readonly unknown[]>(text: string) =>
    groupByClub(await record.queryLists<OfClub<Row>>(text, values, times.firstLimit));
  const keys = await read<HubKeyRow>(keyQuery);
  const revisions = await read<readonly [number, string]>(revisionQuery);
  const removed = await read<readonly [number, number]>(removedQuery);
  await record.query(`DECLARE changed NO SCROLL CURSOR FOR ${eventQuery}`, values, times.readLimit);
  const fetch = `FETCH ${pageSizes.events} FROM changed`;
  let page: readonly OfClub<HubEventRow>[] | undefined;
  let isLast = false;
  let count = 0;
  for (const each of wanted) {
    const { club, isWhole } = each;
    const { id } = club;
    const own = { keys: keys(id), revisions: revisions(id), removed: removed(id) };
    update.beginClub({ club, isWhole, ...own });
    for (;;) {
      if (page === undefined || (page.length === 0 && !isLast)) {
        const limit = page === undefined ? times.firstLimit : times.readLimit;
        page = await record.queryLists<OfClub<HubEventRow>>(fetch, [], limit);
        isLast = page.length < pageSizes.events;
      }
      const end = page.findIndex((row) => row[0] !== id);
      const rows = end === -1 ? page : page.slice(0, end);
      update.putEvents(rows.map(([, ...row]) => row as unknown as HubEventRow));
      count += rows.length;
      page = page.slice(rows.length);
      if (page.length > 0 || isLast) break;
    }
    onEnd(each, update.endClub());
  }
  await record.query('CLOSE changed', [], times.readLimit);
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
