import { hash } from 'node:crypto';
import type { EventQuery, Position } from '../../db/event-list.ts';

/** Returns the scope of a cursor: the user, filter and order of its list. */
export function scopeOf(userId: number, query: EventQuery): string {
  const { statuses, eventTypes, from, to, words, sort, descending } = query;
  return JSON.stringify([userId, statuses, eventTypes, from, to, words, sort, descending]);
}

const digestLength = 16;
const positionForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(-?\d+)$/;

/**
 * Composes a cursor for the events after a position. Its digest is not secret: it only prevents use
 * with another list by mistake. A cursor never gives access to other users' events.
 */
export function composeCursor({ at, id }: Position, scope: string): string {
  const digest = hash('sha256', JSON.stringify([scope, at, id]), 'base64url');
  return digest.slice(0, digestLength) + Buffer.from(`${at}${id}`).toString('base64url');
}

/** Returns the position in a cursor, or undefined if it was not composed for this list. */
export function readCursor(cursor: string, scope: string): Position | undefined {
  const text = Buffer.from(cursor.slice(digestLength), 'base64url').toString();
  const [, at, id] = positionForm.exec(text) ?? [];
  if (at === undefined) return undefined;
  const position = { at, id: Number(id) };
  return composeCursor(position, scope) === cursor ? position : undefined;
}
