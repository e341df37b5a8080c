import { Button } from '@mantine/core';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, type Day, type Season, seasonOf } from '../../../dates/days.ts';
import { indexAt } from '../../../event/places.ts';
import { endingSeason, noChoices } from '../../../event/season.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useFormats } from '../../base/format.ts';
import { IconCalendarRepeat } from '../../base/icons.ts';
import { currentRoute, goTo } from '../../base/navigation.ts';
import { createSharedValue } from '../../base/shared-value.ts';
import { useClubSettings } from '../../data/club-settings.ts';
import { useMirror } from '../../data/mirror-context.ts';
import { readRemembered, remember, useSeasonPlan } from '../../data/seasons.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useMaybeDesktop } from '../../manage/parts/desktop-provider.tsx';

/** Days before the last event from which the next season is offered. */
const daysBefore = 28;

/** Number of events that would come again, from which a season is offered. */
const leastEvents = 10;

const noFixtures: ReadonlySet<number> = new Set();
const weeks = 52;

/** Opens the form of the next season, whose result is an agenda or a table. */
export function openNextSeason(): void {
  const isTable = currentRoute().view === 'table';
  goTo({ form: 'season', view: isTable ? 'table' : 'agenda', event: null, formDay: null });
}

/** The offer to plan the season after one: its last day, and how many of all events would come again. */
type Offered = {
  readonly season: Season;
  readonly last: Day;
  /** True if no event is later than that day. */
  readonly isLast: boolean;
  readonly again: number;
  readonly all: number;
};

/** The offer on view, for the row below the last event. */
const shownOffer = createSharedValue<Offered | undefined>(undefined);

/** Returns the offer; undefined before the last event is near, or if too few would come again. */
function useOffer(): Offered | undefined {
  const { all, clock, today } = useVisibleEvents();
  const { seasonStart } = useClubSettings();
  const events = all?.pastRead && all.comingRead ? all.events : [];
  const ending = endingSeason(today, seasonStart);
  // Some events of the next season may be there already.
  const end = indexAt(events, clock.startOf(ending.end));
  const latest = events[end - 1];
  const last = latest && clock.dayOf(latest.date);
  const isNear = last !== undefined && addDays(last, -daysBefore) <= today;
  const first = isNear ? ending.first : undefined;
  const isLast = end === events.length;
  // The list comes first.
  const start = useDeferredValue(first, undefined);
  const season = useMemo(() => start && seasonOf(start, seasonStart), [start, seasonStart]);
  const plan = useSeasonPlan({
    ...{ weeks, fixtures: noFixtures, choices: noChoices },
    season: season || undefined,
  });
  return useMemo(() => {
    const again = plan?.rows.filter(({ reason }) => reason === undefined).length ?? 0;
    if (!season || last === undefined || plan === undefined || again < leastEvents)
      return undefined;
    return { season, last, isLast, again, all: plan.rows.length };
  }, [season, last, isLast, plan]);
}

function Offer() {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const { account, today } = useVisibleEvents();
  const [declined, setDeclined] = useState(() => readRemembered(account).declined);
  const offer = useOffer();
  useEffect(() => {
    shownOffer.set(offer);
    return () => shownOffer.set(undefined);
  }, [offer]);
  if (offer === undefined || declined === offer.season.first) return null;
  const { season, last, again, all } = offer;
  const decline = () => {
    remember(account, { declined: season.first });
    setDeclined(season.first);
  };
  return (
    <section className="card season-offer" aria-labelledby="season-offer">
      <p className="next-up-eyebrow">
        {t(last < today ? 'lastWas' : 'lastIs', { day: formats.on('dayInYear', last) })}
      </p>
      <h2 id="season-offer">{t('offer')}</h2>
      <p className="small quiet">
        {t('offerText', { again: formats.number(again), all: formats.number(all) })}
      </p>
      <div className="flow">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconCalendarRepeat size={16} stroke={1.75} aria-hidden />}
          onClick={openNextSeason}
        >
          {t('open')}
        </Button>
        <Button variant="subtle" size="compact-sm" onClick={decline}>
          {t('notThisYear')}
        </Button>
      </div>
    </section>
  );
}

/** Returns true where events can be added by hand. */
function useCanPlan(): boolean {
  const desktop = useMaybeDesktop();
  return useMirror() === null && desktop !== undefined;
}

/** The card above the others while the last events of a season are near. */
export function SeasonOffer() {
  return useCanPlan() && <Offer />;
}

function End() {
  const { t } = useTranslation('season');
  const formats = useFormats();
  const offer = shownOffer.use();
  if (offer === undefined || !offer.isLast) return null;
  return (
    <p className="quiet season-end">
      {t('nothingAfter', { day: formats.on('dayInYear', offer.last) })}{' '}
      <LinkButton onClick={openNextSeason}>{t('open')}</LinkButton>
    </p>
  );
}

/** The way to the next season below the last event of the list. */
export function SeasonEnd() {
  return useCanPlan() && <End />;
}
