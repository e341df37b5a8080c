/** Adds the state by which a write-ahead log and the database file recognise each other. */
export const createStoreState = `
CREATE TABLE store_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Random for each database.
  store TEXT NOT NULL,
  -- The number of transactions.
  sequence INTEGER NOT NULL,
  -- The sequence of the database file when the present log began.
  log_base INTEGER NOT NULL
) STRICT;
INSERT INTO store_state VALUES (1, lower(hex(randomblob(8))), 0, 0);
`;
