import { useCallback, useEffect, useState } from 'react';
import type { Session } from '../../bridge.ts';
import { unfiltered } from '../place/place.ts';
import { adjustPlace } from '../place/use-place.ts';
import { queries } from '../reading/queries.ts';
import { accountOf } from '../reading/session.ts';
import { BridgeError, unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';
import { useTask } from './parts/use-task.ts';

async function openClub(asked: number | null): Promise<Session | null> {
  const session = await unwrap(requireBridge().openSession({ club: asked }));
  return session && { ...session, account: accountOf(session.account) };
}

/** What holds for one club's events says nothing of another's. */
function forgetClub(): void {
  queries.clear();
  adjustPlace({ ...unfiltered, event: null, day: null });
}

/** The club that the window shows; null when there is none, undefined before that is known. */
export function useOpenedClub() {
  const [opened, setOpened] = useState<Session | null | undefined>();

  const showClub = useCallback(async (club: number | null) => {
    const next = await openClub(club);
    forgetClub();
    setOpened(next);
  }, []);

  const opening = useTask(async (refused?: Session) => {
    const next = await openClub(null);
    // Asking with it again would go on without end.
    if (next !== null && next.key === refused?.key) {
      throw new BridgeError('internal', 'The service does not take the key of its own window.');
    }
    if (refused !== undefined) forgetClub();
    setOpened(next);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the start
  useEffect(() => void opening.run(), []);

  return {
    opened,
    showClub,
    /** Why none could be opened. */
    trouble: opening.error,
    /** Opens whichever there is, instead of one whose key is refused. */
    openAny: (refused?: Session) => void opening.run(refused),
  };
}
