/** Adds what the members of a club were last told of its events. */
export const createToldStates = `
CREATE TABLE told_states (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- The time of the last message, and its language; null before the first message.
  told_at TEXT NOT NULL,
  language TEXT,
  -- The state of each event then, as JSON. Never the words of a message.
  events TEXT NOT NULL
) STRICT;
`;
