import { useCallback, useEffect, useState } from 'react';
import type { Session } from '../../bridge.ts';
import { unfiltered } from '../place/place.ts';
import { adjustPlace } from '../place/use-place.ts';
import { queries } from '../reading/queries.ts';
import { accountOf } from '../reading/session.ts';
import { unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';
import { useTask } from './parts/use-task.ts';

async function openClub(asked: number | null): Promise<Session | null> {
  const session = await unwrap(requireBridge().openSession({ club: asked }));
  return session && { ...session, account: await accountOf(session.account) };
}

/** What holds for one club's events says nothing of another's. */
function forgetClub(): void {
  queries.clear();
  adjustPlace({ ...unfiltered, event: null, day: null });
}

/** The club that the window shows; null when there is none, undefined before that is known. */
export function useOpenedClub() {
  const [opened, setOpened] = useState<Session | null | undefined>();
  const first = useTask(() => openClub(null));
  const { run } = first;

  const showClub = useCallback(async (club: number | null) => {
    const next = await openClub(club);
    forgetClub();
    setOpened(next);
  }, []);

  const openFirst = useCallback(async () => {
    const session = await run();
    if (session !== undefined) setOpened(session);
  }, [run]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the start
  useEffect(() => void openFirst(), []);

  return { opened, showClub, trouble: first.error, openFirst };
}
