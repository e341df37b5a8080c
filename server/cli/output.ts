import type { Writable } from 'node:stream';
import { fileError, type Problem } from '../base/errors.ts';
import { type Progress, thisMachine } from '../club/tools.ts';
import { createLocalDates } from '../dates/zone.ts';
import { argumentText, problemMessage } from '../messages/message.ts';

export type Streams = { readonly stdout: Writable; readonly stderr: Writable };

/** Results on stdout, everything else on stderr (INTERFACE section 3). */
export type Output = {
  /** True if results are written as JSON. */
  readonly json: boolean;
  /** Writes the result as JSON if requested, else as text. Throws the same errors as `write`. */
  result(value: unknown, text: string): Promise<void>;
  /** Writes and flushes a piece of a result. Throws `ReaderGone` or `unavailable`. */
  write(piece: string | Uint8Array): Promise<void>;
  note(sentence: string): void;
  /** Shows the progress of a long action, only on a terminal. */
  progress(progress: Progress): void;
  /** Reports, only once, that another program holds the database. */
  waiting(): void;
};

/** Characters that control a terminal or reorder its text, but for tabs and line breaks. */
const controls = /(?!\t|\n|\r\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Writes control characters as JSON does: texts come from files and services. */
function printable(text: string): string {
  const codeOf = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
  return text.replace(controls, (character) => `\\u${codeOf(character)}`);
}

/**
 * Writes the club of the running command into the commands of a sentence, so that they can be copied. A
 * command with quotes of its own then stands in single ones.
 */
export function nameClub(sentence: string, user = ''): string {
  const club = argumentText(user, '');
  if (user === '' || club === '') return sentence;
  const fill = (text: string) => text.replaceAll('--user NAME', () => `--user ${club}`);
  if (!club.startsWith('"')) return fill(sentence);
  const quoted = /"(club-events [^"]*--user NAME[^"]*)"/g;
  return fill(sentence.replace(quoted, (_, command) => `'${fill(command)}'`));
}

type OutputOptions = {
  readonly json: boolean;
  /** The club of the command. */
  readonly user?: string | undefined;
};

export function createOutput({ stdout, stderr }: Streams, { json, user }: OutputOptions): Output {
  const write = (piece: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      stdout.write(piece, (error) => (error ? reject(outputError(error)) : resolve()));
    });
  const note = (sentence: string) => void stderr.write(`${printable(nameClub(sentence, user))}\n`);
  let saidWaiting = false;
  return {
    json,
    result: (value, text) => write(`${json ? JSON.stringify(value) : printable(text)}\n`),
    write,
    note,
    progress: createProgressLine(stderr),
    waiting() {
      if (!saidWaiting) note('Another program is changing the data; waiting until it is done.');
      saidWaiting = true;
    },
  };
}

/** The error of a stdout that its reader has closed, as in `… | head -1`. */
export class ReaderGone extends Error {}

/** Converts an error of stdout to `ReaderGone` or `unavailable`. */
export function outputError(error: NodeJS.ErrnoException): unknown {
  return error.code === 'EPIPE' ? new ReaderGone() : fileError(error, 'standard output');
}

const barLength = 20;

/** Creates a function that redraws one progress line on a terminal, and does nothing elsewhere. */
function createProgressLine(stream: Writable): (progress: Progress) => void {
  if (!('isTTY' in stream && stream.isTTY)) return () => undefined;
  let file = '';
  let started = 0;
  return (progress) => {
    if (progress.file !== file) {
      file = progress.file;
      started = performance.now();
    }
    const shown = { ...progress, file: printable(progress.file) };
    const line = describeProgress(shown, (performance.now() - started) / 1000);
    // Return to the start of the line, and erase the rest of the earlier text.
    stream.write(progress.done ? '\r\u001b[K' : `\r${line}\u001b[K`);
    if (progress.done) file = '';
  };
}

/** Returns a line such as `season.csv  ██░░  50 %  610 rows  310 rows/s  0:02 left`. */
export function describeProgress({ file, share, rows }: Progress, seconds: number): string {
  const filled = Math.round(share * barLength);
  const bar = '█'.repeat(filled) + '░'.repeat(barLength - filled);
  const rate = Math.round(rows / Math.max(seconds, 0.001));
  const left = share > 0 ? `${timeText((seconds * (1 - share)) / share)} left` : '';
  return `${file}  ${bar}  ${Math.round(share * 100)} %  ${rows} rows  ${rate} rows/s  ${left}`;
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Words a problem; the messages are loaded on demand, because most commands succeed. */
export async function wordForTerminal(problem: Problem): Promise<string> {
  const { wordForCommandLine } = await import('../messages/messages.ts');
  const { code, values } = problem;
  const { time } = values;
  if (typeof time !== 'number') return wordForCommandLine(problemMessage(problem));
  const localDate = createLocalDates(String(values['timeZone'] || thisMachine.systemTimeZone()));
  const dated = { ...values, time: localDate(new Date(time).toISOString()) };
  return wordForCommandLine(problemMessage({ code, values: dated }));
}
