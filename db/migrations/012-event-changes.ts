/** Changes are kept for this number of revisions. */
export const recordedRevisions = 100_000;

const noteChange = (event: 'OLD' | 'NEW', condition = '') => `
  INSERT INTO event_changes (user_id, event_id, revision)
    SELECT id, ${event}.id, revision FROM users WHERE id = ${event}.user_id${condition}
    ON CONFLICT (user_id, event_id) DO UPDATE SET revision = excluded.revision;`;

export const createRevisionOfAdded = `CREATE TRIGGER revision_of_added AFTER INSERT ON events
BEGIN
  UPDATE users SET revision = revision + 1 WHERE id = NEW.user_id;${noteChange('NEW')}
END;`;

const createRevisionOfChanged = `CREATE TRIGGER revision_of_changed AFTER UPDATE OF
  user_id, id, name, date, location, description, status, event_type, registration_open, created_at
  ON events
BEGIN
  UPDATE users SET revision = revision + 1 WHERE id IN (OLD.user_id, NEW.user_id);${noteChange('OLD')}${noteChange('NEW', '\n      AND (NEW.user_id <> OLD.user_id OR NEW.id <> OLD.id)')}
END;`;

/** Records the revision of the last change of each event, so that clients can read what changed. */
export const createEventChanges = `
-- One row for each id with a change in the kept revisions. An id without an event was removed.
CREATE TABLE event_changes (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (user_id, event_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_changes_by_revision ON event_changes (user_id, revision, event_id);

CREATE TRIGGER event_changes_outdated AFTER UPDATE OF revision ON users
BEGIN
  DELETE FROM event_changes WHERE user_id = NEW.id AND revision <= NEW.revision - ${recordedRevisions};
END;

DROP TRIGGER revision_of_added;
${createRevisionOfAdded}

DROP TRIGGER revision_of_changed;
${createRevisionOfChanged}

DROP TRIGGER revision_of_removed;
CREATE TRIGGER revision_of_removed AFTER DELETE ON events
BEGIN
  UPDATE users SET revision = revision + 1 WHERE id = OLD.user_id;${noteChange('OLD')}
END;

-- Earlier revisions have no recorded changes.
UPDATE revision_epoch SET epoch = lower(hex(randomblob(8)));
`;
