/** How the cells of a file are set apart, and where its table begins. */
export type Dialect = {
  readonly delimiter: string;
  /** How many bytes stand before the header: a byte order mark, a `sep=` line. */
  readonly start: number;
};

/** How many bytes at the beginning of a file the decision is made by. */
export const headLength = 65_536;

const delimiters = [',', ';', '\t'] as const;
const mostRows = 20;

type Counts = Readonly<Record<(typeof delimiters)[number], number>>;

/** Counts the delimiters of each of the first rows, outside quotes. */
function countDelimiters(head: string, isWhole: boolean): Counts[] {
  const rows: Counts[] = [];
  let counts = { ',': 0, ';': 0, '\t': 0 };
  let quoted = false;
  let isEmpty = true;
  for (const sign of head) {
    if (sign === '"') quoted = !quoted;
    const isEnd = !quoted && (sign === '\n' || sign === '\r');
    if (!isEnd) isEmpty = false;
    if (isEnd && !isEmpty) {
      if (rows.push(counts) === mostRows) return rows;
      counts = { ',': 0, ';': 0, '\t': 0 };
      isEmpty = true;
    }
    if (!quoted && (sign === ',' || sign === ';' || sign === '\t')) counts[sign] += 1;
  }
  // A row that the head cuts off has fewer delimiters than it will have.
  return isWhole || rows.length === 0 ? [...rows, ...(isEmpty ? [] : [counts])] : rows;
}

/** The delimiter that the header has and most rows have as often; the comma where none has. */
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

/** Decides by the beginning of a file, in UTF-8, how its cells are set apart. */
export function findDialect(head: Buffer, isWhole: boolean): Dialect {
  // Latin-1 has a character for each byte, so that places in the text are places in the file.
  const text = head.toString('latin1');
  const mark = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const table = text.slice(mark);
  const line = /^("?)sep=([\t\x20!#-~])\1(?:\r\n|\n|\r|$)/i.exec(table);
  if (line?.[2] !== undefined) return { delimiter: line[2], start: mark + line[0].length };
  return { delimiter: findDelimiter(table, isWhole), start: mark };
}
