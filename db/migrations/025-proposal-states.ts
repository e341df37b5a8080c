/**
 * Adds the club for which a proposal was made, the earlier ones that it replaces, and what is known
 * about its withdrawal and its answer. The state of a followed file names its club and its revision.
 */
export const createProposalStates = `
ALTER TABLE proposals ADD COLUMN club TEXT NOT NULL DEFAULT '';
ALTER TABLE proposals ADD COLUMN club_name TEXT NOT NULL DEFAULT '';
-- The ids of sent proposals for the same event, as JSON.
ALTER TABLE proposals ADD COLUMN replaces TEXT NOT NULL DEFAULT '[]';
ALTER TABLE proposals ADD COLUMN withdrawn_at TEXT;
-- The time here at which the answer arrived, or a copy that is newer than the withdrawal.
ALTER TABLE proposals ADD COLUMN closed_at TEXT;
-- The epoch of the copy that had the answer.
ALTER TABLE proposals ADD COLUMN epoch TEXT;
UPDATE proposals SET
  club = ifnull((SELECT json_extract(state, '$.club') FROM sources
    WHERE sources.user_id = proposals.user_id), ''),
  club_name = (SELECT name FROM users WHERE users.id = proposals.user_id);
UPDATE proposals SET
  closed_at = ifnull(sent_at, made_at),
  epoch = (SELECT rtrim(rtrim(json_extract(state, '$.revision'), '0123456789'), '.') FROM sources
    WHERE sources.user_id = proposals.user_id)
WHERE accepted IS NOT NULL;
`;
