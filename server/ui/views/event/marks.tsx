import './marks.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EventStatus } from '../../../../db/model.ts';
import type { Event } from '../../../contract.ts';
import { samePlaceEvents } from '../../data/events.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Checks that a status must be shown to visitors; the date implies `active` and `completed`. */
export function isNotable(status: EventStatus): boolean {
  return status === 'cancelled' || status === 'draft';
}

/** The status of an event, unless it is the normal one. */
export function StateMark({ event }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  if (event.status === 'active') return null;
  return <span className={`mark mark-${event.status}`}>{t(event.status)}</span>;
}

/** Marks that need attention: new, moved, cancelled, a clash, or the same place on that day. */
export function NoticeMarks({ event }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  const { changes, all } = useVisibleEvents();
  const change = changes.get(event.id);
  const { clashes, others } = samePlaceEvents(event, all?.events ?? []);
  return (
    <>
      {change && <span className="mark mark-change">{t(change.kind)}</span>}
      {clashes.length > 0 && (
        <span className="mark mark-clash">
          <IconAlertTriangle size={13} aria-hidden />
          {t('clash')}
        </span>
      )}
      {clashes.length === 0 && others.length > 0 && (
        <span className="mark mark-quiet">{t('samePlace')}</span>
      )}
    </>
  );
}

/** All marks of an event in a list; the status `active` has no mark. */
export function Marks({ event }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  const { changes } = useVisibleEvents();
  const isShownAsChange =
    changes.get(event.id)?.kind === 'cancelled' && event.status === 'cancelled';
  return (
    <span className="marks">
      <NoticeMarks event={event} />
      {!isShownAsChange && <StateMark event={event} />}
      {event.eventType && <span className="mark mark-type">{t(event.eventType)}</span>}
    </span>
  );
}
