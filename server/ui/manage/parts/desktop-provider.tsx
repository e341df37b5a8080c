import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ChosenFile, Club, DesktopSettings, DesktopState } from '../../../actions/bridge.ts';
import { changeSettings, errorOf, requireBridge, unwrap } from '../../base/desktop.ts';
import { goTo } from '../../base/navigation.ts';
import { useUnsavedText } from '../../base/unsaved.ts';

/** Files that wait for the import screen. */
type OpenedFiles = {
  /** Opened with the program, dropped on its window or chosen on the welcome screen. */
  readonly opened: readonly ChosenFile[];
  /** Returns the waiting files and clears the list. */
  readonly takeOpened: () => readonly ChosenFile[];
  /** Adds files to the list and navigates to the import screen; does nothing if there are none. */
  readonly open: (files: readonly ChosenFile[]) => void;
  /** Error of the last attempt to receive the files opened with the program. */
  readonly openError: Error | undefined;
  readonly clearOpenError: () => void;
};

/** Collects the files that are opened with the program until they are imported. */
export function useOpenedFiles(): OpenedFiles {
  const waiting = useRef<readonly ChosenFile[]>([]);
  const [opened, setOpened] = useState<readonly ChosenFile[]>([]);
  const [openError, setOpenError] = useState<Error | undefined>();

  const open = useCallback((files: readonly ChosenFile[]) => {
    if (files.length === 0) return;
    waiting.current = [...waiting.current, ...files];
    setOpened(waiting.current);
    goTo({ manage: 'import' });
  }, []);

  // Reads the ref instead of the state, so that a second call before the next render gets none.
  const takeOpened = useCallback(() => {
    const files = waiting.current;
    waiting.current = [];
    setOpened([]);
    return files;
  }, []);

  useEffect(() => {
    const bridge = requireBridge();
    const fetchOpened = () => {
      unwrap(bridge.takeOpened(null))
        .then(open)
        .catch((thrown: unknown) => setOpenError(errorOf(thrown)));
    };
    fetchOpened();
    return bridge.listen((message) => {
      if (message.kind === 'opened') fetchOpened();
    });
  }, [open]);

  const clearOpenError = useCallback(() => setOpenError(undefined), []);
  return { opened, takeOpened, open, openError, clearOpenError };
}

type Application = OpenedFiles & {
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

/** Returns the unsaved text of a field, as `useUnsavedText` does, for the open club alone. */
export function useClubText(name: string, options?: Parameters<typeof useUnsavedText>[1]) {
  const { club, state } = useApplication();
  // Clubs of another data directory may have the same ids.
  return useUnsavedText(`${state.home.directory} ${club?.id ?? 'none'} ${name}`, options);
}

type ProviderProps = Omit<Application, 'changeSettings'> & { readonly children: ReactNode };

export function DesktopProvider({ children, ...values }: ProviderProps) {
  const { state, club, showClub, opened, takeOpened, open, openError, clearOpenError } = values;
  const application = useMemo<Application>(
    () => ({
      state,
      club,
      showClub,
      changeSettings,
      opened,
      takeOpened,
      open,
      openError,
      clearOpenError,
    }),
    [state, club, showClub, opened, takeOpened, open, openError, clearOpenError],
  );
  return <DesktopContext value={application}>{children}</DesktopContext>;
}
