import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChosenFile } from '../../bridge.ts';
import { goTo } from '../place/use-place.ts';
import { unwrap } from './actions.ts';
import { requireBridge } from './bridge.ts';

/** Files to import that did not come by way of the import screen, and wait for it. */
export type OpenedFiles = {
  /** Files that were opened with the program, or dropped on its window. */
  readonly opened: readonly ChosenFile[];
  /** Takes them: afterwards, none are waiting. */
  readonly takeOpened: () => readonly ChosenFile[];
  /** Lets files wait, and leads to the import screen. */
  readonly open: (files: readonly ChosenFile[]) => void;
};

/** Hears of files that are opened with the program, and holds them until they are taken. */
export function useOpenedFiles(): OpenedFiles {
  const waiting = useRef<readonly ChosenFile[]>([]);
  const [opened, setOpened] = useState<readonly ChosenFile[]>([]);

  const open = useCallback((files: readonly ChosenFile[]) => {
    if (files.length === 0) return;
    waiting.current = [...waiting.current, ...files];
    setOpened(waiting.current);
    goTo({ manage: 'import' });
  }, []);

  // Given from the reference, so that nobody can take them twice.
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
