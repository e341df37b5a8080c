import './agenda.css';
import { CloseButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { wordsOf } from '../../../../db/fold.ts';
import { daysBetween } from '../../../dates/days.ts';
import { dayCount, lastDayOf, noteOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import { remInPixels, useDocumentTop } from '../../base/browser.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useClock } from '../../base/days.ts';
import { useShortEnd } from '../../base/event-words.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize, useTexts } from '../../base/i18n.ts';
import { IconChevronUp, IconEye } from '../../base/icons.ts';
import { isTodayOutOfSight, useDayRequests, useRoute } from '../../base/navigation.ts';
import { type PlacedRow, useRowWindow } from '../../base/row-window.ts';
import { TypeName, typeClass } from '../../base/type-mark.tsx';
import { changedEvent } from '../../data/changed-event.ts';
import { useDaysOff } from '../../data/days-off.ts';
import {
  bulkPreview,
  type DraftEvent,
  drafts,
  type EventsChange,
  editedSince,
  isDraft,
  useDraftEvents,
} from '../../data/editor.ts';
import { replaceEvents } from '../../data/event-queries.ts';
import { isLooked, openLooked } from '../../data/followed.ts';
import { type Proposal, proposedEvent, useProposals } from '../../data/proposals.ts';
import { useLookedEvents, useSamePlace, useVisibleEvents } from '../../data/visible-events.tsx';
import {
  ChangeMark,
  ClashMark,
  OldAndNew,
  ProposalMark,
  RowText,
  StateMark,
} from '../event/marks.tsx';
import { QuestionMark } from '../event/questions.tsx';
import { BulkBar } from '../selection/bulk-bar.tsx';
import { useFocusAfterClear, useSelection } from '../selection/selection.ts';
import { useListKeys, useScrollAnchor } from './position.ts';
import { arrangeRows, indexOfLastPast, listOrder, type Row, type Section } from './rows.ts';

function MonthHeading({ section, events, ids }: HeadingProps) {
  const { t } = useTexts(['agenda', 'event', 'selection']);
  const formats = useFormats();
  const { today, clock } = useVisibleEvents();
  const { month, first, count: rows } = section;
  if (month === null) return null;
  const own = events.slice(first, first + rows);
  const stored = own.filter((event) => !isDraft(event));
  const count = stored.length;
  const coming = stored.filter((event) => lastDayOf(event, clock) >= today).length;
  const drafted = own.filter(
    (event: DraftEvent) =>
      isDraft(event) && !event.isLeftOut && !event.isProposed && event.lookedFrom === undefined,
  ).length;
  const chosen = ids.size === 0 ? 0 : stored.filter(({ id }) => ids.has(id)).length;
  const isUnderWay = coming > 0 && coming < count;
  const shown = formats.number(count);
  const number =
    chosen > 0
      ? t('selection:chosen', { chosen: formats.number(chosen), shown })
      : isUnderWay
        ? t('agenda:toCome', { count: coming, shown: formats.number(coming) })
        : count > 0 || drafted === 0
          ? t('event:number', { count, shown })
          : '';
  const isDrafted = drafted > 0;
  return (
    <>
      <h2>{capitalize(formats.on('month', month))}</h2>
      <span>
        {number !== '' && (
          <span data-drafted={isDrafted || undefined}>
            {number}
            {isDrafted && ', '}
          </span>
        )}
        {isDrafted && t('agenda:notAddedYet', { count: drafted, shown: formats.number(drafted) })}
      </span>
    </>
  );
}

type HeadingProps = {
  readonly section: Section;
  /** The events of the list. */
  readonly events: readonly Event[];
  /** The selected events. */
  readonly ids: ReadonlySet<number>;
};

function TodayHeading() {
  const { t } = useTexts('agenda');
  const formats = useFormats();
  const { today } = useVisibleEvents();
  return (
    <h2 className="row loose agenda-today">
      <span className="cut">
        {t('todayMark')}, {formats.on('longDay', today)}
      </span>
    </h2>
  );
}

/** Only the unusual has a badge: a change, a cancelled event, a draft, a clash. */
function Badges({ event, next, isSelected }: BadgesProps) {
  const { t } = useTexts(['agenda', 'selection']);
  const { changes, today, clock } = useVisibleEvents();
  const isEdited = editedSince.use().has(event.id) && isSelected;
  const [holiday] = useDaysOff().namesOn(clock.dayOf(next.date));
  const first = clock.dayOf(event.date);
  const showsHoliday = holiday !== undefined && clock.dayOf(next.date) !== first;
  const change = changes.get(event.id)?.kind;
  const days = dayCount(event, clock);
  const isLasting = days > 1 && first <= today && today <= lastDayOf(event, clock);
  const { clashes } = useSamePlace()(event);
  return (
    <span className="agenda-badges">
      {isLasting && (
        <span className="badge badge-plain">
          {t('dayOf', { day: daysBetween(first, today) + 1, count: days })}
        </span>
      )}
      {isEdited && <span className="badge badge-plain">{t('selection:editedBadge')}</span>}
      {showsHoliday && (
        <span className="badge mark-off" dir="auto">
          {holiday}
        </span>
      )}
      {clashes.length > 0 && <ClashMark />}
      <ProposalMark event={event} />
      <QuestionMark event={event} />
      {change && <ChangeMark kind={change} />}
      {next.status !== change && <StateMark event={next} />}
    </span>
  );
}

type BadgesProps = {
  readonly event: Event;
  /** The event after a change that is shown, but not made; otherwise the same. */
  readonly next: Event;
  readonly isSelected: boolean;
};

type CellsProps = {
  readonly event: Event;
  /** The event after a change that is shown, but not made; otherwise the same. */
  readonly next: Event;
  readonly searched: readonly string[];
  readonly isOver: boolean;
  readonly badges: ReactNode;
  /** Shown in the place of the type. */
  readonly from?: ReactNode;
};

/** The day of an event; the old one stands above a new one. */
function DayCell({ event, next }: Pick<CellsProps, 'event' | 'next'>) {
  const clock = useClock();
  const formats = useFormats();
  const end = useShortEnd()(event);
  if (clock.dayOf(next.date) !== clock.dayOf(event.date)) {
    return (
      <span className="agenda-day" aria-hidden>
        <s>{formats.at('weekdayDate', event.date)}</s>
        <b data-range>{formats.at('weekdayDate', next.date)}</b>
      </span>
    );
  }
  return (
    <span className="agenda-day" aria-hidden>
      <span>{formats.at('weekday', event.date)}</span>
      <b data-range={end?.days ? true : undefined}>{end?.days || formats.at('date', event.date)}</b>
    </span>
  );
}

/** The time of an event and its end; the old time stands above a new one. */
function TimeCell({ event, next }: Pick<CellsProps, 'event' | 'next'>) {
  const formats = useFormats();
  const end = useShortEnd()(event);
  const [time, newTime] = [formats.time(event.date), formats.time(next.date)];
  if (newTime !== time) {
    return (
      <span className="agenda-time" aria-hidden>
        <s>{time}</s>
        <b>{newTime}</b>
      </span>
    );
  }
  return (
    <span className="agenda-time" aria-hidden>
      {time}
      {end && <small>– {end.to}</small>}
    </span>
  );
}

/** The cells of a row, and in words what they show: a row has everything in its name. */
function Cells({ event, next, searched, isOver, badges, from }: CellsProps) {
  const clock = useClock();
  const { t } = useTexts('agenda');
  const formats = useFormats();
  const { date } = event;
  const time = formats.time(date);
  const newTime = formats.time(next.date);
  const end = useShortEnd()(event);
  const { end: last } = noteOf(event, clock);
  const spokenEnd =
    last && t('until', { end: end?.span ? formats.on('longDay', last.day) : end?.to });
  const moment = [formats.at('longDay', date), time, spokenEnd ?? '', isOver ? t('past') : ''];
  const times = end && !end.span && time ? `${time}–${end.to}` : time;
  return (
    <>
      <DayCell event={event} next={next} />
      <TimeCell event={event} next={next} />
      <span className="agenda-what">
        <span className="cut agenda-name">
          <strong>
            <RowText old={event.name} now={next.name} searched={searched} />
          </strong>
          {/* Browsers put a space between the two, which a comma must not follow. */}
          <span className="only-spoken">– {moment.filter((part) => part !== '').join(', ')} </span>
        </span>
        <span className="cut small quiet agenda-place">
          {(time !== '' || newTime !== '') && (
            <span className="agenda-short-time" aria-hidden>
              {newTime === time ? times : <OldAndNew old={time} now={newTime} />}
              {event.location !== '' && ' · '}
            </span>
          )}
          <RowText old={event.location} now={next.location} searched={searched} />
          {end?.span && ` ${event.location === '' ? '' : '· '}${end.span}`}
        </span>
      </span>
      {badges}
      <span className="agenda-type">
        {from ?? (event.eventType && <TypeName type={event.eventType} />)}
      </span>
    </>
  );
}

type EventRowProps = {
  readonly event: Event;
  readonly searched: readonly string[];
  readonly isOver: boolean;
  readonly isChosen: boolean;
  readonly isTabStop: boolean;
  /** Undefined while no event is selected: then there are no boxes. */
  readonly isSelected: boolean | undefined;
  /** A change of this event that is shown, but not made; null without one. */
  readonly preview: EventsChange | null;
  readonly proposals: readonly Proposal[] | undefined;
};

const EventRow = memo(function EventRow(props: EventRowProps) {
  const clock = useClock();
  const { event, searched, isOver, isChosen, isTabStop, isSelected, preview, proposals } = props;
  const { t } = useTexts('selection');
  const formats = useFormats();
  const next =
    (preview && changedEvent(clock, event, preview)) ?? proposedEvent(event, proposals ?? []);
  const name = `${event.name}, ${formats.at('longDay', event.date)}`;
  return (
    <>
      {isSelected !== undefined && (
        <label className="centred pick agenda-pick" data-pick={event.id}>
          {/* The keys of the row replace it for the keyboard. */}
          <input
            type="checkbox"
            tabIndex={-1}
            readOnly
            checked={isSelected}
            aria-label={t('select', { name })}
          />
        </label>
      )}
      <button
        type="button"
        className={`agenda-event ${typeClass(event.eventType)}`}
        data-event={event.id}
        data-past={isOver || undefined}
        data-cancelled={next.status === 'cancelled' || undefined}
        data-selected={isSelected || undefined}
        data-proposed={proposals !== undefined || undefined}
        aria-current={isChosen}
        tabIndex={isTabStop ? 0 : -1}
      >
        <Cells
          event={event}
          next={next}
          searched={searched}
          isOver={isOver}
          badges={<Badges {...{ event, next }} isSelected={isSelected === true} />}
        />
      </button>
    </>
  );
});

/** An event in the form, where it will be once it is added; one of a repetition can be left out. */
function DraftRow({ event }: { readonly event: DraftEvent }) {
  const { t } = useTexts(['agenda', 'proposals', 'selection']);
  const formats = useFormats();
  const shown = drafts.use();
  const { number, isLeftOut = false, isProposed = false, copyOf } = event;
  const start = useClock().dayOf(event.date);
  const day = formats.on('longDay', start);
  const [holiday] = useDaysOff().namesOn(start);
  const toggle = () => shown?.toggle(start);
  const count = shown?.dates.filter((one) => !one.isLeftOut).length ?? 1;
  const place =
    number && t('numberOf', { number: formats.number(number), count: formats.number(count) });
  const badge = (
    <span className="agenda-badges">
      {isProposed ? (
        <span className="badge badge-proposal">{t('proposals:proposedNew')}</span>
      ) : copyOf !== undefined ? (
        <span className="badge badge-plain">
          {t('selection:copyOf', { day: formats.at('shortDayInYear', copyOf) })}
        </span>
      ) : isLeftOut && holiday !== undefined ? (
        <span className="badge mark-off" dir="auto">
          {t('dayOff', { holiday })}
        </span>
      ) : (
        <span className="badge badge-plain">
          {isLeftOut ? t('leftOut') : place || t('notAdded')}
        </span>
      )}
    </span>
  );
  return (
    <div
      className={`agenda-event agenda-draft ${typeClass(event.eventType)}`}
      data-left-out={isLeftOut || undefined}
      data-off={holiday !== undefined || undefined}
    >
      <Cells event={event} next={event} searched={[]} isOver={false} badges={badge} />
      {isLeftOut && (
        <LinkButton className="agenda-drop" aria-label={`${t('putBack')}: ${day}`} onClick={toggle}>
          {t('putBack')}
        </LinkButton>
      )}
      {number !== undefined && (
        <CloseButton className="agenda-drop" aria-label={t('leaveOut', { day })} onClick={toggle} />
      )}
    </div>
  );
}

/** An event that the club only looks at. */
function LookedRow(props: {
  readonly event: DraftEvent;
  readonly isOver: boolean;
  readonly isTabStop: boolean;
}) {
  const { event, isOver, isTabStop } = props;
  const { t } = useTexts('follow');
  const from = (
    <span className="row tight looked-from">
      <IconEye size={16} stroke={1.75} aria-hidden />
      <span className="only-spoken">{t('look')}: </span>
      <span className="cut" dir="auto">
        {event.lookedFrom}
      </span>
    </span>
  );
  return (
    <button
      type="button"
      className="agenda-event agenda-looked"
      data-looked={event.id}
      tabIndex={isTabStop ? 0 : -1}
      data-past={isOver || undefined}
      data-cancelled={event.status === 'cancelled' || undefined}
      onClick={() => openLooked(event)}
    >
      <Cells
        event={event}
        next={event}
        searched={[]}
        isOver={isOver}
        from={from}
        badges={
          <span className="agenda-badges">
            <StateMark event={event} />
          </span>
        }
      />
    </button>
  );
}

/** Heights of rows and the gap above a month, in rem. */
const heights: Readonly<Record<Row['kind'], number>> = {
  month: 2.375,
  today: 2.125,
  event: 3.6875,
};
const rowKinds = ['month', 'today', 'event'] as const;
const monthGap = 1.5;
/** Height of events on narrow screens, where names have two lines, in rem. */
const narrowEventHeight = 4.375;

type Heights = {
  readonly gap: number;
  readonly of: (kind: Row['kind']) => number;
};

/** Returns the heights in pixels; that of a month includes the gap above it. */
function useHeights(): Heights {
  const isNarrow = useMediaQuery('(max-width: 43.75rem)', false, {
    getInitialValueInEffect: false,
  });
  const rem = remInPixels();
  return useMemo(() => {
    const gap = Math.round(monthGap * rem);
    const inPixels: Record<Row['kind'], number> = {
      month: Math.round(heights.month * rem) + gap,
      today: Math.round(heights.today * rem),
      event: Math.round((isNarrow ? narrowEventHeight : heights.event) * rem),
    };
    return { gap, of: (kind) => inPixels[kind] };
  }, [isNarrow, rem]);
}

/** Media query for windows in which all that is above the list stays in place; as in the styles. */
const hasFixedTop = '(min-width: 67.5625rem) and (min-height: 31.25rem)';

/**
 * Returns the events of the list. Where the head or the side column scrolls away above it, the list
 * begins at the last past event: they would otherwise be out of reach above all of the past.
 */
function useUnfolded() {
  const { events, today, clock } = useVisibleEvents();
  const { day, period } = useRoute();
  const drafted = useDraftEvents();
  const looked = useLookedEvents();
  const isTopFixed = useMediaQuery(hasFixedTop, true, { getInitialValueInEffect: false });
  const [isOpened, setOpened] = useState(false);
  const withDraft = useMemo(() => {
    const added = [...drafted, ...looked];
    const all = added.length === 0 ? events : replaceEvents(events, [], added);
    return listOrder(clock, all, today);
  }, [events, drafted, looked, today, clock]);
  const lastPast = indexOfLastPast(clock, withDraft, today);
  const startsAtTop = !isTopFixed && !isOpened;
  const isPastWanted = period === 'past' || (day !== null && day < today);
  const hidden = startsAtTop && !isPastWanted ? lastPast : 0;
  const shown = useMemo(
    () => (hidden === 0 ? withDraft : withDraft.slice(hidden)),
    [withDraft, hidden],
  );
  return { shown, startsAtTop, hidden, unfold: () => setOpened(true) };
}

/** The rendered rows of one section. */
type Part = { readonly section: Section; readonly items: readonly PlacedRow[] };

function partsOf(items: readonly PlacedRow[], sectionOf: (row: number) => Section): Part[] {
  const parts = new Map<Section, PlacedRow[]>();
  for (const item of items) {
    const section = sectionOf(item.index);
    const own = parts.get(section) ?? [];
    own.push(item);
    parts.set(section, own);
  }
  return [...parts].map(([section, own]) => ({ section, items: own }));
}

/** The events by month. The list opens at today; past events are above. */
export function Agenda() {
  const { t } = useTexts('agenda');
  const formats = useFormats();
  const { today, clock } = useVisibleEvents();
  const { words, event: chosen, day } = useRoute();
  const { shown: events, startsAtTop, hidden, unfold } = useUnfolded();
  const searched = useMemo(() => wordsOf(words), [words]);
  const rows = useMemo(() => arrangeRows(clock, events, today), [events, today, clock]);
  const list = useRef<HTMLDivElement>(null);
  const listTop = useDocumentTop(list);
  const { gap, of: heightOf } = useHeights();
  // The first month has no gap above it.
  const firstGap = rows.kindAt(0) === 'month' ? gap : 0;
  const startOfRow = (row: number) =>
    rowKinds.reduce((sum, kind) => sum + rows.countAbove(row, kind) * heightOf(kind), 0) -
    (row > 0 ? firstGap : 0);
  const dayShown = day ?? today;
  const listing = { list, listTop, startOfRow, rows, events };
  const { goToDay, hold, target } = useScrollAnchor({
    ...listing,
    day: dayShown,
    today,
    startsAtTop,
  });
  const { items, first, last } = useRowWindow({
    count: rows.count,
    startOfRow,
    top: listTop,
    target,
    overscan: 6,
  });
  useDayRequests((requested) => goToDay(requested ?? today));
  const keys = useListKeys({ ...listing, items, chosen });
  const { events: visible } = useVisibleEvents();
  const { selection, onClick, onKeyDown } = useSelection(visible);
  const { ids } = selection;
  useFocusAfterClear(ids.size, list);
  const preview = bulkPreview.use();
  const byEvent = useProposals()?.byEvent;
  const isAwayFromToday = rows.todayRow < first || rows.todayRow > last;
  useEffect(() => {
    isTodayOutOfSight.set(isAwayFromToday);
    return () => isTodayOutOfSight.set(false);
  }, [isAwayFromToday]);

  const showEarlier = () => {
    hold();
    unfold();
  };
  const isLastOfGroup = (row: number) =>
    row === rows.count - 1 || rows.kindAt(row + 1) !== 'event' || row === rows.todayRow;

  const renderRow = (row: Row): ReactNode => {
    if (row.kind === 'month') return null;
    if (row.kind === 'today') return <TodayHeading />;
    const isOver = lastDayOf(row.event, clock) < today;
    const isTabStop = keys.tabStop === row.index;
    if (isLooked(row.event)) {
      return <LookedRow event={row.event} isOver={isOver} isTabStop={isTabStop} />;
    }
    if (isDraft(row.event)) return <DraftRow event={row.event} />;
    return (
      <EventRow
        event={row.event}
        searched={searched}
        isOver={isOver}
        isChosen={row.event.id === chosen}
        isTabStop={isTabStop}
        isSelected={ids.size === 0 ? undefined : ids.has(row.event.id)}
        preview={ids.has(row.event.id) ? preview : null}
        proposals={byEvent?.get(row.event.id)}
      />
    );
  };

  // "07:00 PM" needs a wider column than "19:00".
  const timeWidth = { '--time': `${formats.clock('20:00').length}ch` };
  // Without any type, the badges stand at the edge.
  const hasTypes = useMemo(
    () => events.some((event) => event.eventType !== null || isLooked(event)),
    [events],
  );
  const widths = { ...timeWidth, '--types': hasTypes ? '6.5rem' : '0px' };
  return (
    <>
      {hidden > 0 && (
        <button type="button" className="inline close agenda-earlier" onClick={showEarlier}>
          <IconChevronUp size={16} aria-hidden />
          {t('earlier', { count: hidden, shown: formats.number(hidden) })}
        </button>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: only the rows near the viewport are rendered */}
      <div
        ref={list}
        className="agenda"
        role="list"
        aria-label={t('list')}
        data-selecting={ids.size > 0 || undefined}
        style={{ height: startOfRow(rows.count), ...widths }}
        onClick={onClick}
        onKeyDown={(event) => {
          onKeyDown(event);
          if (!event.defaultPrevented) keys.onKeyDown(event);
        }}
      >
        {partsOf(items, rows.sectionOf).map(({ section, items: own }) => {
          const top = startOfRow(section.row) + (section.row > 0 && section.month ? gap : 0);
          const key = section.month ?? 'first';
          return (
            <div
              key={key}
              className="agenda-section"
              role="presentation"
              style={{ top, height: startOfRow(section.end) - top }}
            >
              {section.month && (
                // biome-ignore lint/a11y/useSemanticElements: as above
                <div
                  role="listitem"
                  className="row wide agenda-month"
                  aria-setsize={rows.count}
                  aria-posinset={section.row + 1}
                >
                  <MonthHeading section={section} events={events} ids={ids} />
                </div>
              )}
              {own.map(({ index, size, start }) => {
                const row = rows.at(index);
                if (row.kind === 'month') return null;
                return (
                  // biome-ignore lint/a11y/useSemanticElements: as above
                  <div
                    key={row.kind === 'event' ? row.event.id : 'today'}
                    role="listitem"
                    className="agenda-row"
                    data-last={isLastOfGroup(index) || undefined}
                    aria-setsize={rows.count}
                    aria-posinset={index + 1}
                    style={{ height: size, transform: `translateY(${start - listTop - top}px)` }}
                  >
                    {renderRow(row)}
                  </div>
                );
              })}
            </div>
          );
        })}
      </div>
      <BulkBar selection={selection} />
    </>
  );
}
