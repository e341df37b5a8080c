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
  /** Ends the program in order without a question, as when the system shuts down. */
  endNow(): Promise<void>;
  readonly hasBegun: () => boolean;
};

/** Takes the end of the program into our hands. */
export function takeQuitting({ isBusy, ask, end, report }: QuittingTools): Quitting {
  let stage = 'running' as 'running' | 'asking' | 'ending' | 'ended';

  async function quit(last: () => void = () => app.quit()): Promise<void> {
    if (stage !== 'running') return;
    stage = 'asking';
    const isWanted = !isBusy() || (await ask());
    // The system may have ended it in the meantime.
    if (stage !== 'asking') return;
    if (isWanted) await endWith(last);
    else stage = 'running';
  }

  async function endWith(last: () => void): Promise<void> {
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
  async function endNow(): Promise<void> {
    if (stage === 'running' || stage === 'asking') await endWith(() => app.quit());
  }

  return { quit, endNow, hasBegun: () => stage === 'ending' || stage === 'ended' };
}
