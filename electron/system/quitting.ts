import { app } from 'electron';

type QuittingOptions = {
  /** Returns whether an action is running that quitting would interrupt. */
  readonly isBusy: () => boolean;
  /** Asks the user whether to quit anyway. */
  readonly ask: () => Promise<boolean>;
  /** Stops actions and the service. */
  readonly end: () => Promise<void>;
  readonly report: (error: unknown) => void;
};

export type Quitting = {
  /** Shuts down unless the user declines, then calls `last`, by default `app.quit`. */
  quit(last?: () => void): Promise<void>;
  /** Shuts down without asking, as when the system shuts down. */
  endNow(): Promise<void>;
  /** Shuts down at the end of a session on Windows. */
  endSession(): void;
  readonly hasBegun: () => boolean;
};

/** Delays Electron's quit until actions and the service have stopped. */
export function handleQuitting({ isBusy, ask, end, report }: QuittingOptions): Quitting {
  let stage = 'running' as 'running' | 'asking' | 'ending' | 'ended';
  let isSessionOver = false;

  async function quit(last: () => void = () => app.quit()): Promise<void> {
    if (stage !== 'running') return;
    stage = 'asking';
    const isConfirmed = !isBusy() || (await ask().catch(decline));
    // A shutdown of the system may have come first.
    if (stage !== 'asking') return;
    if (isConfirmed) await endWith(last);
    else stage = 'running';
  }

  /** Takes a dialog that cannot be shown as declined, so that the next attempt to quit asks again. */
  function decline(error: unknown): false {
    report(error);
    return false;
  }

  async function endWith(last: () => void): Promise<void> {
    stage = 'ending';
    // Anything that fails to stop ends with the process.
    await end().catch(report);
    stage = 'ended';
    last();
  }

  app.on('before-quit', (event) => {
    if (stage === 'ended' || isSessionOver) return;
    event.preventDefault();
    void quit();
  });
  app.on('will-quit', (event) => {
    if (stage !== 'ended') event.preventDefault();
  });
  async function endNow(): Promise<void> {
    if (stage === 'running' || stage === 'asking') await endWith(() => app.quit());
  }

  function endSession(): void {
    isSessionOver = true;
    void endNow();
    // In this turn: Electron ends the process after the listeners, unless they began to quit. The
    // windows close meanwhile.
    app.quit();
  }

  return { quit, endNow, endSession, hasBegun: () => stage === 'ending' || stage === 'ended' };
}
