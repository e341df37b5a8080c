import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { useVisibleEvents } from '../events/shown.tsx';
import { useUidBase } from '../reading/uid-base.ts';
import { useFormats } from '../time/format.ts';
import { makeEntryCode } from './entry-code.ts';
import { StateWord } from './event-rows.tsx';
import { Paper } from './paper.tsx';

/** The QR code of an event's calendar entry, to be scanned from the paper. */
function EntryFigure({ event }: { readonly event: Event }) {
  const { t } = useTranslation('print');
  const { accessKey } = useVisibleEvents();
  const uidBase = useUidBase(accessKey);
  const code = useMemo(() => {
    return uidBase && makeEntryCode(event, { now: new Date(), uidBase });
  }, [event, uidBase]);
  if (uidBase === undefined) return null;
  if (!code) return <p className="sheet-code">{t('codeTooLong')}</p>;
  return (
    <figure className="sheet-code">
      <svg
        viewBox={`0 0 ${code.size} ${code.size}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label={t('code')}
      >
        <rect width={code.size} height={code.size} fill="#fff" />
        <path d={code.path} fill="#000" />
      </svg>
      <figcaption>
        {t('codeUse')} {code.isShortened && t('codeShortened')}
      </figcaption>
    </figure>
  );
}

export function EventSheet({ event, asOf }: { readonly event: Event; readonly asOf: Date }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const { registrationOpen: open } = event;
  return (
    <Paper kind="event" title={event.name} subtitle="" asOf={asOf}>
      <div className="sheet-facts">
        <div>
          <StateWord status={event.status} />
          <p className="sheet-day" data-cancelled={event.status === 'cancelled' || undefined}>
            {formats.at('longDay', event.date)}
          </p>
          <p className="sheet-time">{formats.at('zonedTime', event.date)}</p>
          {event.location !== '' && (
            <p className="sheet-place" dir="auto">
              {event.location}
            </p>
          )}
          {open !== undefined && <p>{t(open ? 'registrationIsOpen' : 'registrationIsNot')}</p>}
        </div>
        <EntryFigure event={event} />
      </div>
      {event.description && (
        <p className="sheet-description" dir="auto">
          {event.description}
        </p>
      )}
    </Paper>
  );
}
