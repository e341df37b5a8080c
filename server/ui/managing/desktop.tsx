import { createContext, type ReactNode, use, useMemo } from 'react';
import type { Club, DesktopSettings, DesktopState } from '../../bridge.ts';
import { changeSettings } from './desktop-state.ts';
import type { OpenedFiles } from './opened-files.ts';

export type Application = OpenedFiles & {
  readonly state: DesktopState;
  /** Null if none is open. */
  readonly club: Club | null;
  /** Shows a club; for null, the last one shown, else the first by name. Throws `BridgeError`. */
  readonly showClub: (club: number | null) => Promise<void>;
  /** Throws `BridgeError`. */
  readonly changeSettings: (change: Partial<DesktopSettings>) => Promise<void>;
};

/** The application while a club is open. */
export type Desktop = Application & { readonly club: Club };

const DesktopContext = createContext<Application | undefined>(undefined);

/** Returns the application; undefined in a browser. */
export function useMaybeDesktop(): Application | undefined {
  return use(DesktopContext);
}

/** Returns the application, with or without a club. Throws in a browser. */
export function useApplication(): Application {
  const application = use(DesktopContext);
  if (application === undefined) throw new Error('This is for the desktop window alone.');
  return application;
}

/** Returns the application and its open club. Throws if there is none. */
export function useDesktop(): Desktop {
  const { club, ...application } = useApplication();
  if (club === null) throw new Error('This is for where there is a club.');
  return { ...application, club };
}

/** Returns the base URL for scripts; if the service is not running, with the configured port. */
export function useServiceUrl(): string {
  const state = useMaybeDesktop()?.state;
  if (state === undefined) return location.origin;
  const { service, settings } = state;
  return service.kind === 'running' ? service.baseUrl : `http://127.0.0.1:${settings.port}`;
}

type ProviderProps = Omit<Application, 'changeSettings'> & { readonly children: ReactNode };

export function DesktopProvider({ children, ...values }: ProviderProps) {
  const { state, club, showClub, opened, takeOpened, open } = values;
  const application = useMemo<Application>(
    () => ({ state, club, showClub, changeSettings, opened, takeOpened, open }),
    [state, club, showClub, opened, takeOpened, open],
  );
  return <DesktopContext value={application}>{children}</DesktopContext>;
}
