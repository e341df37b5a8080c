/** Adds the events that an import left out, so that they can be imported later. */
export const createLeftOut = `
CREATE TABLE left_out (
  batch_id INTEGER PRIMARY KEY REFERENCES batches (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  -- The checked events with their origins, as JSON.
  events TEXT NOT NULL,
  -- The batch that imported them later. Numbers of batches are never used again.
  imported_by INTEGER
) STRICT;
`;
