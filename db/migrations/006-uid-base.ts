/** Adds the part of calendar UIDs that is unique to a user (RFC 5545, section 3.8.4.7). */
export const createUidBase = `
-- Random and never changed: with the id of an event it makes the UID of exports.
ALTER TABLE users ADD COLUMN uid_base TEXT NOT NULL DEFAULT '';
UPDATE users SET uid_base = lower(hex(randomblob(8)));

-- For a user that another program adds.
CREATE TRIGGER users_uid_base AFTER INSERT ON users WHEN NEW.uid_base = ''
BEGIN
  UPDATE users SET uid_base = lower(hex(randomblob(8))) WHERE id = NEW.id;
END;
`;
