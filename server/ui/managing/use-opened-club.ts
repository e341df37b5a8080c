import { useCallback, useEffect, useState } from 'react';
import type { Session } from '../../bridge.ts';
import { unfiltered } from '../place/place.ts';
import { adjustPlace } from '../place/use-place.ts';
import { queries } from '../reading/queries.ts';
import { accountOf } from '../reading/session.ts';
import { BridgeError, unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';
import { useTask } from './parts/use-task.ts';

async function openClub(club: number | null): Promise<Session | null> {
  const session = await unwrap(requireBridge().openSession({ club }));
  return session && { ...session, account: accountOf(session.account) };
}

/** Clears the cached data, the filters, the event and the day, which belong to one club. */
function forgetClub(): void {
  queries.clear();
  adjustPlace({ ...unfiltered, event: null, day: null });
}

/** Opens a club at the start; `opened` is null if there is none, undefined while it loads. */
export function useOpenedClub() {
  const [opened, setOpened] = useState<Session | null | undefined>();

  const showClub = useCallback(async (club: number | null) => {
    const next = await openClub(club);
    forgetClub();
    setOpened(next);
  }, []);

  const opening = useTask(async (refused?: Session) => {
    const next = await openClub(null);
    // Using a refused key again would loop forever.
    if (next !== null && next.key === refused?.key) {
      throw new BridgeError('internal', 'The service does not take the key of its own window.');
    }
    if (refused !== undefined) forgetClub();
    setOpened(next);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, at the start
  useEffect(() => void opening.run(), []);

  return {
    opened,
    showClub,
    openError: opening.error,
    /** Opens the club shown last, else the first; `refused` is a session with a rejected key. */
    openAny: (refused?: Session) => void opening.run(refused),
  };
}
