import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../place/use-place.ts';
import { ErrorNotice } from './parts/error-notice.tsx';

/** The error screen for when no club can be opened. */
export function Trouble({
  error,
  onRetry,
}: {
  readonly error: Error;
  readonly onRetry: () => void;
}) {
  const { t } = useTranslation('manage');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <main className="page-state">
      <h1 ref={heading} tabIndex={-1}>
        {t('notOpened')}
      </h1>
      <ErrorNotice error={error} />
      <div className="trouble-choices">
        <Button onClick={onRetry}>{t('again')}</Button>
        <Button variant="default" onClick={() => goTo({ manage: 'settings' })}>
          {t('settings')}
        </Button>
      </div>
    </main>
  );
}
