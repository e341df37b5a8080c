import { useTranslation } from 'react-i18next';
import { addDays, type Day } from '../../../dates/days.ts';
import type { Formats } from '../../../dates/formats.ts';
import type { Event } from '../../../http/contract.ts';
import { formatRoute } from '../../base/address.ts';
import { useClock, useNow, useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { IconClock, IconMapPin } from '../../base/icons.ts';
import { useRoute } from '../../base/navigation.ts';
import { nextEvent } from '../../data/event-queries.ts';
import { useTeamChoice } from '../../data/teams.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { Fact, useDayAndTime } from '../../views/event/details.tsx';

/** Maximum length of a name or place in the card, in characters. */
const maxLength = 200;

/** Returns a function that names a moment: `Today at 18:30`, `Sunday 22 November, 10:00`. */
function useNearMoment(): (moment: string, today: Day, formats: Formats) => string {
  const clock = useClock();
  const { t } = useTranslation('side');
  const nameOf = useDayAndTime();
  return (moment, today, formats) => {
    const day = clock.dayOf(moment);
    const near = day === today ? 'today' : day === addDays(today, 1) ? 'tomorrow' : undefined;
    if (near === undefined) return nameOf(moment, today, formats);
    const time = formats.time(moment);
    return time === '' ? t(near) : t(`${near}At`, { time });
  };
}

function NextEvent({ event, now }: { readonly event: Event; readonly now: Date }) {
  const { t } = useTranslation(['side', 'panel', 'teams']);
  const formats = useFormats();
  const today = useToday();
  const nameOf = useNearMoment();
  const route = useRoute();
  const team = useTeamChoice().name;
  return (
    <section className="card next-up" aria-labelledby="next-up">
      <p className="next-up-eyebrow">
        <span>{team === null ? t('nextUp') : t('teams:nextUp', { team })}</span>
        <span>{formats.distance(event.date, now)}</span>
      </p>
      <h2 id="next-up" dir="auto">
        <a
          className="card-link"
          href={formatRoute({ ...route, event: event.id, form: null, formDay: null })}
        >
          {event.name.slice(0, maxLength)}
        </a>
      </h2>
      <dl className="stack close facts">
        <Fact Icon={IconClock} name={t('panel:when')}>
          <strong>{nameOf(event.date, today, formats)}</strong>
        </Fact>
        {event.location !== '' && (
          <Fact Icon={IconMapPin} name={t('panel:where')}>
            <span dir="auto">{event.location.slice(0, maxLength)}</span>
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** The next event of the club or of the chosen team, regardless of the other filters. */
export function NextUp() {
  const { t } = useTranslation('side');
  const { all, ofTeam, clock } = useVisibleEvents();
  const now = useNow();
  const event = nextEvent(clock, ofTeam, now);
  if (event !== undefined) return <NextEvent event={event} now={now} />;
  if (!all?.comingRead) return null;
  return (
    <section className="card next-up" aria-labelledby="next-up">
      <h2 id="next-up" className="next-up-eyebrow">
        {capitalize(t('nextUp'))}
      </h2>
      <p>{t('nothingNext')}</p>
    </section>
  );
}
