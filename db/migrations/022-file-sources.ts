/** Tells sources that are a file of another computer, without a key, from online services. */
export const createFileSources = `
ALTER TABLE sources ADD COLUMN kind TEXT NOT NULL DEFAULT 'service'
  CHECK (kind IN ('service', 'file'));
`;
