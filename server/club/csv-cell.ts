/** Characters with which a spreadsheet begins a formula, and the escape character itself. */
const protectedStarts = new Set(['=', '+', '-', '@', '\t', '\r', "'"]);

/** The cell for an empty text, where an empty cell would mean "no value". */
export const emptyTextCell = "'";

/** Escapes a text so that no spreadsheet runs it as a formula; `unescapeCell` reverses this. */
export function escapeCell(text: string): string {
  return protectedStarts.has(text.charAt(0)) ? `'${text}` : text;
}

/** Reverses `escapeCell` and `emptyTextCell`; returns any other cell unchanged. */
export function unescapeCell(cell: string): string {
  // 39 is the apostrophe. This comparison is enough for nearly every cell.
  if (cell.charCodeAt(0) !== 39) return cell;
  return cell === emptyTextCell || protectedStarts.has(cell.charAt(1)) ? cell.slice(1) : cell;
}
