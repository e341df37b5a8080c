import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { UnannouncedChange } from '../../../event/announced.ts';
import { groupOf, groups } from '../../../event/write-message.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { EventRow, toggled } from './event-row.tsx';

/** Returns a function that words what changed, old → new. */
export function useChangeText(): (change: UnannouncedChange) => string {
  const { t } = useTranslation('message');
  const times = useEventTimes('weekdayAndDay');
  const { describeValue } = useChangeWords();
  return ({ kind, event, values }) => {
    if (kind === 'removed') return t('removed');
    if (kind === 'new' || kind === 'again')
      return [times.clock(event) ?? times.whole(event), event.location].filter(Boolean).join(', ');
    const announced = values.filter(({ field }) => kind !== 'cancelled' || field === 'reason');
    return announced.map(describeValue).join(', ');
  };
}

/** The changes by kind, each with a tick for the message. */
export function ChangeList(props: {
  readonly changes: readonly UnannouncedChange[];
  readonly omitted: ReadonlySet<number>;
  readonly onOmit: (omitted: ReadonlySet<number>) => void;
}) {
  const { changes, omitted, onOmit } = props;
  const { t } = useTranslation('message');
  const id = useId();
  const textOf = useChangeText();
  return groups.map((group) => {
    const listed = changes.filter((change) => groupOf(change) === group);
    if (listed.length === 0) return null;
    return (
      <section key={group} className="announced-group" aria-labelledby={`${id} ${group}`}>
        <h2 id={`${id} ${group}`}>{t(group)}</h2>
        <ul className="ruled">
          {listed.map((change) => (
            <EventRow
              key={change.event.id}
              event={change.event}
              isOff={group === 'cancelled'}
              text={textOf(change)}
              isChosen={!omitted.has(change.event.id)}
              onChoose={(isChosen) => onOmit(toggled(omitted, change.event.id, !isChosen))}
            />
          ))}
        </ul>
      </section>
    );
  });
}
