/** Adds the person whose proposal was accepted, for the change in the history. */
export const createAnswerSenders = `
ALTER TABLE proposal_answers ADD COLUMN sender TEXT;
CREATE INDEX proposal_answers_by_batch ON proposal_answers (batch, sender) WHERE batch IS NOT NULL;
`;
