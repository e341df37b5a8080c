import type { Writable } from 'node:stream';
import type { Progress } from '../actions/import/progress.ts';

const barLength = 20;

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** `season.csv  ██████░░░░  60 %  61,000 rows  31,000 rows/s  0:02 left`. */
export function describeProgress({ file, share, rows }: Progress, seconds: number): string {
  const filled = Math.round(share * barLength);
  const bar = '█'.repeat(filled) + '░'.repeat(barLength - filled);
  const rate = Math.round(rows / Math.max(seconds, 0.001));
  const left = share > 0 ? `${timeText((seconds * (1 - share)) / share)} left` : '';
  return `${file}  ${bar}  ${Math.round(share * 100)} %  ${rows} rows  ${rate} rows/s  ${left}`;
}

/** Draws progress over and over on one line of a terminal, and nothing elsewhere. */
export function createProgressLine(stream: Writable): (progress: Progress) => void {
  if (!('isTTY' in stream && stream.isTTY)) return () => undefined;
  let file = '';
  let started = 0;
  return (progress) => {
    if (progress.file !== file) {
      file = progress.file;
      started = performance.now();
    }
    const line = describeProgress(progress, (performance.now() - started) / 1000);
    // Back to the beginning of the line, and away with what is left of the last one.
    stream.write(progress.done ? '\r\u001b[K' : `\r${line}\u001b[K`);
    if (progress.done) file = '';
  };
}
