/**
 * The full-text tables. Users are sharded over them by id, so that a search reads the words of only
 * one user in 32.
 */
export const searchTables: readonly string[] = Array.from(
  { length: 32 },
  (_, index) => `search_${index}`,
);

// Too many words begin with the same letter to merge them at query time, hence `prefix = 1`.
const createTable = (table: string) => `
CREATE VIRTUAL TABLE ${table} USING fts5(
  words, content = '', columnsize = 0, detail = none, prefix = 1,
  tokenize = 'unicode61 remove_diacritics 2'
);`;

/** Creates the full-text search and the indexes for filtering and sorting. */
export const createSearch = `
-- With all that a filter looks at, so that only the rows of an answer are read.
DROP INDEX events_by_creation;
CREATE INDEX events_by_creation ON events (user_id, created_at, id, date, status, event_type);
CREATE INDEX events_by_date ON events (user_id, date, id, status, event_type);
${searchTables.map(createTable).join('')}

-- Up to which row of all users events are in the full-text tables. It never is above the highest
-- row, so that an event that is added always comes after it. A trigger that wrote to FTS5 would
-- make each INSERT flush its index, which is four times the work of the INSERT itself.
CREATE TABLE search_progress (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last_row INTEGER NOT NULL
) STRICT;
INSERT INTO search_progress VALUES (1, 0);

-- The text that the full-text tables have of events that changed since: FTS5 forgets by text.
CREATE TABLE search_stale (
  user_id INTEGER NOT NULL,
  row INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (user_id, row)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_text_changed AFTER UPDATE OF name, location, description ON events
WHEN (NEW.name <> OLD.name OR NEW.location <> OLD.location OR NEW.description IS NOT OLD.description)
  AND OLD.row <= (SELECT last_row FROM search_progress WHERE id = 1)
BEGIN
  INSERT INTO search_stale VALUES (OLD.user_id, OLD.row,
    OLD.name || char(10) || OLD.location || char(10) || ifnull(OLD.description, ''))
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER events_removed AFTER DELETE ON events
WHEN OLD.row <= (SELECT last_row FROM search_progress WHERE id = 1)
BEGIN
  INSERT INTO search_stale VALUES (OLD.user_id, OLD.row,
    OLD.name || char(10) || OLD.location || char(10) || ifnull(OLD.description, ''))
    ON CONFLICT DO NOTHING;
  UPDATE search_progress SET last_row = (SELECT ifnull(max(row), 0) FROM events)
    WHERE id = 1 AND last_row > (SELECT ifnull(max(row), 0) FROM events);
END;
`;
