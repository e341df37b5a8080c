import './parts.css';
import { CloseButton } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BridgeError } from '../actions.ts';

/** Returns the message for the user; undefined without an error or after a cancellation. */
export function useErrorMessage(error: Error | null | undefined): string | undefined {
  const { t } = useTranslation('manage');
  if (!error) return undefined;
  if (!(error instanceof BridgeError) || error.code === 'internal') return t('fault');
  // The user knows about their own cancellation.
  return error.code === 'cancelled' ? undefined : error.message;
}

/** An error message; nothing without an error or after a cancellation. */
export function ErrorNotice({
  error,
  onClose,
}: {
  readonly error: Error | null | undefined;
  readonly onClose?: () => void;
}) {
  const { t } = useTranslation('manage');
  const message = useErrorMessage(error);
  if (message === undefined) return null;
  return (
    <div role="alert" className="managing-error">
      <IconAlertCircle size={20} aria-hidden />
      <p>{message}</p>
      {onClose && <CloseButton size="sm" aria-label={t('close')} onClick={onClose} />}
    </div>
  );
}
