import './marks.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { clashesOf } from '../changes/clashes.ts';
import { useVisibleEvents } from './shown.tsx';

/** The state of an event in a word. */
export function StateMark({ event }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  return <span className={`mark mark-${event.status}`}>{t(event.status)}</span>;
}

/** What is to be noticed about an event: that it is new, moved or cancelled, or that it clashes. */
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

/** All marks of an event in a list: a state that is as expected is not mentioned. */
export function Marks({ event }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  const { changes } = useVisibleEvents();
  const isSaid = changes.get(event.id)?.kind === 'cancelled' && event.status === 'cancelled';
  return (
    <span className="marks">
      <NoticeMarks event={event} />
      {event.status !== 'active' && !isSaid && <StateMark event={event} />}
      {event.eventType && <span className="mark mark-type">{t(event.eventType)}</span>}
    </span>
  );
}
