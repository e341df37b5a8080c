import type { performInBackground } from '../../server/actions/background.ts';
import type { ActionName, ActionResult } from '../../server/actions/bridge.ts';
import { catalogue } from '../../server/actions/catalogue.ts';
import { explain, problem } from '../../server/base/errors.ts';
import { thisMachine } from '../../server/club/tools.ts';

/** Performs an action like `performInBackground`, but here: a thread takes a second to start. */
export async function performHere<Name extends ActionName>(
  name: Name,
  args: unknown,
  { home, onProgress, warn, upstreamKeys, signal }: Parameters<typeof performInBackground>[2],
): Promise<ActionResult<Name>> {
  const throwIfCancelled = () => {
    if (signal?.aborted) throw problem('cancelled');
  };
  const tools = {
    ...thisMachine,
    home,
    warn,
    upstreamKeys,
    write: () => Promise.reject(problem('file_not_chosen')),
    onProgress: (progress: Parameters<typeof onProgress>[0]) => {
      throwIfCancelled();
      onProgress(progress);
    },
    onWait: throwIfCancelled,
    onStep: throwIfCancelled,
  };
  try {
    return (await catalogue[name].perform(args, tools)) as ActionResult<Name>;
  } catch (error) {
    throw explain(error) ?? error;
  }
}
