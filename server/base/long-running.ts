/** A part that runs until it is stopped, such as a server. Creating it has no side effects. */
export type LongRunning<Run = void> = {
  /** Starts, and returns or resolves once it has started. Throws if it cannot start. */
  run(): Run;
  /** Stops in order; later calls change nothing. */
  stop(): Promise<void> | void;
};

/** Returns true if a process with this id runs, also under another account. */
export function isAlive(pid: number): boolean {
  try {
    // Signal 0 is not delivered; it only checks that the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
