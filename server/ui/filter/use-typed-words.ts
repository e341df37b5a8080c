import { useCallback, useEffect, useRef, useState } from 'react';
import { adjustPlace, usePlace } from '../place/use-place.ts';

/** Debounce of typing in milliseconds: the letter is painted before the events change. */
const debounceMs = 15;

/**
 * Returns the words of the search field. A letter shows at once; the place, and with it the
 * events, follow after a debounce.
 */
export function useTypedWords(): {
  readonly words: string;
  readonly type: (words: string) => void;
  /** Applies the words without the debounce. */
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
      timer.current = setTimeout(() => settle(words), debounceMs);
    },
    [settle],
  );

  useEffect(() => () => clearTimeout(timer.current), []);
  return { words: typed ?? settled, type, settle };
}
