import { StoreError } from '../../db/open.ts';
import { isWellFormedKey } from '../club/key-actions.ts';
import { dayMs } from '../dates/units.ts';
import { headerNames } from '../http/headers.ts';
import { type Message, message } from '../messages/message.ts';
import { askService } from '../service/health.ts';
import { type Case, type Findings, ok, trouble, warning } from './finding.ts';
import { ownService } from './services.ts';

type ReadKey = {
  /** The key alone. */
  readonly key: string;
  /** Texts around the key that a script may send by mistake. */
  readonly extras: readonly Message[];
};

const quotes = /^["'`“”„‘’«»]+|["'`“”„‘’«»]+$/g;
const scheme = /^(?:authorization:\s*)?bearer\s+/i;

/** Reads a key from a text, as a file or a pipe has it, which ends with a line break. */
export function readKeyText(text: string): ReadKey {
  const line = text.replace(/\r?\n$/, '');
  const joined = line.replace(/[\r\n]+/g, '');
  const trimmed = joined.trim();
  const unquoted = trimmed.replace(quotes, '');
  const bare = unquoted.replace(scheme, '');
  const key = bare.replace(quotes, '').trim();
  const extras = [
    ...(joined === line ? [] : [message('value:line_break')]),
    ...(trimmed === joined ? [] : [message('value:spaces')]),
    ...(unquoted === trimmed && bare.replace(quotes, '') === bare ? [] : [message('value:quotes')]),
    ...(bare === unquoted ? [] : [message('value:bearer')]),
  ];
  return { key, extras };
}

/** Days before its end from which a key counts as expiring. */
const expiringDays = 14;

/** Examines the clubs and their keys. */
export function probeKeys({ store, now, backups }: Case): Findings {
  if (store instanceof StoreError) {
    const isNew = store.problem === 'missing' && backups.length === 0;
    return isNew ? [trouble('club_none')] : [];
  }
  const { users, keys } = store;
  if (users === 0) return [trouble('club_none')];
  if (keys.length === 0) return [trouble('key_none')];
  const time = now.toISOString();
  const valid = keys.filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > time),
  );
  if (valid.length === 0) return [trouble('key_none_valid')];
  const soon = new Date(now.getTime() + expiringDays * dayMs).toISOString();
  const expiring = valid.flatMap(({ id, user, zone: timeZone, expiresAt }) =>
    expiresAt !== null && expiresAt <= soon
      ? [warning('key_expiring', { id, user, date: expiresAt, timeZone })]
      : [],
  );
  return [ok('keys_valid', { count: valid.length }), ...expiring];
}

/** Explains a key that is not in the database by its form. */
function explainForm(key: string): Findings {
  if (isWellFormedKey(key)) return [trouble('key_not_here')];
  const hasForm = /^ce_[0-9A-Za-z]{36}$/.test(key);
  return [trouble(hasForm ? 'key_typo' : 'key_malformed')];
}

/** Examines the given key. Findings never contain any part of it. */
export function probeGivenKey({ keyText, store, now }: Case): Findings {
  if (keyText === undefined) return [];
  const { key, extras } = readKeyText(keyText);
  if (key === '') return [trouble('key_empty')];
  const decorated = extras.length > 0 ? [trouble('key_decorated', { extras })] : [];
  if (store instanceof StoreError) return decorated;
  const { foundKey } = store;
  if (foundKey === undefined) return [...decorated, ...explainForm(key)];
  const { user, zone: timeZone, expiresAt, revokedAt, hasEvents } = foundKey;
  if (revokedAt !== null) {
    return [...decorated, trouble('key_revoked', { user, date: revokedAt, timeZone })];
  }
  if (expiresAt !== null && expiresAt <= now.toISOString()) {
    return [...decorated, trouble('key_expired', { user, date: expiresAt, timeZone })];
  }
  const empty = hasEvents === 1 ? [] : [warning('key_without_events', { user })];
  return [...decorated, ok('key_valid', { user }), ...empty];
}

/**
 * Requests an event with the given key, as a script does. Only the service of this data directory
 * receives the key, after it has proven its identity.
 */
export async function probeRequest(given: Case): Promise<Findings> {
  const own = ownService(given);
  if (given.keyText === undefined || own === undefined) return [];
  const { key } = readKeyText(given.keyText);
  // Node.js refuses other characters in a header.
  if (!/^[\x21-\x7e]+$/.test(key)) return [];
  const reply = await askService(new URL('/v1/events?limit=1', own.localUrl), {
    Authorization: `Bearer ${key}`,
  });
  if (reply.kind === 'failure') {
    return [trouble('service_silent', { url: own.localUrl, pid: own.pid })];
  }
  if (reply.status === 200) {
    return [
      ok('request_answered', {
        count: Number(reply.headers[headerNames.totalCount.toLowerCase()]),
      }),
    ];
  }
  return [trouble('request_refused', { url: own.baseUrl, status: reply.status })];
}
