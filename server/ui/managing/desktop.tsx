import { createContext, type ReactNode, use, useMemo } from 'react';
import type { Club, DesktopSettings, DesktopState } from '../../bridge.ts';
import { changeSettings } from './desktop-state.ts';
import type { OpenedFiles } from './opened-files.ts';

/** The application around the page, also while there is no club yet. */
export type Application = OpenedFiles & {
  readonly state: DesktopState;
  /** Null as long as there is none. */
  readonly club: Club | null;
  /** Shows another club; null for whichever is left. Throws `BridgeError`. */
  readonly showClub: (club: number | null) => Promise<void>;
  /** Throws `BridgeError`. */
  readonly changeSettings: (change: Partial<DesktopSettings>) => Promise<void>;
};

/** What every screen knows that manages a club's data. */
export type Desktop = Application & { readonly club: Club };

const DesktopContext = createContext<Application | undefined>(undefined);

/** The application around the page; undefined in a browser. */
export function useMaybeDesktop(): Application | undefined {
  return use(DesktopContext);
}

/** The application around the page, with or without a club; only for what a browser never shows. */
export function useApplication(): Application {
  const application = use(DesktopContext);
  if (application === undefined) throw new Error('This is for the desktop window alone.');
  return application;
}

/** The application around the page and the club that it shows. */
export function useDesktop(): Desktop {
  const { club, ...application } = useApplication();
  if (club === null) throw new Error('This is for where there is a club.');
  return { ...application, club };
}

/** The address of the service for programs outside the page, such as scripts. */
export function useServiceUrl(): string {
  const state = useMaybeDesktop()?.state;
  if (state === undefined) return location.origin;
  const { service, settings } = state;
  return service.kind === 'running' ? service.baseUrl : `http://127.0.0.1:${settings.port}`;
}

type ProviderProps = Omit<Application, 'changeSettings'> & { readonly children: ReactNode };

export function DesktopProvider({ children, ...given }: ProviderProps) {
  const { state, club, showClub, opened, takeOpened, open } = given;
  const application = useMemo<Application>(
    () => ({ state, club, showClub, changeSettings, opened, takeOpened, open }),
    [state, club, showClub, opened, takeOpened, open],
  );
  return <DesktopContext value={application}>{children}</DesktopContext>;
}
