export const createRevisionOfAdded = `CREATE TRIGGER revision_of_added AFTER INSERT ON events
BEGIN
  UPDATE users SET revision = revision + 1 WHERE id = NEW.user_id;
END;`;

/** Adds a revision number of each user's events, which every change increments. */
export const createRevisions = `
ALTER TABLE users ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

-- Random for each database, so that another one in its place has other revisions.
CREATE TABLE revision_epoch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch TEXT NOT NULL
) STRICT;
INSERT INTO revision_epoch VALUES (1, lower(hex(randomblob(8))));

${createRevisionOfAdded}

CREATE TRIGGER revision_of_changed AFTER UPDATE OF user_id, id, name, date, location, description,
  status, event_type, registration_open, created_at ON events
BEGIN
  UPDATE users SET revision = revision + 1 WHERE id IN (OLD.user_id, NEW.user_id);
END;

CREATE TRIGGER revision_of_removed AFTER DELETE ON events
BEGIN
  UPDATE users SET revision = revision + 1 WHERE id = OLD.user_id;
END;

-- A user who is added again starts from 0.
CREATE TRIGGER epoch_of_removed_user AFTER DELETE ON users
BEGIN
  UPDATE revision_epoch SET epoch = lower(hex(randomblob(8)));
END;
`;
