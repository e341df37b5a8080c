import './marks.css';
import type { EventStatus } from '../../../../db/model.ts';
import type { Event } from '../../../http/contract.ts';
import { useTexts } from '../../base/i18n.ts';
import { IconAlertTriangle } from '../../base/icons.ts';
import { useDaysOff } from '../../data/days-off.ts';
import { useProposals } from '../../data/proposals.ts';
import type { Change } from '../../data/seen-events.ts';
import { useSamePlace, useVisibleEvents } from '../../data/visible-events.tsx';
import { Highlighted } from './highlight.tsx';

/** Checks that a status must be shown to visitors; the date implies `active` and `completed`. */
export function isNotable(status: EventStatus): boolean {
  return status === 'cancelled' || status === 'draft';
}

function StatusBadge({ status }: { readonly status: EventStatus }) {
  const { t } = useTexts('event');
  const look = status === 'cancelled' ? 'badge-bad' : 'badge-plain';
  return <span className={`badge ${look}`}>{t(status)}</span>;
}

/** The status of an event, unless its date implies it. */
export function StateMark({ event: { status } }: { readonly event: Event }) {
  return isNotable(status) && <StatusBadge status={status} />;
}

export function ClashMark() {
  const { t } = useTexts('event');
  return (
    <span className="badge mark-clash">
      <IconAlertTriangle size={13} aria-hidden />
      {t('clash')}
    </span>
  );
}

/** Returns the words for what is proposed for an event; undefined for nothing. */
export function useProposalWords({ id }: Event): string | undefined {
  const { t } = useTexts('proposals');
  const proposals = useProposals()?.byEvent.get(id);
  if (proposals === undefined) return undefined;
  return t(proposals.some(({ kind }) => kind === 'remove') ? 'proposedDelete' : 'proposed');
}

/** The mark of an event for which something is proposed. */
export function ProposalMark({ event }: { readonly event: Event }) {
  const words = useProposalWords(event);
  return words !== undefined && <span className="badge badge-proposal">{words}</span>;
}

/** The kind of a change since the last visit. */
export function ChangeMark({ kind }: { readonly kind: Change['kind'] }) {
  const { t } = useTexts('event');
  const look = kind === 'cancelled' ? 'badge-bad' : 'badge-news';
  return <span className={`badge ${look} mark-change`}>{t(kind)}</span>;
}

/** Marks that need attention: new, moved, cancelled, a clash, or the same place on that day. */
export function NoticeMarks({ event }: { readonly event: Event }) {
  const { t } = useTexts('event');
  const { changes, clock } = useVisibleEvents();
  const change = changes.get(event.id);
  const { clashes, others } = useSamePlace()(event);
  const [holiday] = useDaysOff().namesOn(clock.dayOf(event.date));
  return (
    <>
      {change && <ChangeMark kind={change.kind} />}
      {clashes.length > 0 && <ClashMark />}
      {holiday !== undefined && event.status !== 'cancelled' && (
        <span className="badge mark-off" dir="auto">
          {holiday}
        </span>
      )}
      {clashes.length === 0 && others.length > 0 && (
        <span className="small quiet">{t('samePlace')}</span>
      )}
    </>
  );
}

/** A value that is about to change, old and new. */
export function OldAndNew({ old, now }: { readonly old: string; readonly now: string }) {
  return (
    <span dir="auto">
      {old !== '' && <s>{old}</s>} <b>{now}</b>
    </span>
  );
}

/** The longest text in a row, in characters: far more than any row can show. */
const maxTextLength = 300;

/** A text of an event in a row; old and new if it is about to change. */
export function RowText(props: {
  readonly old: string;
  readonly now: string;
  readonly searched: readonly string[];
}) {
  const [old, now] = [props.old.slice(0, maxTextLength), props.now.slice(0, maxTextLength)];
  if (now !== old) return <OldAndNew old={old} now={now} />;
  return (
    <span dir="auto">
      <Highlighted text={old} searched={props.searched} />
    </span>
  );
}

/** The badges of an event: its status once, even if that is also its change. */
export function Badges({ event }: { readonly event: Event }) {
  const { changes } = useVisibleEvents();
  const isShownAsChange =
    changes.get(event.id)?.kind === 'cancelled' && event.status === 'cancelled';
  return (
    <>
      <NoticeMarks event={event} />
      {!isShownAsChange && <StateMark event={event} />}
    </>
  );
}
