import { searchTables } from './003-search.ts';

/** One full-text table for all users, and no columns that repeat what the events say. */
export const createSingleSearch = `
DROP INDEX events_as_json;
ALTER TABLE events DROP COLUMN newest;

DROP TRIGGER events_text_changed;
DROP TRIGGER events_removed;
ALTER TABLE users DROP COLUMN counted_events;
DROP TABLE search_stale;
${searchTables.map((table) => `DROP TABLE ${table};`).join('\n')}

-- Every word begins with two characters for its user (search.ts), so that a search reads the words of
-- one user. The prefix index answers searches for a single letter, which match half of all events.
CREATE VIRTUAL TABLE search USING fts5(
  words, content = '', contentless_delete = 1, detail = none, prefix = 3, tokenize = 'ascii'
);

-- The full-text table has the events up to this row. It is never above the highest row, so that an
-- event that is added always comes after it. A trigger that wrote to FTS5 would make each INSERT flush
-- its index, which takes four times as long as the INSERT itself.
UPDATE search_progress SET last_row = 0;

-- Indexed rows whose event has changed or is gone.
CREATE TABLE search_stale (row INTEGER PRIMARY KEY) STRICT;

CREATE TRIGGER events_text_changed AFTER UPDATE OF user_id, name, location, description ON events
WHEN OLD.row <= (SELECT last_row FROM search_progress WHERE id = 1)
BEGIN
  INSERT INTO search_stale VALUES (OLD.row) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER events_removed AFTER DELETE ON events
WHEN OLD.row <= (SELECT last_row FROM search_progress WHERE id = 1)
BEGIN
  INSERT INTO search_stale VALUES (OLD.row) ON CONFLICT DO NOTHING;
  UPDATE search_progress SET last_row = (SELECT ifnull(max(row), 0) FROM events)
    WHERE id = 1 AND last_row > (SELECT ifnull(max(row), 0) FROM events);
END;
`;
