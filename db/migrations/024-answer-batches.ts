/** Adds the change in the history that accepted a proposal, whose undo makes the answer a refusal. */
export const createAnswerBatches = `
ALTER TABLE proposal_answers ADD COLUMN batch INTEGER;
`;
