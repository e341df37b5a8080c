import './day-item.css';
import { type CSSProperties, createContext, use } from 'react';
import type { Day } from '../../../dates/days.ts';
import { lastDayOf, noteOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import { useClock } from '../../base/days.ts';
import { useShortEnd } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { useTexts } from '../../base/i18n.ts';
import {
  IconAlertTriangle,
  IconArrowRight,
  IconMapPin,
  IconPencil,
  IconSparkles,
} from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { TypeMark, typeClass } from '../../base/type-mark.tsx';
import { useSamePlace, useVisibleEvents } from '../../data/visible-events.tsx';
import { Highlighted } from '../event/highlight.tsx';
import { isNotable, useProposalWords } from '../event/marks.tsx';
import type { Lane } from './contents.ts';

/** Maximum length of a text in a day, in characters: far more than a day can show. */
const maxTextLength = 120;

/** Properties that all days share. */
export type Surroundings = {
  readonly chosen: number | null;
  readonly searched: readonly string[];
  /** True if an event shows its place. */
  readonly isRoomy: boolean;
  /** True if the days with events are a list, on a narrow screen. */
  readonly isList: boolean;
  /** True if events can be dragged to another day. */
  readonly canMove: boolean;
  /** Opens the dialog of a day, from a year its month. */
  readonly openDay: (day: Day) => void;
};

export const SurroundingsContext = createContext<Surroundings>({
  chosen: null,
  searched: [],
  isRoomy: false,
  isList: false,
  canMove: false,
  openDay: () => undefined,
});

const changeIcons = {
  new: IconSparkles,
  moved: IconArrowRight,
  relocated: IconMapPin,
} as const;

/** The proposals, changes and clashes of an event as icons with accessible names. */
function SmallMarks({ event }: { readonly event: Event }) {
  const { t } = useTexts('event');
  const { changes } = useVisibleEvents();
  const change = changes.get(event.id)?.kind;
  const { clashes } = useSamePlace()(event);
  const proposed = useProposalWords(event);
  const marks = [
    ...(proposed ? [[proposed, IconPencil, 'calendar-proposal'] as const] : []),
    // A cancelled event says so in any case.
    ...(change && change !== 'cancelled'
      ? [[t(change), changeIcons[change], 'badge-news'] as const]
      : []),
    ...(clashes.length > 0 ? [[t('clash'), IconAlertTriangle, 'calendar-clash'] as const] : []),
  ];
  return marks.map(([name, Icon, className]) => (
    <span key={name} className={`calendar-mark ${className}`} title={name}>
      <Icon size={14} aria-hidden />
      <span className="only-spoken">, {name}</span>
    </span>
  ));
}

/** The type, the time, an unusual status and the name of an event, without their button. */
export function ItemText({ event }: { readonly event: Event }) {
  const { t } = useTexts('event');
  const formats = useFormats();
  const { searched, isRoomy } = use(SurroundingsContext);
  const status = isNotable(event.status) ? t(event.status) : '';
  const end = useShortEnd()(event);
  const time = formats.time(event.date);
  // A month has no room for the end of an evening.
  const to = end && (end.span || isRoomy) ? `–${end.to}` : '';
  const above = [time + to, status].filter(Boolean).join(' ');
  return (
    <>
      <span className="calendar-at">
        <TypeMark type={event.eventType} />
        {above !== '' && <span className="quiet figures calendar-time">{above} </span>}
        <SmallMarks event={event} />
      </span>
      <span className="strong calendar-name" dir="auto">
        <Highlighted text={event.name.slice(0, maxTextLength)} searched={searched} isNarrow />
      </span>
    </>
  );
}

/** An event in its day. */
export function DayItem(props: {
  readonly day: Day;
  readonly event: Event;
  readonly isPast: boolean;
}) {
  const { day, event, isPast } = props;
  const { t } = useTexts(['event', 'calendar']);
  const formats = useFormats();
  const { chosen, searched, isRoomy, canMove } = use(SurroundingsContext);
  const place = event.location.slice(0, maxTextLength);
  return (
    <button
      type="button"
      className={`calendar-event ${typeClass(event.eventType)}`}
      data-event={event.id}
      data-status={event.status}
      data-past={isPast || undefined}
      aria-current={event.id === chosen || undefined}
      draggable={canMove || undefined}
      onClick={() => goTo({ event: event.id })}
    >
      <ItemText event={event} />
      {isRoomy && place !== '' && (
        <span className="quiet calendar-location" dir="auto">
          <span className="only-spoken">, </span>
          <Highlighted text={place} searched={searched} isNarrow />
        </span>
      )}
      <span className="only-spoken">
        , {formats.on('longDay', day)}
        {event.eventType && `, ${t(event.eventType)}`}
        {isPast && `, ${t('calendar:past')}`}
      </span>
    </button>
  );
}

/** The part of an event of several days in a week: a bar over its days. */
export function Bar(props: Exclude<Lane, null> & { readonly today: Day }) {
  const { event, length, isFirst, isLast, today } = props;
  const clock = useClock();
  const { t } = useTexts(['event', 'calendar']);
  const formats = useFormats();
  const { chosen, searched, canMove } = use(SurroundingsContext);
  const { end } = noteOf(event, clock);
  const [first, last] = [clock.dayOf(event.date), lastDayOf(event, clock)];
  const hours = end?.time && formats.clock(end.time);
  const until = isLast && length > 1 && hours && [formats.on('weekday', last), hours].join(' ');
  const status = isNotable(event.status) ? t(event.status) : '';
  const above = [isFirst ? formats.time(event.date) : '', status].filter(Boolean).join(' ');
  const range = t('calendar:fromTo', {
    from: formats.on('longDay', first),
    to: [formats.on('longDay', last), hours].filter(Boolean).join(', '),
  });
  return (
    <button
      type="button"
      className={`calendar-event row calendar-bar ${typeClass(event.eventType)}`}
      data-event={event.id}
      data-status={event.status}
      data-past={last < today || undefined}
      data-continued={!isFirst || undefined}
      data-continues={!isLast || undefined}
      aria-current={event.id === chosen || undefined}
      draggable={canMove || undefined}
      style={{ '--days': length } as CSSProperties}
      onClick={() => goTo({ event: event.id })}
    >
      <TypeMark type={event.eventType} />
      {above !== '' && <span className="quiet figures calendar-time">{above} </span>}
      <SmallMarks event={event} />
      <span className="strong calendar-name" dir="auto">
        <Highlighted text={event.name.slice(0, maxTextLength)} searched={searched} isNarrow />
      </span>
      {until && (
        <span className="quiet figures calendar-time" aria-hidden>
          {t('calendar:until', { end: until })}
        </span>
      )}
      <span className="only-spoken">
        , {range}
        {event.eventType && `, ${t(event.eventType)}`}
        {last < today && `, ${t('calendar:past')}`}
      </span>
    </button>
  );
}

/** The number of events that a day does not show; it opens the day. */
export function MoreItem({ day, count }: { readonly day: Day; readonly count: number }) {
  const { t } = useTexts('calendar');
  const formats = useFormats();
  const { openDay } = use(SurroundingsContext);
  const shown = formats.number(count);
  return (
    <button
      type="button"
      className="pressable calendar-more"
      aria-haspopup="dialog"
      aria-label={t('moreOn', { count, shown, day: formats.on('day', day) })}
      onClick={() => openDay(day)}
    >
      {t('more', { shown })}
    </button>
  );
}

/** Returns a function that names a day with its number of events. */
export function useDayName(): (day: Day, count: number) => string {
  const { t } = useTexts('calendar');
  const formats = useFormats();
  return (date, count) => {
    const day = formats.on('longDay', date);
    if (count === 0) return t('dayEmpty', { day });
    return t('day', { day, count, shown: formats.number(count) });
  };
}
