/** Lets a club allow assistants to propose changes, and keeps the answers that they got. */
export const allowAssistants = `
ALTER TABLE users ADD COLUMN assistant_proposes INTEGER NOT NULL DEFAULT 0
  CHECK (assistant_proposes IN (0, 1));

-- What an assistant proposed, as a JSON object; null for a proposal of another computer.
ALTER TABLE proposal_answers ADD COLUMN assistant TEXT;
-- How a proposal ended that nobody answered.
ALTER TABLE proposal_answers ADD COLUMN ended TEXT CHECK (ended IN ('expired', 'replaced'));

CREATE TABLE new_setting_changes (
  batch_id INTEGER PRIMARY KEY REFERENCES batches (id) ON DELETE CASCADE,
  setting TEXT NOT NULL CHECK (setting IN
    ('name', 'zone', 'usualLength', 'seasonStart', 'daysOff', 'team', 'assistantProposes')),
  -- The values as text; a calendar of days off and a team as JSON, null for none.
  before TEXT,
  after TEXT
) STRICT;
INSERT INTO new_setting_changes SELECT * FROM setting_changes;
DROP TABLE setting_changes;
ALTER TABLE new_setting_changes RENAME TO setting_changes;
`;
