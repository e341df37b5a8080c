/**
 * Stores the proofs of lists: the coverage of a mirror becomes intervals of creation times. An
 * earlier version called a list complete if it was full, but one of its events had been skipped.
 * Where an event was ever skipped, only what the last list showed is covered.
 */
export const createListProofs = `
-- Earlier versions counted the time between two proofs by the upstream's clock alone.
ALTER TABLE confirmations ADD COLUMN suspected_locally_at INTEGER;
UPDATE confirmations SET suspected_locally_at = suspected_at;

CREATE TEMP TABLE covered AS
  SELECT id,
    coverage ->> '$.cap' AS cap,
    coverage -> '$.backdates' AS backdates,
    CASE
      WHEN json_array_length(coverage, '$.holes') > 0 THEN coverage ->> '$.holes[#-1].to'
      WHEN coverage ->> '$.horizon' = '' AND json_array_length(state, '$.skipped') > 0
        THEN coalesce(
          (SELECT min(created_at) FROM events
            WHERE user_id = sources.user_id
              AND id IN (SELECT value FROM json_each(sources.listed))),
          '9999-12-31T23:59:59.999Z')
      ELSE coverage ->> '$.horizon'
    END AS after,
    -- Five minutes before the last list, if the online service sent its time.
    CASE
      WHEN state ->> '$.isListDated' = 1
        THEN strftime('%Y-%m-%dT%H:%M:%fZ', (state ->> '$.unconditionalAt') / 1000 - 300, 'unixepoch')
      ELSE ''
    END AS until
  FROM sources
  WHERE listed_at IS NOT NULL;

UPDATE sources SET coverage = json_object(
  'proven', json('[]'), 'last', NULL, 'cap', coverage ->> '$.cap', 'backdates', json('false'));

UPDATE sources SET coverage = json_object(
    'proven', json_array(json_object('after', covered.after, 'until', max(covered.until, covered.after))),
    'last', json_object(
      'after', covered.after, 'until', max(covered.until, covered.after),
      'oldest', covered.after, 'entries', json_array_length(listed)),
    'cap', covered.cap,
    'backdates', json(covered.backdates))
  FROM covered WHERE covered.id = sources.id;

DROP TABLE covered;

-- Questions and problems that no longer exist; the next sync finds what is still true.
UPDATE sources SET state = json_set(state, '$.question', NULL)
  WHERE state ->> '$.question.kind' = 'skip' OR state ->> '$.question.reason' = 'many_missing';
UPDATE sources SET state = json_set(state, '$.problem', NULL)
  WHERE state ->> '$.problem.code' = 'event_invalid';

UPDATE sources SET state = json_remove(json_set(state, '$.unreadable', json('[]'), '$.etag', NULL),
  '$.skipped', '$.unconditionalAt', '$.isListDated', '$.walkedAt', '$.etagLies', '$.recentAbsences');
`;
