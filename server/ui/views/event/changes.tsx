import './changes.css';
import { IconAlertTriangle, IconBell, IconMapPin } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import { useFormats, useMomentName } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { samePlaceEvents } from '../../data/events.ts';
import type { Change } from '../../data/snapshot.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** Maximum number of other events to list; a crowded day may have hundreds. */
const maxListed = 5;
const maxNameLength = 200;

function useSentences(): (change: Change, since: string) => readonly string[] {
  const { t } = useTranslation('changes');
  const nameOf = useMomentName();
  return (change, since) => {
    const when = nameOf(since);
    if (change.kind === 'new') return [t('newSince', { when })];
    if (change.kind === 'cancelled') return [t('cancelledSince', { when })];
    const newPlace = t('anotherPlace', { when });
    if (change.kind === 'relocated') return [newPlace];
    const moved = t('movedFrom', { when: nameOf(change.from) });
    return change.isNewPlace ? [moved, newPlace] : [moved];
  };
}

function Clash({ event }: { readonly event: Event }) {
  const formats = useFormats();
  const time = formats.time(event.date);
  return (
    <li>
      <button type="button" className="changes-clash" onClick={() => goTo({ event: event.id })}>
        {time !== '' && <span className="changes-time">{time} </span>}
        <span dir="auto">{event.name.slice(0, maxNameLength)}</span>
      </button>
    </li>
  );
}

/** Events at the same place on the same day: a warning if they clash, otherwise a quiet note. */
function SamePlace({
  others,
  isClash,
}: {
  readonly others: readonly Event[];
  readonly isClash: boolean;
}) {
  const { t } = useTranslation('changes');
  const formats = useFormats();
  const more = others.length - maxListed;
  const NoteIcon = isClash ? IconAlertTriangle : IconMapPin;
  return (
    <div className="changes-text" data-quiet={!isClash || undefined}>
      <NoteIcon size={18} aria-hidden />
      <div>
        <p>{t(isClash ? 'clashes' : 'samePlace')}</p>
        <ul>
          {others.slice(0, maxListed).map((event) => (
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
  const { clashes, others } = samePlaceEvents(event, all?.events ?? []);
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
      {clashes.length > 0 && <SamePlace isClash others={clashes} />}
      {others.length > 0 && <SamePlace isClash={false} others={others} />}
    </>
  );
}
