import './paper.css';
import './print.css';
import { useTranslation } from 'react-i18next';
import { useIsPrinting } from '../../base/browser.ts';
import { useFormats } from '../../base/format.ts';
import { useRoute } from '../../base/navigation.ts';
import { useCalendarIdentity } from '../../data/club.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { Groups, severalTypes, styleOf, useMonths } from './entries.tsx';
import { Legend } from './paper.tsx';
import { useFilterNames } from './print-snapshot.ts';

/** A sentence about events that have not been loaded yet; empty if all have. */
function useMissing(): string {
  const { t } = useTranslation(['print', 'shell']);
  const formats = useFormats();
  const { source } = useVisibleEvents();
  if (source === undefined) return t('shell:reading');
  if (source.pastRead && source.comingRead) return '';
  const [read, total] = [source.events.length, source.total].map(formats.number);
  return t('print:incomplete', { read, total });
}

/** The name in the desktop window; undefined in a browser, which reads it from the service. */
type ClubName = { readonly clubName: string | undefined };

function PlainList({ clubName }: ClubName) {
  const { t } = useTranslation(['print', 'shell']);
  const formats = useFormats();
  const { events, club, all, accessKey, clock } = useVisibleEvents();
  const identity = useCalendarIdentity(accessKey);
  const title = clubName ?? (identity?.name || t('print:listTitle'));
  const filters = useFilterNames();
  const missing = useMissing();
  const months = useMonths()(events);
  const types = severalTypes(events);
  const style = styleOf(
    months.flatMap(({ entries }) => entries),
    types,
  );
  const [first, last] = [events[0], events.at(-1)];
  const days =
    first && last ? formats.range('day', clock.dayOf(first.date), clock.dayOf(last.date)) : '';
  const asOf = new Date(all?.asOf ?? club.confirmedAt());
  return (
    <div className="print-root sheet-page sheet-list sheet-plain">
      <header className="sheet-head">
        <h2 dir="auto">{title}</h2>
        <p className="sheet-subtitle">
          {[days, filters].filter((part) => part !== '').join(' · ')}
        </p>
      </header>
      <div className="sheet-body">
        {missing !== '' && <p>{missing}</p>}
        {first === undefined && missing === '' && <p>{t('print:nothing')}</p>}
        <Groups groups={months} style={style} />
      </div>
      <footer className="sheet-foot">
        <Legend types={types} />
        <span>{t('shell:asOf', { when: formats.at('day', asOf) })}</span>
      </footer>
    </div>
  );
}

/**
 * All events of the view as a plain list, which only a printer gets: on the screen, the views
 * render just the rows near the viewport. The print view and other screens are printed as they are.
 */
export function PrintedEvents({ clubName }: ClubName) {
  const { sheet, manage } = useRoute();
  const isPrinting = useIsPrinting();
  return isPrinting && sheet === null && manage === null && <PlainList clubName={clubName} />;
}
