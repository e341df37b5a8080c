import { z } from 'zod';
import {
  countBatches,
  historyLimit,
  readAddedEvents,
  readChanges,
  readHistory,
  type UndoConflict,
  undoBatch,
} from '../../db/history.ts';
import { labelOfSource } from '../../db/mirror-model.ts';
import type { Batch, EditableField, EventChange, StoredEvent } from '../../db/model.ts';
import type { Reader, Writer } from '../../db/open.ts';
import { readAssistantAnswers, readSenders, type Sender } from '../../db/proposals.ts';
import { problem } from '../base/errors.ts';
import { daysBetween } from '../dates/days.ts';
import { moveDate } from '../dates/moves.ts';
import { zoneNamed } from '../dates/zone.ts';
import { type Message, message, type ProblemCode } from '../messages/message.ts';
import { withReader, withWriter } from '../store/store.ts';
import { backUpBeforeLargeRemoval } from './backup.ts';
import type { ActionTools } from './tools.ts';
import { requireUser, UserName, zoneOfClub } from './user-actions.ts';

export const ListHistory = z.strictObject({
  user: UserName,
  /** Most changes to list. */
  limit: z.int().min(1).max(1_000_000).default(historyLimit),
});

/** The change of several events by hand. */
export type CommonChange = {
  readonly kind: EventChange['kind'];
  /** The values that all of them got, if they changed nothing else. */
  readonly values: readonly {
    readonly field: EditableField;
    readonly value: StoredEvent[EditableField];
  }[];
  /** The days by which all of them moved, if they changed nothing else. */
  readonly days?: number;
  /** The date of one of them, if all moved to its time of day on their own days. */
  readonly time?: string;
};

/** Returns the days by which events moved, or their new time of day, if it is the same for all. */
function commonMove(
  dates: EventChange['fields'],
  timeZone: string,
): Pick<CommonChange, 'days' | 'time'> {
  const clock = zoneNamed(timeZone);
  const moves = dates.map(({ before, after }) => ({ from: String(before), to: String(after) }));
  const [days, ...otherDays] = new Set(
    moves.map(({ from, to }) => daysBetween(clock.dayOf(from), clock.dayOf(to))),
  );
  const [first] = moves;
  if (days === undefined || first === undefined || otherDays.length > 0) return {};
  if (moves.every(({ from, to }) => to === moveDate(from, { kind: 'move', days }, clock))) {
    return { days };
  }
  const time = clock.timeOf(first.to);
  return days === 0 && moves.every(({ to }) => clock.timeOf(to) === time) ? { time: first.to } : {};
}

/** Returns what several changes have in common; null if that is nothing. */
function commonChange(changes: readonly EventChange[], timeZone: string): CommonChange | null {
  const [first] = changes;
  if (first === undefined || changes.some(({ kind }) => kind !== first.kind)) return null;
  const { kind } = first;
  const all = changes.flatMap(({ fields }) => fields);
  if (all.length >= changes.length && all.every(({ field }) => field === 'date')) {
    return { kind, values: [], ...commonMove(all, timeZone) };
  }
  const values = new Map(all.map(({ field, after }) => [field, after]));
  const areSame = all.every(({ field, after }) => values.get(field) === after);
  return { kind, values: areSame ? [...values].map(([field, value]) => ({ field, value })) : [] };
}

/** Number of changes above which a batch is not compared: it takes longer than the rest. */
const maxCompared = 1_000;

type HistoryBatch = Batch & {
  /** The common effect of a change of several events by hand; null if they differ. */
  readonly common: CommonChange | null;
  /** Names of the events of such a change, each once, at most three. */
  readonly names: readonly string[];
  /** The people and assistants whose proposals it accepted, at most three. */
  readonly proposedBy: readonly Sender[];
};

