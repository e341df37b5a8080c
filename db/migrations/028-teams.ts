/** Adds the teams of a club, and their changes to the history. */
export const createTeams = `
-- A team is a stored filter: no event knows it.
CREATE TABLE teams (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Random, so that a file of a team never means another one. A copy of the club has the same.
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- The mark: up to three letters on one of five colours.
  letters TEXT NOT NULL,
  colour INTEGER NOT NULL CHECK (colour BETWEEN 1 AND 5),
  -- Texts of names and places, with commas between several; empty for any.
  words TEXT NOT NULL,
  without TEXT NOT NULL,
  place TEXT NOT NULL,
  -- Null for any.
  event_type TEXT
    CHECK (event_type IN ('national', 'international', 'regional', 'club', 'none')),
  position INTEGER NOT NULL,
  -- The revision of the club's events at the last change of the team.
  revision INTEGER NOT NULL,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX teams_by_position ON teams (user_id, position, id);

CREATE TABLE new_setting_changes (
  batch_id INTEGER PRIMARY KEY REFERENCES batches (id) ON DELETE CASCADE,
  setting TEXT NOT NULL
    CHECK (setting IN ('name', 'zone', 'usualLength', 'seasonStart', 'daysOff', 'team')),
  -- The values as text; a calendar of days off and a team as JSON, null for none.
  before TEXT,
  after TEXT
) STRICT;
INSERT INTO new_setting_changes SELECT * FROM setting_changes;
DROP TABLE setting_changes;
ALTER TABLE new_setting_changes RENAME TO setting_changes;
`;
