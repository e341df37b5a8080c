import { useTranslation } from 'react-i18next';
import { isZoneForeign, useClock } from '../base/days.ts';
import { useFormats } from '../base/format.ts';
import { useConfirmedText } from '../data/club.ts';
import { useOldAddresses } from '../data/followed.ts';
import { useTeamChoice } from '../data/teams.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { OldAddresses } from '../manage/nav.tsx';
import { DataState, useDataState } from '../manage/parts/data-state.tsx';

/** The age of an online service's events; the number that pass the filters, or the progress. */
export function ClubState() {
  const { t } = useTranslation(['event', 'shell', 'teams']);
  const formats = useFormats();
  const team = useTeamChoice().name;
  const { all, events, source } = useVisibleEvents();
  const isMirror = useDataState() !== undefined;
  const hasOld = useOldAddresses() > 0;
  if (source === undefined) return <span className="cut quiet page-club-state" />;
  const isWhole = source.pastRead && source.comingRead;
  const count = { count: events.length, shown: formats.number(events.length) };
  const total = all?.total ?? events.length;
  const ofTeam = { count: total, shown: count.shown, all: formats.number(total) };
  const shown = team === null ? t('event:number', count) : t('teams:state', { team, ...ofTeam });
  const whole = all?.total === 0 ? t('shell:empty') : shown;
  const soFar = t('shell:readSoFar', {
    read: formats.number(source.events.length),
    total: formats.number(source.total),
  });
  return (
    <span className="cut quiet page-club-state">
      <DataState />
      {isMirror && ' · '}
      <OldAddresses />
      <span role="status" className={hasOld ? 'only-spoken' : undefined}>
        {isWhole ? whole : soFar}
      </span>
      <ForeignZone />
    </span>
  );
}

/** The time zone of the club, if it is not that of the reader. */
function ForeignZone() {
  const clock = useClock();
  const { t } = useTranslation('shell');
  if (!isZoneForeign(clock)) return null;
  return <> · {t('timesIn', { zone: clock.name.replaceAll('_', ' ') })}</>;
}

/** The time up to which the events are known to be right. */
export function useAsOf(): string {
  const { t } = useTranslation('shell');
  const formats = useFormats();
  const { club, source } = useVisibleEvents();
  const confirmed = useConfirmedText(club, (moment) => formats.at('moment', moment));
  return t('asOf', { when: source?.asOf ? formats.at('moment', source.asOf) : confirmed });
}
