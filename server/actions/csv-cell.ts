/** What a spreadsheet takes for the beginning of a formula, and the sign that protects from it. */
const protectedStarts = new Set(['=', '+', '-', '@', '\t', '\r', "'"]);

/** How an empty text is written where an empty cell would say that there is none. */
export const emptyTextCell = "'";

/** Writes a text so that no spreadsheet runs it as a formula; `unescapeCell` gives it back. */
export function escapeCell(text: string): string {
  return protectedStarts.has(text.charAt(0)) ? `'${text}` : text;
}

/** Takes back what `escapeCell` or `emptyTextCell` wrote; any other cell is its own text. */
export function unescapeCell(cell: string): string {
  // 39 is the sign itself; nearly every cell is done after this comparison.
  if (cell.charCodeAt(0) !== 39) return cell;
  return cell === emptyTextCell || protectedStarts.has(cell.charAt(1)) ? cell.slice(1) : cell;
}
