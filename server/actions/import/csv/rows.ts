import { CsvError, type CsvErrorCode, Parser } from 'csv-parse';
import { badSource } from '../source.ts';
import { findDialect, headLength } from './dialect.ts';
import { openText, type TextFile } from './text.ts';

/** A row, numbered as spreadsheets do: the header is row 1, and empty ones count. */
export type Row = {
  readonly row: number;
  readonly cells: readonly string[];
  /** The reason for which its cells cannot be told apart; there are none then. */
  readonly problem?: string;
};

/** The longest row that is taken, in characters: a quote that is never closed ends there. */
const longestRow = 1_000_000;
/** What that can be in UTF-8. */
const mostBytes = 4 * longestRow;

const sentences: Readonly<Partial<Record<CsvErrorCode, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed; the file may have been cut off',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; double the quotes inside a cell',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell; put the cell in quotes and double it',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${longestRow} characters; a quote may not be closed`,
};

function describe(error: CsvError): string {
  return sentences[error.code] ?? `it is not valid CSV: ${error.message}`;
}

function isEmpty(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '') return false;
  return true;
}

/** Collects rows with their numbers; asking csv-parse for them would copy its state each time. */
class RowParser extends Parser {
  /** The parser has these, and its types leave them out. */
  declare readonly state: { quoting: boolean; record: readonly string[] };
  #rows: Row[] = [];
  #badRows = 0;
  #badRecord: readonly string[] | undefined;
  #fed = 0;
  #fedBefore = 0;
  #rowBefore = 0;

  constructor(delimiter: string) {
    super({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      // Rows of another length are judged where the header is known.
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: longestRow,
      skip_records_with_error: true,
      on_skip: (error) => {
        if (error !== undefined) this.#takeBadRow(error);
        return undefined;
      },
    });
    // Errors come out of the calls below; without a listener they would end the process as well.
    this.on('error', () => undefined);
  }

  override push(cells: string[] | null): boolean {
    if (cells === null) return super.push(null);
    if (!isEmpty(cells)) this.#rows.push({ row: this.#count(), cells });
    return true;
  }

  /** Takes a row with a stray quote as bad. Throws when a quote is open to the end of the file. */
  #takeBadRow(error: CsvError): void {
    if (error.code !== 'CSV_INVALID_CLOSING_QUOTE' && error.code !== 'INVALID_OPENING_QUOTE') {
      throw error;
    }
    // The row ends with its line: a quote left open here would take in the rows after it.
    this.state.quoting = false;
    // The parser has an array for each row, and reports every quote of it.
    if (this.#badRecord === this.state.record) return;
    this.#badRecord = this.state.record;
    this.#rows.push({ row: this.nextRow(), cells: [], problem: describe(error) });
    this.#badRows += 1;
  }

  /** Parses a piece of text, or ends it; resolves to what went wrong. */
  parse(chunk: Buffer | undefined): Promise<Error | undefined> {
    this.#fed += chunk?.length ?? 0;
    return new Promise((resolve) => {
      const done = (error?: Error | null) => resolve(error ?? undefined);
      if (chunk === undefined) this.end(done);
      else this.write(chunk, done);
    });
  }

  /** Whether the last row is endless: csv-parse counts its characters, but not its empty cells. */
  isEndless(): boolean {
    if (this.#count() !== this.#rowBefore) this.#fedBefore = this.#fed;
    this.#rowBefore = this.#count();
    return this.#fed - this.#fedBefore > mostBytes;
  }

  takeRows(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** The row after the last one that was complete. */
  nextRow(): number {
    return this.#count() + 1;
  }

  #count(): number {
    return this.info.records + this.info.empty_lines + this.#badRows;
  }
}

/** The text in pieces, the first of which is long enough to decide by, if the file is. */
async function* gatherHead(text: TextFile): AsyncGenerator<Buffer> {
  let head: Buffer[] | undefined = [];
  let length = 0;
  for await (const chunk of openText(text)) {
    length += chunk.length;
    if (head === undefined) {
      yield chunk;
    } else if (head.push(chunk) > 0 && length >= headLength) {
      yield Buffer.concat(head);
      head = undefined;
    }
  }
  if (head !== undefined) yield Buffer.concat(head);
}

/** Reads the rows of a CSV file (RFC 4180), many at a time. Throws `bad_input` naming the row. */
export async function* readRows(text: TextFile): AsyncGenerator<readonly Row[]> {
  let parser: RowParser | undefined;
  const refuse = (error: Error): never => {
    if (!(error instanceof CsvError)) throw error;
    throw badSource(text.file.name, `row ${parser?.nextRow()}`, describe(error));
  };
  for await (const chunk of gatherHead(text)) {
    let piece = chunk;
    if (parser === undefined) {
      const { delimiter, start } = findDialect(
        chunk.subarray(0, headLength),
        chunk.length < headLength,
      );
      parser = new RowParser(delimiter);
      piece = chunk.subarray(start);
    }
    const error = await parser.parse(piece);
    yield parser.takeRows();
    if (error !== undefined) refuse(error);
    if (parser.isEndless()) refuse(new CsvError('CSV_MAX_RECORD_SIZE', ''));
  }
  const error = await parser?.parse(undefined);
  yield parser?.takeRows() ?? [];
  if (error !== undefined) refuse(error);
}