function describeBatch(db: Reader, batch: Batch, timeZone: string): HistoryBatch {
  const count = batch.added + batch.changed + batch.removed;
  const isCompared = batch.source === '' && count > 1 && count <= maxCompared;
  const changes = isCompared ? readChanges(db, batch.id, maxCompared) : [];
  const names = [...new Set(changes.map(({ name }) => name))].slice(0, 3);
  return {
    ...batch,
    common: commonChange(changes, timeZone),
    names,
    proposedBy: readSenders(db, batch.id),
  };
}

type HistoryReport = {
  readonly user: string;
  readonly timeZone: string;
  readonly history: readonly HistoryBatch[];
  /** The number of older changes, which are not listed. */
  readonly older: number;
  /** The proposals of assistants that ended without an answer together, newest first. */
  readonly unanswered: readonly Unanswered[];
};

type Unanswered = {
  readonly assistant: string;
  readonly endedAt: string;
  readonly count: number;
  /** Names of their events, each once, at most three. */
  readonly names: readonly string[];
};

function readUnanswered(db: Reader, userId: number): Unanswered[] {
  const expired = readAssistantAnswers(db, userId).filter(({ state }) => state === 'expired');
  const groups = Map.groupBy(expired, (each) => `${each.answeredAt} ${each.assistant}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const names = [...new Set(group.map(({ name }) => name))].slice(0, 3);
    const { assistant, answeredAt: endedAt } = first;
    return { assistant, endedAt, count: group.length, names };
  });
}

/** Lists the newest changes made by each import, edit, sync and undo, newest first. */
export function listHistory(
  { user, limit }: z.output<typeof ListHistory>,
  tools: ActionTools,
): Promise<HistoryReport> {
  return withReader(tools.home, (db) => {
    const id = requireUser(db, user);
    const timeZone = zoneOfClub(db, id, tools);
    const batches = readHistory(db, id, limit);
    const history = batches.map((batch) => describeBatch(db, batch, timeZone));
    const older = Math.max(countBatches(db, id) - history.length, 0);
    return { user, timeZone, history, older, unanswered: readUnanswered(db, id) };
  });
}

export const UndoBatch = z.strictObject({
  id: z.int({ error: 'import_id_invalid' satisfies ProblemCode }),
});

type UndoReport = {
  readonly undone: number;
  /** The number of the undo in the history; an undo can itself be undone. */
  readonly batch: number;
  readonly removed: number;
  readonly restored: number;
};

/** Returns the reason why an event prevents an undo. */
function describeConflict({ laterChange }: UndoConflict): Message {
  if (laterChange === 'removed') return message('undoConflict:removed');
  if (laterChange === 'added again') return message('undoConflict:added_again');
  return message('undoConflict:changed', { field: message(`field:${laterChange}`) });
}

/**
 * Undoes one import exactly, after a backup if that removes many events. Throws `unavailable` for an
 * unknown import, one already undone, or one whose undo would lose a later change of the same fields.
 * Throws `sync_not_undoable` for a sync, and `user_mirrored` for a user with a mirror.
 */
export function undoImport(
  { id }: z.infer<typeof UndoBatch>,
  tools: ActionTools,
): Promise<UndoReport> {
  const undo = (db: Writer): UndoReport => {
    backUpBeforeLargeRemoval(readAddedEvents(db, id), tools);
    const outcome = undoBatch(db, id, tools.now().toISOString());
    switch (outcome.kind) {
      case 'undone': {
        const { batch, removed, restored } = outcome;
        return { undone: id, batch, removed, restored };
      }
      case 'missing':
        throw problem('import_unknown', { id });
      case 'undone before':
        throw problem('import_undone_before', { id, by: outcome.by });
      case 'set since':
        throw problem('undo_setting_conflict', { id });
      case 'sync':
        throw problem('sync_not_undoable', { id, source: outcome.source });
      case 'mirrored':
        throw problem('user_mirrored', { user: outcome.user, url: labelOfSource(outcome.baseUrl) });
      case 'conflict':
        throw problem('undo_conflict', {
          id,
          count: outcome.conflicts,
          event: outcome.first.id,
          name: outcome.first.name,
          reason: describeConflict(outcome.first),
        });
    }
  };
  return withWriter(tools.home, undo, tools);
}
