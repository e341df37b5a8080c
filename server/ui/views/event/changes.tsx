import './changes.css';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { useClock, useToday } from '../../base/days.ts';
import { useFormats, useMomentName } from '../../base/format.ts';
import { IconAlertTriangle, IconMapPin } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { isLooked, openLooked } from '../../data/followed.ts';
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

/**
 * Returns what is new about an event since the last visit, in sentences; without its move where that
 * stands in the list of its moves.
 */
export function useNewSentences(event: Event, hasMoves: boolean) {
  const { t } = useTranslation('changes');
  const { changes, lastVisit } = useVisibleEvents();
  const nameOf = useMomentName();
  const moveOf = useMove();
  // Includes a change that was just marked as seen, because it is being read.
  const change = changes.get(event.id) ?? lastVisit.seen.get(event.id);
  const isNew = change !== undefined && lastVisit.since !== null;
  if (!isNew || lastVisit.since === null) return { isNew, sentences: [] };
  const when = nameOf(lastVisit.since);
  if (change.kind === 'new') return { isNew, sentences: [t('newSince', { when })] };
  if (change.kind === 'cancelled') return { isNew, sentences: [t('cancelledSince', { when })] };
  const newPlace = t('anotherPlace', { when });
  if (change.kind === 'relocated') return { isNew, sentences: [newPlace] };
  const { isSameDay, from, to } = moveOf(change.from, event.date);
  const sentences = [
    ...(hasMoves ? [] : [t(isSameDay ? 'movedTime' : 'movedDay', { from, to })]),
    ...(change.isNewPlace ? [newPlace] : []),
  ];
  return { isNew, sentences };
}

function Clash({ event }: { readonly event: Event }) {
  const formats = useFormats();
  const time = formats.time(event.date);
  return (
    <li>
      <button
        type="button"
        className="changes-clash"
        onClick={() => (isLooked(event) ? openLooked(event) : goTo({ event: event.id }))}
      >
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

/** The other events at the place of an event. */
export function PlaceNotes({ event }: { readonly event: Event }) {
  const { clashes, others } = useSamePlace()(event);
  return (
    <>
      {clashes.length > 0 && <SamePlace isClash others={clashes} />}
      {others.length > 0 && <SamePlace isClash={false} others={others} />}
    </>
  );
}
