import { createContext, type ReactNode, use, useEffect, useEffectEvent, useMemo } from 'react';
import type { ChosenFile, Club, DesktopSettings, DesktopState } from '../../../actions/bridge.ts';
import { changeSettings } from '../../base/desktop.ts';
import { useUnsavedText } from '../../base/unsaved.ts';
import type { FileDoor, TakenUse } from './file-door.ts';

type Application = {
  readonly door: FileDoor;
  readonly state: DesktopState;
  /** Null if none is open. */
  readonly club: Club | null;
  /** Shows a club; for null, the last one shown, else the first by name. Throws `BridgeError`. */
  readonly showClub: (club: number | null) => Promise<void>;
  /** Throws `BridgeError`. */
  readonly changeSettings: (change: Partial<DesktopSettings>) => Promise<void>;
};

/** The application while a club is open. */
type Desktop = Application & { readonly club: Club };

const DesktopContext = createContext<Application | undefined>(undefined);

/** Returns the application; undefined in a browser. */
export function useMaybeDesktop(): Application | undefined {
  return use(DesktopContext);
}

/** Returns the application, with or without a club. Throws in a browser. */
export function useApplication(): Application {
  const application = use(DesktopContext);
  if (application === undefined) throw new Error('useApplication needs the desktop window.');
  return application;
}

/** Returns the application and its open club. Throws if there is none. */
export function useDesktop(): Desktop {
  const { club, ...application } = useApplication();
  if (club === null) throw new Error('useClub needs a club.');
  return { ...application, club };
}

/** Takes the files that wait for a use of the shown screen, now and when further ones come. */
export function useWaitingFiles(
  fileUse: TakenUse,
  onFiles: (files: readonly ChosenFile[]) => unknown,
): void {
  const { door } = useApplication();
  const takeFiles = useEffectEvent(() => {
    const files = door.take(fileUse);
    if (files.length > 0) onFiles(files);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when files wait
  useEffect(() => takeFiles(), [door.waiting[fileUse]]);
}

/** Returns the unsaved text of a field, as `useUnsavedText` does, for the open club alone. */
export function useClubText(name: string, options?: Parameters<typeof useUnsavedText>[1]) {
  const { club, state } = useApplication();
  // Clubs of another data directory may have the same ids.
  return useUnsavedText(`${state.home.directory} ${club?.id ?? 'none'} ${name}`, options);
}

type ProviderProps = Omit<Application, 'changeSettings'> & { readonly children: ReactNode };

export function DesktopProvider({ children, state, club, showClub, door }: ProviderProps) {
  const application = useMemo<Application>(
    () => ({ state, club, showClub, changeSettings, door }),
    [state, club, showClub, door],
  );
  return <DesktopContext value={application}>{children}</DesktopContext>;
}
