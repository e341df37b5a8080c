import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** The longest name that a club may have, in characters. */
export const longestName = 200;

/** The name of a club that is to be added, as it is being typed. */
export type ClubName = {
  readonly text: string;
  readonly error: string | undefined;
  readonly setText: (text: string) => void;
  /** The name, if it is one; otherwise the error says what is wrong. */
  readonly check: () => string | undefined;
};

export function useClubName(taken: readonly string[]): ClubName {
  const { t } = useTranslation('clubs');
  const [text, setText] = useState('');
  const [error, setError] = useState<'noName' | 'takenName' | undefined>();
  return {
    text,
    error: error && t(error),
    setText(next) {
      setText(next);
      setError(undefined);
    },
    check() {
      const name = text.trim();
      const wrong =
        name === '' ? 'noName' : taken.includes(name) ? ('takenName' as const) : undefined;
      setError(wrong);
      return wrong === undefined ? name : undefined;
    },
  };
}
