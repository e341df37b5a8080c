/** All migrations of the record, oldest first; each runs in the transaction that counts it. */
export const migrations: readonly string[] = [
  `
CREATE TABLE club_events.clubs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  zone text NOT NULL,
  uid_base text NOT NULL,
  -- The id of the push that made this revision.
  epoch text NOT NULL,
  revision bigint NOT NULL,
  -- Those of the home, which nodes answer.
  event_count integer NOT NULL,
  event_digest text NOT NULL
);

CREATE TABLE club_events.keys (
  -- SHA-256 of the key; the key itself is stored nowhere.
  digest bytea PRIMARY KEY CHECK (length(digest) = 32),
  -- The number of the change that made it.
  id bigint NOT NULL UNIQUE,
  club integer NOT NULL REFERENCES club_events.clubs,
  label text,
  created_at text NOT NULL,
  expires_at text,
  revoked_at text
);
CREATE INDEX keys_by_club ON club_events.keys (club);

-- Timestamps are texts, so that every node answers the same bytes.
CREATE TABLE club_events.events (
  club integer NOT NULL REFERENCES club_events.clubs,
  id bigint NOT NULL,
  name text NOT NULL,
  date text NOT NULL,
  location text NOT NULL,
  description text,
  status text NOT NULL,
  event_type text,
  registration_open boolean,
  created_at text NOT NULL,
  source_key text,
  revision bigint NOT NULL,
  PRIMARY KEY (club, id)
);
CREATE INDEX events_by_revision ON club_events.events (club, revision);

CREATE TABLE club_events.removed (
  club integer NOT NULL REFERENCES club_events.clubs,
  id bigint NOT NULL,
  revision bigint NOT NULL,
  PRIMARY KEY (club, id)
);

CREATE TABLE club_events.log (
  number bigint PRIMARY KEY,
  id text NOT NULL UNIQUE CHECK (id ~ '^[0-9a-f]{16}$'),
  club integer NOT NULL REFERENCES club_events.clubs,
  kind text NOT NULL CHECK (kind IN ('events', 'club', 'key')),
  -- The revision of the club that a push of events made.
  revision bigint,
  time timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK ((kind = 'events') = (revision IS NOT NULL))
);
CREATE INDEX log_by_club ON club_events.log (club, revision);
`,
  `
-- The log outlives a removed club.
ALTER TABLE club_events.log DROP CONSTRAINT log_club_fkey;
`,
];
