import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { formatRoute, unfiltered } from '../../base/address.ts';
import { focusContent } from '../../base/browser.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useClock, useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo, useRoute } from '../../base/navigation.ts';
import { indexAt } from '../../data/event-queries.ts';
import type { Change } from '../../data/seen-events.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useMove } from '../../views/event/changes.tsx';
import { ChangeMark } from '../../views/event/marks.tsx';

/** Maximum number of changes to list; an import may have thousands. */
const maxListed = 6;
const maxLength = 200;

/** Returns the number of changes and the day since when; empty without changes. */
export function useChangesTitle(): string {
  const { t } = useTranslation('side');
  const formats = useFormats();
  const today = useToday();
  const { changes, lastVisit, clock } = useVisibleEvents();
  const { since } = lastVisit;
  if (changes.size === 0 || since === null) return '';
  const count = t('changes', { count: changes.size, shown: formats.number(changes.size) });
  const day = clock.dayOf(since);
  if (day === today) return t('sinceTime', { changes: count, when: formats.at('time', since) });
  if (day === addDays(today, -1)) return t('sinceYesterday', { changes: count });
  if (day > addDays(today, -7)) {
    return t('sinceWeekday', { changes: count, when: formats.at('longWeekday', since) });
  }
  return t('sinceDay', { changes: count, when: formats.dayNear('day', since, today) });
}

/** Returns a function that describes a change in a line: old → new, or the day and the place. */
function useChangeLine(): (change: Change, event: Event) => string {
  const clock = useClock();
  const { t } = useTranslation('side');
  const formats = useFormats();
  const today = useToday();
  const moveOf = useMove();
  return (change, event) => {
    const isThisWeek =
      event.date >= clock.startOf(today) && event.date < clock.startOf(addDays(today, 7));
    const day = isThisWeek
      ? formats.at('longWeekday', event.date)
      : formats.dayNear('day', event.date, today);
    const route = event.location.slice(0, maxLength);
    if (change.kind === 'cancelled') return day;
    if (change.kind !== 'moved') return route === '' ? day : `${day}, ${route}`;
    const { isSameDay, from, to } = moveOf(change.from, event.date);
    const move = isSameDay ? t('movedOnDay', { day, from, to }) : `${from} → ${to}`;
    return change.isNewPlace && route !== '' ? `${move}, ${route}` : move;
  };
}

/** Returns the changed events by date, first those to come; only so many as are listed. */
function listedEvents(
  events: readonly Event[],
  changes: ReadonlyMap<number, Change>,
  start: string,
): readonly Event[] {
  const listed: Event[] = [];
  const firstComing = indexAt(events, start);
  const count = Math.min(changes.size, maxListed);
  for (let step = 0; step < events.length && listed.length < count; step += 1) {
    const event = events[(firstComing + step) % events.length] as Event;
    if (changes.has(event.id)) listed.push(event);
  }
  return listed;
}

function ShowButton({ className }: { readonly className: string }) {
  const { t } = useTranslation('side');
  const { changedOnly } = useRoute();
  const change = changedOnly ? { changedOnly: false } : { ...unfiltered, changedOnly: true };
  return (
    <LinkButton className={className} onClick={() => goTo(change)}>
      {t(changedOnly ? 'showAll' : 'show')}
    </LinkButton>
  );
}

/** The changes since the last visit; nothing without changes. */
export function ChangesCard() {
  const { t } = useTranslation('side');
  const formats = useFormats();
  const route = useRoute();
  const today = useToday();
  const { changes, markSeen, all, clock } = useVisibleEvents();
  const title = useChangesTitle();
  const lineOf = useChangeLine();
  const listed = useMemo(
    () => listedEvents(all?.events ?? [], changes, clock.startOf(today)),
    [all, changes, today, clock],
  );
  if (title === '') return null;
  const more = changes.size - listed.length;
  const markAll = () => {
    markSeen(changes.keys());
    // The focused button disappears.
    focusContent();
  };
  return (
    <section className="card news changes-card" aria-labelledby="changes-title">
      <div className="titled changes-head">
        <h3 id="changes-title">{title}</h3>
        <span>
          <ShowButton className="changes-narrow" />
          <LinkButton onClick={markAll}>{t('seen')}</LinkButton>
        </span>
      </div>
      <ul className="changes-list">
        {listed.map((event) => {
          const change = changes.get(event.id);
          return (
            change && (
              <li key={event.id}>
                <ChangeMark kind={change.kind} />
                <span>
                  <a href={formatRoute({ ...route, event: event.id })} dir="auto">
                    {event.name.slice(0, maxLength)}
                  </a>
                  <br />
                  <span>{lineOf(change, event)}</span>
                </span>
              </li>
            )
          );
        })}
      </ul>
      {(more > 0 || route.changedOnly) && (
        <p className="changes-more">
          {more > 0 && `${t('more', { count: more, shown: formats.number(more) })} `}
          <ShowButton className="" />
        </p>
      )}
    </section>
  );
}
