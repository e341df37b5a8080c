import { CsvError, type CsvErrorCode, Parser } from 'csv-parse';
import { type Message, message } from '../../messages/message.ts';
import { decodeText, type Encoding, nameOf } from '../encoding.ts';
import { badSource, type SourceFile, type SourceOptions } from '../source.ts';
import type { Row } from '../table/table.ts';
import { detectEncoding, type Fingerprint, openAgain, surveyFile } from './detect-encoding.ts';

/** A text file with its encoding and fingerprint, which can be read any number of times. */
type TextFile = {
  readonly file: SourceFile;
  readonly fingerprint: Fingerprint;
  readonly encoding: Encoding;
};

/**
 * Detects the encoding of a file unless the user chose one, and notes it if it is not obvious.
 * Throws `bad_input` if the file is not text or its encoding is unclear.
 */
export async function findText(
  file: SourceFile,
  { encoding: requested, note }: Pick<SourceOptions, 'encoding' | 'note'>,
): Promise<TextFile> {
  const survey = await surveyFile(file);
  const { fingerprint, isUtf8, start } = survey;
  if (requested === 'utf-8' && !isUtf8) {
    throw badSource(file.name, undefined, message('reason:not_utf8'));
  }
  if (requested !== undefined) return { file, fingerprint, encoding: requested };
  const encoding = await detectEncoding(file, survey);
  const isMarked = encoding.startsWith('utf-16') && (start[0] ?? 0) >= 0xfe;
  if (encoding !== 'utf-8' && !isMarked) {
    note(message('note:encoding', { encoding: nameOf(encoding) }));
  }
  return { file, fingerprint, encoding };
}

/** Reads the text of a file as UTF-8, with its byte order mark if it has one. */
function openText({ file, fingerprint, encoding }: TextFile): AsyncGenerator<Buffer> {
  const bytes = openAgain(file, fingerprint);
  return encoding === 'utf-8' ? bytes : decodeText(bytes, encoding, file.name);
}

/** The delimiter of a file and the start of its table. */
type Dialect = {
  readonly delimiter: string;
  /** Number of bytes before the header: a byte order mark, a `sep=` line. */
  readonly start: number;
};

/** Number of bytes at the start of a file from which its dialect is detected. */
const headLength = 65_536;

const delimiters = [',', ';', '\t', '|'] as const;
const maxRows = 20;

type Delimiter = (typeof delimiters)[number];
type Counts = Readonly<Record<Delimiter, number>>;

function noDelimiters(): Record<Delimiter, number> {
  return { ',': 0, ';': 0, '\t': 0, '|': 0 };
}

function isDelimiter(character: string): character is Delimiter {
  return character === ',' || character === ';' || character === '\t' || character === '|';
}

/** Counts the delimiters of each of the first rows, outside quotes. */
function countDelimiters(head: string, isWhole: boolean): Counts[] {
  const rows: Counts[] = [];
  let counts = noDelimiters();
  let quoted = false;
  let isEmpty = true;
  for (const character of head) {
    if (character === '"') quoted = !quoted;
    const isEnd = !quoted && (character === '\n' || character === '\r');
    if (!isEnd) isEmpty = false;
    if (isEnd && !isEmpty) {
      if (rows.push(counts) === maxRows) return rows;
      counts = noDelimiters();
      isEmpty = true;
    }
    if (!quoted && isDelimiter(character)) counts[character] += 1;
  }
  // The last row may be cut off and lack delimiters.
  return isWhole || rows.length === 0 ? [...rows, ...(isEmpty ? [] : [counts])] : rows;
}

/** Returns the number that occurs most often, or the larger of two. */
function findMode(numbers: readonly number[]): number {
  const times = new Map<number, number>();
  for (const number of numbers) times.set(number, (times.get(number) ?? 0) + 1);
  const [[mode] = [0]] = [...times].sort(([a, m], [b, n]) => n - m || b - a);
  return mode;
}

/**
 * Finds the delimiter of which most rows have the usual number; by default, the comma. A title
 * above the header has none.
 */
function findDelimiter(head: string, isWhole: boolean): string {
  const rows = countDelimiters(head, isWhole);
  let best = { delimiter: ',', like: 0, count: 0 };
  for (const delimiter of delimiters) {
    const count = findMode(rows.map((counts) => counts[delimiter]).filter((one) => one > 0));
    if (count === 0) continue;
    const like = rows.filter((counts) => counts[delimiter] >= count).length;
    if (like < best.like || (like === best.like && count <= best.count)) continue;
    best = { delimiter, like, count };
  }
  return best.delimiter;
}

/** Detects the dialect from the start of a file in UTF-8. */
function findDialect(head: Buffer, isWhole: boolean): Dialect {
  // Latin-1 has one character per byte, so positions in the text are positions in the file.
  const text = head.toString('latin1');
  const mark = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const table = text.slice(mark);
  const line = /^("?)sep=([\t\x20!#-~])\1(?:\r\n|\n|\r|$)/i.exec(table);
  if (line?.[2] !== undefined) return { delimiter: line[2], start: mark + line[0].length };
  return { delimiter: findDelimiter(table, isWhole), start: mark };
}

/** Maximum row length in characters, at which an unclosed quote ends. */
const maxRowLength = 1_000_000;
/** Maximum row length in bytes of UTF-8. */
const maxRowBytes = 4 * maxRowLength;

const reasons: Readonly<Partial<Record<CsvErrorCode, Message>>> = {
  CSV_QUOTE_NOT_CLOSED: message('reason:quote_unclosed'),
  CSV_INVALID_CLOSING_QUOTE: message('reason:text_after_quote'),
  CSV_MAX_RECORD_SIZE: message('reason:row_too_long', { limit: maxRowLength }),
};

function isEmpty(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '') return false;
  return true;
}

/** Collects rows and their numbers; csv-parse would copy its state for each row to report them. */
class RowParser extends Parser {
  /** Members of the parser that its types omit. */
  declare readonly state: {
    quoting: boolean;
    recordHasError: boolean;
    record: readonly string[];
  };
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

  /**
   * Records a row with text behind a closing quote as bad; a quote within a cell is a part of it, as in
   * spreadsheets. Throws any other error, such as an unclosed quote.
   */
  #takeBadRow(error: CsvError): void {
    if (error.code === 'INVALID_OPENING_QUOTE') {
      this.state.recordHasError = this.#badRecord === this.state.record;
      return;
    }
    const problem = error.code === 'CSV_INVALID_CLOSING_QUOTE' ? reasons[error.code] : undefined;
    if (problem === undefined) throw error;
    // End the row with its line; a quote left open would swallow the following rows.
    this.state.quoting = false;
    // The parser reports every quote of a row, and has a new array for each row.
    if (this.#badRecord === this.state.record) return;
    this.#badRecord = this.state.record;
    this.#rows.push({ row: this.nextRow(), cells: [], problem });
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
    const reason = error instanceof CsvError ? reasons[error.code] : undefined;
    if (reason === undefined) throw error;
    const place = message('place:row', { row: parser?.nextRow() ?? 1 });
    throw badSource(text.file.name, place, reason);
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
