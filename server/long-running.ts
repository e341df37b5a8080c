/** A part that runs until it is stopped, such as a server. Creating it has no side effects. */
export type LongRunning<Run = void> = {
  /** Starts, and returns or resolves once it has started. Throws if it cannot start. */
  run(): Run;
  /** Stops in order; later calls change nothing. */
  stop(): Promise<void> | void;
};
