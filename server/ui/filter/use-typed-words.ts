import { useCallback, useEffect, useRef, useState } from 'react';
import { adjustPlace, usePlace } from '../place/use-place.ts';

/** How long typing has to pause before the events follow, in milliseconds: until the letter itself is drawn. */
const pauseMs = 15;

/**
 * The words of the search field. Each letter shows at once; the address, and with it the events,
 * follow as soon as no other letter does.
 */
export function useTypedWords(): {
  readonly words: string;
  readonly type: (words: string) => void;
  /** Lets the events follow now. */
  readonly settle: (words: string) => void;
} {
  const { words: settled } = usePlace();
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const settle = useCallback((words: string) => {
    clearTimeout(timer.current);
    setTyped(null);
    adjustPlace({ words });
  }, []);

  const type = useCallback(
    (words: string) => {
      clearTimeout(timer.current);
      setTyped(words);
      timer.current = setTimeout(() => settle(words), pauseMs);
    },
    [settle],
  );

  useEffect(() => () => clearTimeout(timer.current), []);
  return { words: typed ?? settled, type, settle };
}
