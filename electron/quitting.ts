import { app } from 'electron';

export type QuittingTools = {
  /** Whether something is under way that the end would cut off. */
  readonly isBusy: () => boolean;
  /** Whether the user wants the end all the same. */
  readonly ask: () => Promise<boolean>;
  /** Ends everything in order. */
  readonly end: () => Promise<void>;
  readonly report: (error: unknown) => void;
};

/** The end of the program, however it is asked for. */
export type Quitting = {
  /** Ends the program in order, unless the user would rather not; then `last` comes last. */
  quit(last?: () => void): Promise<void>;
  readonly hasBegun: () => boolean;
};

/** Takes the end of the program into our hands. */
export function takeQuitting({ isBusy, ask, end, report }: QuittingTools): Quitting {
  let stage: 'running' | 'asking' | 'ending' | 'ended' = 'running';

  async function quit(last: () => void = () => app.quit()): Promise<void> {
    if (stage !== 'running') return;
    stage = 'asking';
    if (isBusy() && !(await ask())) {
      stage = 'running';
      return;
    }
    stage = 'ending';
    // What does not end in order ends with the process.
    await end().catch(report);
    stage = 'ended';
    last();
  }

  app.on('before-quit', (event) => {
    if (stage === 'ended') return;
    event.preventDefault();
    void quit();
  });
  return { quit, hasBegun: () => stage === 'ending' || stage === 'ended' };
}
