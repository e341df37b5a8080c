import { runCommand } from './command.ts';

/** A module for `--import` that prints the peak memory (KiB) and CPU time (µs) of a process at its end. */
export const meter = `data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    // On Linux, maxRSS begins with that of the parent process.
    const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
    const peak = /VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? maxRSS;
    console.error('#' + peak + ' ' + (userCPUTime + systemCPUTime));
  });
`)}`;

type Measured = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** CPU time in milliseconds. */
  readonly time: number;
  /** Peak memory in MiB. */
  readonly memory: number;
};

/** Runs a command in a process and measures it. */
export async function measureCommand(args: readonly string[]): Promise<Measured> {
  const { status, stdout, stderr } = await runCommand(args, {
    env: { NODE_OPTIONS: `--import=${meter}` },
  });
  return { status, stdout, ...readMeter(stderr) };
}

/** Splits the stderr of a process with the meter into its own output, MiB and milliseconds. */
export function readMeter(output: string): Pick<Measured, 'stderr' | 'memory' | 'time'> {
  const [line = '', memory = '', time = ''] = /#(\d+) (\d+)\n$/.exec(output) ?? [];
  const stderr = output.replace(line, '');
  return { stderr, memory: Number(memory) / 1024, time: Number(time) / 1000 };
}
