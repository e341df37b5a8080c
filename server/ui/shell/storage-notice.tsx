import { CloseButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../base/browser.ts';
import { IconBellOff } from '../base/icons.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';

/** The notice that the browser cannot store or read what the person has seen. */
export function StorageNotice() {
  const { t } = useTranslation('changes');
  const { lastVisit } = useVisibleEvents();
  const [isClosed, setIsClosed] = useState(false);
  if (lastVisit.problem === null || isClosed) return null;
  const close = () => {
    setIsClosed(true);
    // The focused button disappears.
    focusContent();
  };
  return (
    <div className="cluster notice">
      <IconBellOff size={18} aria-hidden />
      <p>{t(lastVisit.problem)}</p>
      <CloseButton size="sm" aria-label={t('closeNotice')} onClick={close} />
    </div>
  );
}
