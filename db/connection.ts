import Database from 'better-sqlite3';
import { wordsOf } from './fold.ts';
import type { EventType } from './model.ts';
import { userMark } from './search-words.ts';
import { teamMatcher } from './team-filter.ts';

/** Zones that were looked up; empty for one that this machine does not know. */
const zones = new Map<unknown, unknown>();

/** Returns a zone that this machine knows; empty for another one, as from newer data of time zones. */
function knownZone(timeZone: unknown): unknown {
  if (timeZone === '' || typeof timeZone !== 'string') return timeZone;
  if (!zones.has(timeZone)) {
    try {
      zones.set(timeZone, new Intl.DateTimeFormat('en', { timeZone }) && timeZone);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      zones.set(timeZone, '');
    }
  }
  return zones.get(timeZone);
}

/** The filter of a team as its key, and its test. One is enough, as a statement has one team. */
let lastFilter = { key: '', isIn: (_: Parameters<ReturnType<typeof teamMatcher>>[0]) => false };

/** Returns 1 for an event of the team of `key`, else 0. */
function inTeam(key: unknown, name: unknown, location: unknown, type: unknown): 0 | 1 {
  if (key !== lastFilter.key) {
    lastFilter = { key: String(key), isIn: teamMatcher(JSON.parse(String(key))) };
  }
  const eventType = type as EventType | null;
  return lastFilter.isIn({ name: String(name), location: String(location), eventType }) ? 1 : 0;
}

/**
 * Opens every connection of this program. The schema of a file from somebody else must not run
 * anything: https://sqlite.org/pragma.html#pragma_trusted_schema
 */
export function connect(file: string | Buffer, options: Database.Options = {}): Database.Database {
  const sqlite = new Database(file, options);
  sqlite.pragma('trusted_schema = OFF');
  sqlite.function('search_words', { deterministic: true }, (userId, text) => {
    const mark = userMark(Number(userId));
    const words = wordsOf(String(text));
    return words.length === 0 ? '' : mark + words.join(` ${mark}`);
  });
  sqlite.function('in_team', { deterministic: true }, inTeam);
  sqlite.function('known_zone', { deterministic: true }, knownZone);
  return sqlite;
}
