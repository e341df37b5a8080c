import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClubText } from './desktop-provider.tsx';

/** Maximum length of a club name, in characters. */
const maxNameLength = 200;

/** The state of the field for the name of a club. */
type ClubName = {
  readonly text: string;
  readonly error: string | undefined;
  readonly setText: (text: string) => void;
  /** Returns the trimmed name if it is valid; otherwise sets `error`. */
  readonly check: (taken?: readonly string[]) => string | undefined;
  /** Discards what was typed. */
  readonly forget: () => void;
};

/** Returns the state of such a field; `field` is its name among the unsaved texts. */
export function useClubName(field: string, initial = ''): ClubName {
  const { t } = useTranslation('clubs');
  const [text, setText, forget] = useClubText(field, { initial });
  const [error, setError] = useState<'noName' | 'nameTaken' | undefined>();
  return {
    text,
    error: error && t(error),
    setText(next) {
      setText(next);
      setError(undefined);
    },
    forget() {
      forget();
      setError(undefined);
    },
    check(taken = []) {
      const name = text.trim();
      const problem =
        name === '' ? 'noName' : taken.includes(name) ? ('nameTaken' as const) : undefined;
      setError(problem);
      return problem === undefined ? name : undefined;
    },
  };
}

export function ClubNameField(props: TextInputProps & { readonly clubName: ClubName }) {
  const { clubName, ...more } = props;
  const { t } = useTranslation('clubs');
  return (
    <TextInput
      placeholder={t('example')}
      autoComplete="off"
      maxLength={maxNameLength}
      value={clubName.text}
      error={clubName.error}
      onChange={({ currentTarget }) => clubName.setText(currentTarget.value)}
      {...more}
    />
  );
}
