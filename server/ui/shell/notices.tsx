import { Button, CloseButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../base/browser.ts';
import type { ReadingError } from '../base/client.ts';
import { useFormats } from '../base/format.ts';
import { IconBellOff, IconCloudOff } from '../base/icons.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';

const texts = { unreachable: 'unresponsive', damaged: 'damaged', gone: 'gone' } as const;

/** Returns the key of the text about an error; that of a page without events ends with `Empty`. */
export function textOfError({ kind }: ReadingError) {
  return kind === 'unreachable' || kind === 'damaged' || kind === 'gone' ? texts[kind] : 'failed';
}

export function Notices() {
  return (
    <div role="status">
      <ServiceNotice />
      <StorageNotice />
    </div>
  );
}

function ServiceNotice() {
  const { t } = useTranslation('shell');
  const formats = useFormats();
  const { club, all } = useVisibleEvents();
  if (club.error === null || all === undefined) return null;
  const when = formats.at('moment', new Date(club.confirmedAt()));
  return (
    <div className="notice">
      <IconCloudOff size={20} aria-hidden />
      <p>{t(textOfError(club.error), { when })}</p>
      <Button size="compact-sm" variant="default" onClick={club.readAgain}>
        {t('again')}
      </Button>
    </div>
  );
}

/** The notice that the browser cannot store or read what the person has seen. */
function StorageNotice() {
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
    <div className="notice">
      <IconBellOff size={18} aria-hidden />
      <p>{t(lastVisit.problem)}</p>
      <CloseButton size="sm" aria-label={t('closeNotice')} onClick={close} />
    </div>
  );
}
