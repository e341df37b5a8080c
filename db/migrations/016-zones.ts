/** Adds the time zone of a club, in which its dates and times are meant. */
export const createZones = `
-- An IANA name. Empty for a user from before this column or from another program, until the next
-- writer stores the zone of its computer.
ALTER TABLE users ADD COLUMN zone TEXT NOT NULL DEFAULT '';
`;
