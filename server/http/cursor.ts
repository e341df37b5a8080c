import { hash } from 'node:crypto';
import type { EventQuery, Position } from '../../db/event-list.ts';

/** Which list a cursor belongs to: whose, filtered and sorted how. */
export function scopeOf(userId: number, query: EventQuery): string {
  const { statuses, eventTypes, from, to, words, sort, descending } = query;
  return JSON.stringify([userId, statuses, eventTypes, from, to, words, sort, descending]);
}

const digestLength = 16;
const positionForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(-?\d+)$/;

/**
 * The cursor that goes on after a position. Its digest is no secret: it keeps a cursor from being
 * used for another list by mistake, and a cursor never leads to anything but its user's own events.
 */
export function composeCursor({ at, id }: Position, scope: string): string {
  const digest = hash('sha256', JSON.stringify([scope, at, id]), 'base64url');
  return digest.slice(0, digestLength) + Buffer.from(`${at}${id}`).toString('base64url');
}

/** The position in a cursor; nothing when it was not composed for this very list. */
export function readCursor(cursor: string, scope: string): Position | undefined {
  const text = Buffer.from(cursor.slice(digestLength), 'base64url').toString();
  const [, at, id] = positionForm.exec(text) ?? [];
  if (at === undefined) return undefined;
  const position = { at, id: Number(id) };
  return composeCursor(position, scope) === cursor ? position : undefined;
}
