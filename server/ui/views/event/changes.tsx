import './changes.css';
import { IconAlertTriangle, IconBell } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import { useFormats, useMomentName } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { clashesOf } from '../../data/events.ts';
import type { Change } from '../../data/snapshot.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Maximum number of clashes to list; a crowded day may have hundreds. */
const maxClashes = 5;
const maxNameLength = 200;

function useSentences(): (change: Change, since: string) => readonly string[] {
  const { t } = useTranslation('changes');
  const nameOf = useMomentName();
  return (change, since) => {
    const when = nameOf(since);
    if (change.kind === 'new') return [t('newSince', { when })];
    if (change.kind === 'cancelled') return [t('cancelledSince', { when })];
    const { date, place } = change.from;
    return [
      ...(date === null ? [] : [t('movedFrom', { when: nameOf(date) })]),
      ...(place ? [t('anotherPlace', { when })] : []),
    ];
  };
}

function Clash({ event }: { readonly event: Event }) {
  const formats = useFormats();
  return (
    <li>
      <button type="button" className="changes-clash" onClick={() => goTo({ event: event.id })}>
        <span>{formats.at('time', event.date)}</span>{' '}
        <span dir="auto">{event.name.slice(0, maxNameLength)}</span>
      </button>
    </li>
  );
}

function Clashes({ clashes }: { readonly clashes: readonly Event[] }) {
  const { t } = useTranslation('changes');
  const formats = useFormats();
  const more = clashes.length - maxClashes;
  return (
    <div className="changes-text">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p>{t('clashes')}</p>
        <ul>
          {clashes.slice(0, maxClashes).map((event) => (
            <Clash key={event.id} event={event} />
          ))}
          {more > 0 && <li>{t('moreClashes', { count: more, shown: formats.number(more) })}</li>}
        </ul>
      </div>
    </div>
  );
}

export function ChangeText({ event }: { readonly event: Event }) {
  const { changes, lastVisit, all } = useVisibleEvents();
  const sentencesOf = useSentences();
  // Includes a change that was just marked as seen, because it is being read.
  const change = changes.get(event.id) ?? lastVisit.seen.get(event.id);
  const clashes = all === undefined ? [] : clashesOf(event, all.events);
  return (
    <>
      {change && lastVisit.since !== null && (
        <div className="changes-text">
          <IconBell size={18} aria-hidden />
          <div>
            {sentencesOf(change, lastVisit.since).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
        </div>
      )}
      {clashes.length > 0 && <Clashes clashes={clashes} />}
    </>
  );
}
