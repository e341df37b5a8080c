import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReadingError } from '../base/client.ts';
import { useFormats } from '../base/format.ts';
import { IconCloudOff } from '../base/icons.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { StorageNotice } from './storage-notice.tsx';

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
    <div className="cluster notice">
      <IconCloudOff size={20} aria-hidden />
      <p>{t(textOfError(club.error), { when })}</p>
      <Button size="compact-sm" variant="default" onClick={club.readAgain}>
        {t('again')}
      </Button>
    </div>
  );
}
