import './day-item.css';
import {
  IconAlertTriangle,
  IconArrowRight,
  IconBan,
  IconMapPin,
  IconPencil,
  IconSparkles,
} from '@tabler/icons-react';
import { createContext, use } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import { type Day, partsOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { samePlaceEvents } from '../../data/events.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { Highlighted } from '../event/highlight.tsx';
import type { DayItem } from './contents.ts';

/** Number of events from which a day is highlighted. */
const many = 4;

/** Returns a function that names a day with its number of events. */
export function useDayName(): (day: Day, count: number) => string {
  const { t } = useTranslation('calendar');
  const formats = useFormats();
  return (date, count) => {
    const day = formats.on('longDay', date);
    if (count === 0) return t('dayEmpty', { day });
    return t('day', { day, count, shown: formats.number(count) });
  };
}

/** The number of a day in its month, and below it the number of its events. */
export function DayCount({ number, count }: { readonly number: string; readonly count: number }) {
  const formats = useFormats();
  return (
    <>
      <span className="calendar-number">{number}</span>
      {count > 0 && (
        // CSS shows the number: as text it would repeat the accessible name of the day.
        <span
          className="calendar-count"
          data-count={formats.number(count)}
          data-many={count >= many || undefined}
        />
      )}
    </>
  );
}

/** Maximum length of a text in a day, in characters: far more than a day can show. */
const maxTextLength = 120;

/** Properties that all items share. */
export type ItemSurroundings = {
  readonly chosen: number | null;
  readonly searched: readonly string[];
  /** Day whose items are tab stops; null for all days. */
  readonly current: Day | null;
  /** True if an item has room for more than one line. */
  readonly isRoomy: boolean;
  /** Lists all events of a day. */
  readonly listDay: (day: Day) => void;
};

export const SurroundingsContext = createContext<ItemSurroundings>({
  chosen: null,
  searched: [],
  current: null,
  isRoomy: false,
  listDay: () => undefined,
});

const changeIcons = {
  new: IconSparkles,
  moved: IconArrowRight,
  relocated: IconMapPin,
  cancelled: IconBan,
} as const;

/** The marks of an event as icons with accessible names. */
function SmallMarks({ event }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  const { changes, all } = useVisibleEvents();
  const change = changes.get(event.id)?.kind;
  const { clashes } = samePlaceEvents(event, all?.events ?? []);
  const isShownAsChange = change === 'cancelled';
  const marks = [
    ...(change ? [[t(change), changeIcons[change]] as const] : []),
    ...(clashes.length > 0 ? [[t('clash'), IconAlertTriangle] as const] : []),
    ...(event.status === 'cancelled' && !isShownAsChange
      ? [[t('cancelled'), IconBan] as const]
      : []),
    ...(event.status === 'draft' ? [[t('draft'), IconPencil] as const] : []),
  ];
  return marks.map(([name, Icon]) => (
    <span key={name} className="calendar-mark" title={name}>
      <Icon size={14} aria-hidden />
      <span className="only-spoken">, {name}</span>
    </span>
  ));
}

function EventItem({ day, event }: { readonly day: Day; readonly event: Event }) {
  const formats = useFormats();
  const { chosen, searched, current, isRoomy } = use(SurroundingsContext);
  const time = formats.time(event.date);
  return (
    <button
      type="button"
      className={`calendar-event calendar-${event.status}`}
      data-event={event.id}
      aria-current={event.id === chosen || undefined}
      tabIndex={current === null || current === day ? 0 : -1}
      onClick={() => goTo({ event: event.id })}
    >
      {time !== '' && <span className="calendar-time">{time} </span>}
      <span className="calendar-name" dir="auto">
        <Highlighted text={event.name.slice(0, maxTextLength)} searched={searched} />
      </span>
      <span className="only-spoken">, {formats.on('longDay', day)}</span>
      <SmallMarks event={event} />
      {isRoomy && (
        <span className="calendar-location" dir="auto">
          <Highlighted text={event.location.slice(0, maxTextLength)} searched={searched} />
        </span>
      )}
    </button>
  );
}

function MoreItem({ day, count }: { readonly day: Day; readonly count: number }) {
  const { t } = useTranslation('calendar');
  const formats = useFormats();
  const { current, listDay } = use(SurroundingsContext);
  const shown = formats.number(count);
  return (
    <button
      type="button"
      className="calendar-more"
      data-more={day}
      aria-haspopup="dialog"
      aria-label={t('moreOn', { shown, day: formats.on('day', day) })}
      tabIndex={current === null || current === day ? 0 : -1}
      onClick={() => listDay(day)}
    >
      {t('more', { shown })}
    </button>
  );
}

/** The heading of a day in a week; its accessible name begins with the visible text. */
function HeadItem({ day, count }: { readonly day: Day; readonly count: number }) {
  const formats = useFormats();
  const name = useDayName()(day, count);
  return (
    <button
      type="button"
      className="calendar-day-link calendar-head"
      tabIndex={-1}
      onClick={() => goTo({ view: 'agenda', day })}
    >
      <span>{formats.on('weekday', day)}</span>{' '}
      <span className="calendar-number">{partsOf(day).date}</span>
      <span className="only-spoken">, {name}</span>
    </button>
  );
}

export function DayItemView({ item }: { readonly item: DayItem }) {
  if (item.kind === 'head') return <HeadItem day={item.day} count={item.count} />;
  if (item.kind === 'event') return <EventItem day={item.day} event={item.event} />;
  return <MoreItem day={item.day} count={item.count} />;
}
