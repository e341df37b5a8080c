import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChosenFile } from '../../bridge.ts';
import { goTo } from '../place/use-place.ts';
import { unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';

/** Files that wait for the import screen. */
export type OpenedFiles = {
  /** Opened with the program, dropped on its window or chosen on the welcome screen. */
  readonly opened: readonly ChosenFile[];
  /** Returns the waiting files and clears the list. */
  readonly takeOpened: () => readonly ChosenFile[];
  /** Adds files to the list and navigates to the import screen; does nothing if there are none. */
  readonly open: (files: readonly ChosenFile[]) => void;
};

/** Collects the files that are opened with the program until they are imported. */
export function useOpenedFiles(): OpenedFiles {
  const waiting = useRef<readonly ChosenFile[]>([]);
  const [opened, setOpened] = useState<readonly ChosenFile[]>([]);

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
    const fetchOpened = () => void unwrap(bridge.takeOpened(null)).then(open);
    fetchOpened();
    return bridge.listen((message) => {
      if (message.kind === 'opened') fetchOpened();
    });
  }, [open]);

  return { opened, takeOpened, open };
}
