import './marks.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { clashesOf } from '../changes/clashes.ts';
import { useVisibleEvents } from './shown.tsx';

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
