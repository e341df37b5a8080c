/** Adds the number and digest of each user's events, which the writers keep for the network side. */
export const createEventTotals = `
-- They are those of the events while digest_revision is the revision: another program may change
-- events, but cannot hash them. The digest of no events is 0.
ALTER TABLE users ADD COLUMN event_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN event_digest TEXT NOT NULL DEFAULT '${'0'.repeat(64)}';
ALTER TABLE users ADD COLUMN digest_revision INTEGER NOT NULL DEFAULT 0;

-- The migration ends with the calculation of all outdated ones.
UPDATE users SET digest_revision = -1;
`;
