import './changes.css';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { useClock, useToday } from '../../base/days.ts';
import { useFormats, useMomentName } from '../../base/format.ts';
import { IconAlertTriangle, IconMapPin } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import type { Change } from '../../data/seen-events.ts';
import { useSamePlace, useVisibleEvents } from '../../data/visible-events.tsx';

/** Maximum number of other events to list; a crowded day may have hundreds. */
const maxListed = 5;
const maxNameLength = 200;

/** Old and new time of a moved event, without the day if it is the same. */
type Move = { readonly isSameDay: boolean; readonly from: string; readonly to: string };

/** Returns a function that formats a move: times on the same day, otherwise days. */
export function useMove(): (from: string, to: string) => Move {
  const clock = useClock();
  const { t } = useTranslation('changes');
  const formats = useFormats();
  const today = useToday();
  return (from, to) => {
    const times = [formats.time(from), formats.time(to)] as const;
    const isSameDay = clock.dayOf(from) === clock.dayOf(to) && !times.includes('');
    if (isSameDay) return { isSameDay, from: times[0], to: times[1] };
    const hasSameTime = times[0] === times[1];
    const name = (moment: string, time: string) => {
      const day = formats.dayNear('weekdayAndDay', moment, today);
      return hasSameTime || time === '' ? day : t('moment', { day, time });
    };
    return { isSameDay, from: name(from, times[0]), to: name(to, times[1]) };
  };
}

function useSentences(): (change: Change, event: Event, since: string) => readonly string[] {
  const { t } = useTranslation('changes');
  const nameOf = useMomentName();
  const moveOf = useMove();
  return (change, event, since) => {
    const when = nameOf(since);
    if (change.kind === 'new') return [t('newSince', { when })];
    if (change.kind === 'cancelled') return [t('cancelledSince', { when })];
    const newPlace = t('anotherPlace', { when });
    if (change.kind === 'relocated') return [newPlace];
    const { isSameDay, from, to } = moveOf(change.from, event.date);
    const moved = t(isSameDay ? 'movedTime' : 'movedDay', { from, to });
    return change.isNewPlace ? [moved, newPlace] : [moved];
  };
}

function Clash({ event }: { readonly event: Event }) {
  const formats = useFormats();
  const time = formats.time(event.date);
  return (
    <li>
      <button type="button" className="changes-clash" onClick={() => goTo({ event: event.id })}>
        {time !== '' && <span className="figures">{time} </span>}
        <span dir="auto">{event.name.slice(0, maxNameLength)}</span>
      </button>
    </li>
  );
}

/** Events at the same place on the same day: a warning if they clash, otherwise a quiet note. */
function SamePlace(props: { readonly others: readonly Event[]; readonly isClash: boolean }) {
  const { others, isClash } = props;
  const { t } = useTranslation('changes');
  const formats = useFormats();
  const more = others.length - maxListed;
  const NoteIcon = isClash ? IconAlertTriangle : IconMapPin;
  return (
    <div className="beside changes-text" data-quiet={!isClash || undefined}>
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

/** The change of an event since the last visit, and the other events at its place. */
export function ChangeText({ event }: { readonly event: Event }) {
  const { changes, lastVisit } = useVisibleEvents();
  const sentencesOf = useSentences();
  // Includes a change that was just marked as seen, because it is being read.
  const change = changes.get(event.id) ?? lastVisit.seen.get(event.id);
  const { clashes, others } = useSamePlace()(event);
  return (
    <>
      {change && lastVisit.since !== null && (
        <div className="changed">
          {sentencesOf(change, event, lastVisit.since).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
      {clashes.length > 0 && <SamePlace isClash others={clashes} />}
      {others.length > 0 && <SamePlace isClash={false} others={others} />}
    </>
  );
}
