/**
 * Adds the changes that a copy proposes to the computer it follows, and the answers that this computer
 * gave to those of others.
 */
export const createProposals = `
CREATE TABLE proposals (
  id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('add', 'change', 'remove')),
  -- The event as it was here, as JSON; null for a new one.
  event TEXT,
  -- The proposed values by field, as JSON.
  new_values TEXT NOT NULL,
  -- The revision of the file on which it was made.
  revision TEXT NOT NULL,
  made_at TEXT NOT NULL,
  -- The person, the words to the first computer and the time of the first sending; null before it.
  sender TEXT,
  note TEXT,
  sent_at TEXT,
  -- Null until the file of the first computer has the answer.
  accepted INTEGER CHECK (accepted IN (0, 1)),
  reason TEXT
) STRICT;
CREATE INDEX proposals_by_user ON proposals (user_id, made_at, id);

CREATE TABLE proposal_answers (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  accepted INTEGER NOT NULL CHECK (accepted IN (0, 1)),
  reason TEXT NOT NULL,
  answered_at TEXT NOT NULL,
  PRIMARY KEY (user_id, id)
) STRICT;
CREATE INDEX proposal_answers_by_time ON proposal_answers (user_id, answered_at, id);
`;
