/** Adds the days off of a club. They are calendars to look at, and never events. */
export const createDaysOff = `
CREATE TABLE days_off (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Public holidays of a region, a file, or an address that is read once a day.
  kind TEXT NOT NULL CHECK (kind IN ('public', 'file', 'address')),
  name TEXT NOT NULL,
  -- The code of the region, the name of the file, or the URL.
  source TEXT NOT NULL,
  read_at TEXT NOT NULL,
  -- The days as JSON, by their first one: they are only read and written together.
  days TEXT NOT NULL
) STRICT;

CREATE INDEX days_off_by_user ON days_off (user_id);
`;
