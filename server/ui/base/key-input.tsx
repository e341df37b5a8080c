import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A field for a key, which a button shows or hides. */
export function KeyInput({ error, ...props }: PasswordInputProps) {
  const { t } = useTranslation('signIn');
  const [isShown, setShown] = useState(false);
  return (
    <PasswordInput
      // Browsers ignore `off` and offer to save the key as a password, which they synchronise.
      autoComplete="one-time-code"
      spellCheck={false}
      {...props}
      error={error}
      // Mantine sets it on the frame alone.
      aria-invalid={error ? true : undefined}
      visible={isShown}
      onVisibilityChange={setShown}
      // The label says the state.
      visibilityToggleButtonProps={{
        'aria-label': t(isShown ? 'hideKey' : 'showKey'),
        'aria-pressed': undefined,
      }}
    />
  );
}
