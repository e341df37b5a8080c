import { useTranslation } from 'react-i18next';
import { useFormats } from '../base/format.ts';
import { useConfirmedText } from '../data/club.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';

/** The number of events that pass the filters, or the progress of reading; and the data's time. */
export function ClubState() {
  const { t } = useTranslation(['event', 'shell']);
  const formats = useFormats();
  const { all, events, source } = useVisibleEvents();
  if (source === undefined) return <span className="page-club-state" />;
  const isWhole = source.pastRead && source.comingRead;
  const count = { count: events.length, shown: formats.number(events.length) };
  const whole = all?.total === 0 ? t('shell:empty') : t('event:number', count);
  const soFar = t('shell:readSoFar', {
    read: formats.number(source.events.length),
    total: formats.number(source.total),
  });
  const when = source.asOf && t('shell:asOf', { when: formats.at('moment', source.asOf) });
  return (
    <span className="page-club-state">
      <span role="status">{isWhole ? whole : soFar}</span>
      {when && ` · ${when}`}
    </span>
  );
}

/** The time up to which the events are known to be right. */
export function useAsOf(): string {
  const { t } = useTranslation('shell');
  const formats = useFormats();
  const { club, source } = useVisibleEvents();
  const confirmed = useConfirmedText(club, (moment) => formats.at('moment', moment));
  return t('asOf', { when: source?.asOf ? formats.at('moment', source.asOf) : confirmed });
}
