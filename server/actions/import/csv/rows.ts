import { CsvError, type CsvErrorCode, Parser } from 'csv-parse';
import { badSource } from '../source.ts';
import { findDialect, headLength } from './dialect.ts';
import { openText, type TextFile } from './text.ts';

/** A row, numbered as in spreadsheets: the header is row 1, and empty rows count. */
export type Row = {
  readonly row: number;
  readonly cells: readonly string[];
  /** The reason why the cells cannot be parsed; `cells` is empty then. */
  readonly problem?: string;
};

/** Maximum row length in characters, at which an unclosed quote ends. */
const maxRowLength = 1_000_000;
/** Maximum row length in bytes of UTF-8. */
const maxRowBytes = 4 * maxRowLength;

const sentences: Readonly<Partial<Record<CsvErrorCode, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed; the file may have been cut off',
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote; double the quotes inside a cell',
  INVALID_OPENING_QUOTE: 'a quote stands inside a cell; put the cell in quotes and double it',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${maxRowLength} characters; a quote may not be closed`,
};

function describe(error: CsvError): string {
  return sentences[error.code] ?? `it is not valid CSV: ${error.message}`;
}

function isEmpty(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '') return false;
  return true;
}

/** Collects rows and their numbers; csv-parse would copy its state for each row to report them. */
class RowParser extends Parser {
  /** Members of the parser that its types omit. */
  declare readonly state: { quoting: boolean; record: readonly string[] };
  #rows: Row[] = [];
  #badRows = 0;
  #badRecord: readonly string[] | undefined;
  #bytesParsed = 0;
  #bytesBeforeRow = 0;
  #lastRow = 0;

  constructor(delimiter: string) {
    super({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      // Row lengths are checked later, when the header is known.
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRowLength,
      skip_records_with_error: true,
      on_skip: (error) => {
        if (error !== undefined) this.#takeBadRow(error);
        return undefined;
      },
    });
    // The calls below report errors; without a listener, these would also end the process.
    this.on('error', () => undefined);
  }

  override push(cells: string[] | null): boolean {
    if (cells === null) return super.push(null);
    if (!isEmpty(cells)) this.#rows.push({ row: this.#count(), cells });
    return true;
  }

  /** Records a row with a stray quote as bad. Throws any other error, such as an unclosed quote. */
  #takeBadRow(error: CsvError): void {
    if (error.code !== 'CSV_INVALID_CLOSING_QUOTE' && error.code !== 'INVALID_OPENING_QUOTE') {
      throw error;
    }
    // End the row with its line; a quote left open would swallow the following rows.
    this.state.quoting = false;
    // The parser reports every quote of a row, and has a new array for each row.
    if (this.#badRecord === this.state.record) return;
    this.#badRecord = this.state.record;
    this.#rows.push({ row: this.nextRow(), cells: [], problem: describe(error) });
    this.#badRows += 1;
  }

  /** Parses a piece of text, or ends the input; resolves to an error if there is one. */
  parse(chunk: Buffer | undefined): Promise<Error | undefined> {
    this.#bytesParsed += chunk?.length ?? 0;
    return new Promise((resolve) => {
      const done = (error?: Error | null) => resolve(error ?? undefined);
      if (chunk === undefined) this.end(done);
      else this.write(chunk, done);
    });
  }

  /** Recognises an endless row; csv-parse counts its characters, but not its empty cells. */
  isEndless(): boolean {
    if (this.#count() !== this.#lastRow) this.#bytesBeforeRow = this.#bytesParsed;
    this.#lastRow = this.#count();
    return this.#bytesParsed - this.#bytesBeforeRow > maxRowBytes;
  }

  takeRows(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  nextRow(): number {
    return this.#count() + 1;
  }

  #count(): number {
    return this.info.records + this.info.empty_lines + this.#badRows;
  }
}

/** Yields the text in pieces; the first one has `headLength` bytes or more, if the text has. */
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
