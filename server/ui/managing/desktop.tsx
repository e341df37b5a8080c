import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { Club, DesktopSettings, DesktopState } from '../../bridge.ts';
import { unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';

/** What every management screen knows: how the application stands, and which club is shown. */
export type Desktop = {
  readonly state: DesktopState;
  readonly club: Club;
  /** Shows another club; null for whichever is left. */
  readonly showClub: (club: number | null) => Promise<void>;
  readonly changeSettings: (change: Partial<DesktopSettings>) => Promise<void>;
};

const DesktopContext = createContext<Desktop | undefined>(undefined);

/** The desktop application around the page; undefined in a browser. */
export function useMaybeDesktop(): Desktop | undefined {
  return use(DesktopContext);
}

/** The desktop application around the page; only for what a browser never shows. */
export function useDesktop(): Desktop {
  const desktop = use(DesktopContext);
  if (desktop === undefined) throw new Error('useDesktop is for the desktop window alone.');
  return desktop;
}

/** How the application stands, as it says itself whenever that changes. */
export function useDesktopState(): DesktopState | undefined {
  const [state, setState] = useState<DesktopState | undefined>();
  useEffect(() => {
    const bridge = requireBridge();
    const stop = bridge.listen((message) => {
      if (message.kind === 'state') setState(message.state);
    });
    void unwrap(bridge.readState(null)).then(setState);
    return stop;
  }, []);
  return state;
}

export function DesktopProvider({
  state,
  club,
  showClub,
  children,
}: {
  readonly state: DesktopState;
  readonly club: Club;
  readonly showClub: (club: number | null) => Promise<void>;
  readonly children: ReactNode;
}) {
  const desktop = useMemo<Desktop>(
    () => ({
      state,
      club,
      showClub,
      // The new state comes as a message, to this page as to anything else that shows it.
      changeSettings: async (change) => {
        await unwrap(requireBridge().changeSettings(change));
      },
    }),
    [state, club, showClub],
  );
  return <DesktopContext value={desktop}>{children}</DesktopContext>;
}
