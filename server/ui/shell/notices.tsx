import { Button } from '@mantine/core';
import { IconCloudOff, IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ReadingError } from '../base/client.ts';
import { useFormats } from '../base/format.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { StorageNotice } from './storage-notice.tsx';

/** Age from which events of an online service are called old, in milliseconds. */
const oldAfterMs = 24 * 60 * 60 * 1000;

const texts = { unreachable: 'unresponsive', damaged: 'damaged', gone: 'gone' } as const;

/** Returns the key of the text about an error; that of a page without events ends with `Empty`. */
export function textOfError({ kind }: ReadingError) {
  return kind === 'unreachable' || kind === 'damaged' || kind === 'gone' ? texts[kind] : 'failed';
}

export function Notices() {
  return (
    <div role="status">
      <ServiceNotice />
      <AgeNotice />
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

function AgeNotice() {
  const { t } = useTranslation('shell');
  const formats = useFormats();
  const { all } = useVisibleEvents();
  if (all?.asOf == null || Date.now() - Date.parse(all.asOf) < oldAfterMs) return null;
  return (
    <div className="notice">
      <IconHistory size={20} aria-hidden />
      <p>{t('outdated', { when: formats.at('moment', all.asOf) })}</p>
    </div>
  );
}
