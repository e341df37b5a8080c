import './marks.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { EventStatus } from '../../../../db/model.ts';
import type { Event } from '../../../contract.ts';
import { clashesOf } from '../../data/events.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Checks that a status must be shown to visitors; the date implies `active` and `completed`. */
export function isNotable(status: EventStatus): boolean {
  return status === 'cancelled' || status === 'draft';
}

export function StateMark({ event }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  return <span className={`mark mark-${event.status}`}>{t(event.status)}</span>;
}

/** Marks that need attention: new, moved, cancelled, or a clash. */
export function NoticeMarks({ event }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  const { changes, all } = useVisibleEvents();
  const change = changes.get(event.id);
  const hasClash = all !== undefined && clashesOf(event, all.events).length > 0;
  return (
    <>
      {change && <span className="mark mark-change">{t(change.kind)}</span>}
      {hasClash && (
        <span className="mark mark-clash">
          <IconAlertTriangle size={13} aria-hidden />
          {t('clash')}
        </span>
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
      {event.status !== 'active' && !isShownAsChange && <StateMark event={event} />}
      {event.eventType && <span className="mark mark-type">{t(event.eventType)}</span>}
    </span>
  );
}
