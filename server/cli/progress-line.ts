import type { Writable } from 'node:stream';
import type { Progress } from '../actions/import/progress.ts';

const barLength = 20;

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Returns a line such as `season.csv  ██░░  50 %  610 rows  310 rows/s  0:02 left`. */
export function describeProgress({ file, share, rows }: Progress, seconds: number): string {
  const filled = Math.round(share * barLength);
  const bar = '█'.repeat(filled) + '░'.repeat(barLength - filled);
  const rate = Math.round(rows / Math.max(seconds, 0.001));
  const left = share > 0 ? `${timeText((seconds * (1 - share)) / share)} left` : '';
  return `${file}  ${bar}  ${Math.round(share * 100)} %  ${rows} rows  ${rate} rows/s  ${left}`;
}

/** Creates a function that redraws one progress line on a terminal, and does nothing elsewhere. */
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
    // Return to the start of the line, and erase the rest of the earlier text.
    stream.write(progress.done ? '\r\u001b[K' : `\r${line}\u001b[K`);
    if (progress.done) file = '';
  };
}
