import { existsSync } from 'node:fs';
import { explain, type Problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import type { LongRunning } from '../base/long-running.ts';
import { type ActionTools, thisMachine } from '../club/tools.ts';
import type { UpstreamKey } from '../store/upstream-keys.ts';

/** Times in milliseconds: the first look after the start, and the interval of later ones. */
const timing = { firstAfter: 2_000, every: 3_000 };

type PublisherOptions = Partial<typeof timing> & {
  readonly home: Home;
  /** Performs an action on a thread: `performInBackground`. */
  readonly perform: (
    name: 'publish tick',
    args: { readonly isWake: boolean },
    tools: Pick<ActionTools, 'home' | 'onProgress' | 'upstreamKeys' | 'warn'> & {
      readonly signal: AbortSignal;
    },
  ) => Promise<unknown>;
  /** Passwords of web spaces that are in memory only, beside the keys of online services. */
  readonly upstreamKeys?: () => ReadonlyMap<number, UpstreamKey>;
  /** Called with the reason why a file was not written; once while it stays the same. */
  readonly warn: (problem: Problem) => void;
};

export type Publisher = LongRunning & {
  /** Tries files without a connection again, after the computer woke. */
  wake(): void;
};

/**
 * Creates the publisher of a running service. It looks for changes of the clubs that have published
 * files, and writes these on a thread.
 */
export function createPublisher(options: PublisherOptions): Publisher {
  const { home, perform, warn, upstreamKeys } = options;
  const { firstAfter, every } = { ...timing, ...options };
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> | undefined;
  let isWake = true;
  let lastFailure: string | undefined;

  /** Warns of a failure, once until another one comes or a writing succeeds. */
  function warnOnce(failure: Problem): void {
    if (failure.code !== lastFailure) warn(failure);
    lastFailure = failure.code;
  }

  async function hasDueFiles(wasWoken: boolean): Promise<boolean> {
    if (!existsSync(home.published)) return false;
    // Loaded late: zod, which checks the list, would delay the first answer of the service.
    const { findDueFiles } = await import('./publish.ts');
    const { findDueAddresses } = await import('./address-check.ts');
    const tools = { ...thisMachine, home } as ActionTools;
    if (findDueAddresses(tools).length > 0) return true;
    return (await findDueFiles(tools, { isWake: wasWoken })).length > 0;
  }

  async function publish(): Promise<void> {
    const wasWoken = isWake;
    isWake = false;
    try {
      // A thread for each look would keep the processor busy.
      if (!(await hasDueFiles(wasWoken))) return;
      let failed = false;
      await perform(
        'publish tick',
        { isWake: wasWoken },
        {
          home,
          upstreamKeys: upstreamKeys?.(),
          onProgress: () => undefined,
          signal: stopping.signal,
          warn(failure) {
            failed = true;
            warnOnce(failure);
          },
        },
      );
      if (!failed) lastFailure = undefined;
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined) throw error;
      if (!stopping.signal.aborted) warnOnce(failure);
    }
  }

  function publishDue(): void {
    work ??= publish().finally(() => {
      work = undefined;
      wait(every);
    });
  }

  function wait(ms: number): void {
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(publishDue, ms);
    // Looks must not keep the process alive.
    timer.unref();
  }

  return {
    run: () => wait(firstAfter),
    wake() {
      isWake = true;
      wait(0);
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await work;
    },
  };
}
