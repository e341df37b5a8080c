/** The delimiter of a file and the start of its table. */
export type Dialect = {
  readonly delimiter: string;
  /** Number of bytes before the header: a byte order mark, a `sep=` line. */
  readonly start: number;
};

/** Number of bytes at the start of a file from which its dialect is detected. */
export const headLength = 65_536;

const delimiters = [',', ';', '\t'] as const;
const maxRows = 20;

type Counts = Readonly<Record<(typeof delimiters)[number], number>>;

/** Counts the delimiters of each of the first rows, outside quotes. */
function countDelimiters(head: string, isWhole: boolean): Counts[] {
  const rows: Counts[] = [];
  let counts = { ',': 0, ';': 0, '\t': 0 };
  let quoted = false;
  let isEmpty = true;
  for (const character of head) {
    if (character === '"') quoted = !quoted;
    const isEnd = !quoted && (character === '\n' || character === '\r');
    if (!isEnd) isEmpty = false;
    if (isEnd && !isEmpty) {
      if (rows.push(counts) === maxRows) return rows;
      counts = { ',': 0, ';': 0, '\t': 0 };
      isEmpty = true;
    }
    if (!quoted && (character === ',' || character === ';' || character === '\t'))
      counts[character] += 1;
  }
  // The last row may be cut off and lack delimiters.
  return isWhole || rows.length === 0 ? [...rows, ...(isEmpty ? [] : [counts])] : rows;
}

/**
 * Finds the delimiter of the header that most rows have at least as often; by default, the comma.
 */
function findDelimiter(head: string, isWhole: boolean): string {
  const rows = countDelimiters(head, isWhole);
  let best = { delimiter: ',', like: 0, count: 0 };
  for (const delimiter of delimiters) {
    const count = rows[0]?.[delimiter] ?? 0;
    if (count === 0) continue;
    const like = rows.filter((counts) => counts[delimiter] >= count).length;
    if (like < best.like || (like === best.like && count <= best.count)) continue;
    best = { delimiter, like, count };
  }
  return best.delimiter;
}

/** Detects the dialect from the start of a file in UTF-8. */
export function findDialect(head: Buffer, isWhole: boolean): Dialect {
  // Latin-1 has one character per byte, so positions in the text are positions in the file.
  const text = head.toString('latin1');
  const mark = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const table = text.slice(mark);
  const line = /^("?)sep=([\t\x20!#-~])\1(?:\r\n|\n|\r|$)/i.exec(table);
  if (line?.[2] !== undefined) return { delimiter: line[2], start: mark + line[0].length };
  return { delimiter: findDelimiter(table, isWhole), start: mark };
}
