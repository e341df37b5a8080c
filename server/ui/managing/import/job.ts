import type { ActionInput, ActionName, ActionResult } from '../../../bridge.ts';
import { errorOf, perform } from '../actions.ts';
import type { Job } from './work.ts';

/** Runs an action and tells how it stands; resolves to its result, or undefined when it failed. */
export async function runJob<Name extends ActionName>(
  name: Name,
  args: ActionInput<Name>,
  tell: (job: Job<ActionResult<Name>>) => void,
): Promise<ActionResult<Name> | undefined> {
  const given = new AbortController();
  const cancel = () => given.abort();
  tell({ state: 'running', progress: undefined, cancel });
  try {
    const result = await perform(name, args, {
      signal: given.signal,
      onProgress: (progress) => tell({ state: 'running', progress, cancel }),
    });
    tell({ state: 'done', result });
    return result;
  } catch (thrown) {
    tell({ state: 'failed', error: errorOf(thrown) });
    return undefined;
  }
}
