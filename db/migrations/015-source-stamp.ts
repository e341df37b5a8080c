/** Adds the time of an event's revision in its source, as many calendars never raise SEQUENCE. */
export const createSourceStamp = `
-- Milliseconds since 1970; null if the source gave none, or before this column existed.
ALTER TABLE events ADD COLUMN source_stamp INTEGER;
`;
