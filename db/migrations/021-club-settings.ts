/** Adds the usual length and the season of a club, and the changes of its settings to the history. */
export const createClubSettings = `
-- Minutes that an event without an end lasts, and the first month of a season, from 1.
ALTER TABLE users ADD COLUMN usual_length INTEGER NOT NULL DEFAULT 120
  CHECK (usual_length BETWEEN 1 AND 1440);
ALTER TABLE users ADD COLUMN season_start INTEGER NOT NULL DEFAULT 7
  CHECK (season_start BETWEEN 1 AND 12);

CREATE TABLE setting_changes (
  batch_id INTEGER PRIMARY KEY REFERENCES batches (id) ON DELETE CASCADE,
  setting TEXT NOT NULL
    CHECK (setting IN ('name', 'zone', 'usualLength', 'seasonStart', 'daysOff')),
  -- The values as text; a calendar of days off as JSON, null for none.
  before TEXT,
  after TEXT
) STRICT;
`;
