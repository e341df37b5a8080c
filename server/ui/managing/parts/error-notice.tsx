import './parts.css';
import { CloseButton } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BridgeError } from '../actions.ts';

/** What to tell of an error: its sentence, where it has one for the user of the application. */
export function useSentence(error: Error | null | undefined): string | undefined {
  const { t } = useTranslation('managing');
  if (!error) return undefined;
  if (!(error instanceof BridgeError) || error.code === 'internal') return t('fault');
  // Whoever gave up knows it.
  return error.code === 'cancelled' ? undefined : error.message;
}

/** Why something was not done; nothing without an error, and nothing of what was given up. */
export function ErrorNotice({
  error,
  onClose,
}: {
  readonly error: Error | null | undefined;
  readonly onClose?: () => void;
}) {
  const { t } = useTranslation('managing');
  const sentence = useSentence(error);
  if (sentence === undefined) return null;
  return (
    <div role="alert" className="managing-error">
      <IconAlertCircle size={20} aria-hidden />
      <p>{sentence}</p>
      {onClose && <CloseButton size="sm" aria-label={t('close')} onClick={onClose} />}
    </div>
  );
}
