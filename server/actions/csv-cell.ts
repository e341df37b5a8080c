/** What makes a spreadsheet run a cell as a formula, and the mark that keeps it from doing so. */
const risky = /^[=+\-@\t\r']/;

/** A text as a cell that no spreadsheet runs: a risky one gets a `'` in front. */
export function escapeCell(text: string): string {
  return risky.test(text) ? `'${text}` : text;
}

/** The text of a cell that `escapeCell` made; other cells are taken as they are. */
export function unescapeCell(cell: string): string {
  if (!cell.startsWith("'")) return cell;
  const text = cell.slice(1);
  return text === '' || risky.test(text) ? text : cell;
}
