import type { ActionInput, ActionName, ActionResult } from '../../../bridge.ts';
import { errorOf, perform } from '../actions.ts';
import type { Job } from './work.ts';

/** Runs an action and reports its state; resolves to undefined if the action fails. */
export async function runJob<Name extends ActionName>(
  name: Name,
  args: ActionInput<Name>,
  onChange: (job: Job<ActionResult<Name>>) => void,
): Promise<ActionResult<Name> | undefined> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  onChange({ state: 'running', progress: undefined, cancel });
  try {
    const result = await perform(name, args, {
      signal: controller.signal,
      onProgress: (progress) => onChange({ state: 'running', progress, cancel }),
    });
    onChange({ state: 'done', result });
    return result;
  } catch (thrown) {
    onChange({ state: 'failed', error: errorOf(thrown) });
    return undefined;
  }
}
