import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import { type Day, monthOf, partsOf, weekStartOf } from '../../base/days.ts';
import { regionalTag, useFormats } from '../../base/format.ts';
import { isNotable } from '../event/marks.tsx';
import { EventRows, EventTable } from './event-rows.tsx';
import { type Cell, type Entry, layOutMonth, type MonthGrid, someWeek } from './month-grid.ts';
import type { Snapshot } from './paper.tsx';
import { Paper, useFilterWords } from './paper.tsx';

/** Returns a function that writes the time of an event and, if necessary, its status. */
function useLead(): (event: Event) => string {
  const { t } = useTranslation('event');
  const formats = useFormats();
  return useCallback(
    ({ date, status }) => {
      const time = formats.time(date);
      const lead = time === '' ? '' : `${time} `;
      return isNotable(status) ? `${lead}${t(status)}: ` : lead;
    },
    [t, formats],
  );
}

function EntryLine({ entry, lead }: { readonly entry: Entry; readonly lead: string }) {
  const { event, text } = entry;
  return (
    <li>
      <b>{lead}</b>
      <bdi data-cancelled={event.status === 'cancelled' || undefined}>{text}</bdi>
    </li>
  );
}

function DayCell({ cell, lead }: { readonly cell: Cell; readonly lead: (event: Event) => string }) {
  const { t } = useTranslation('print');
  const formats = useFormats();
  if (!cell.isInMonth) return <td className="sheet-outside" />;
  return (
    <td>
      <p className="sheet-date">{partsOf(cell.day).date}</p>
      {cell.entries.length > 0 && (
        <ul>
          {cell.entries.map((entry) => (
            <EntryLine key={entry.event.id} entry={entry} lead={lead(entry.event)} />
          ))}
        </ul>
      )}
      {cell.more > 0 && (
        <p className="sheet-more">
          {t('more', { count: cell.more, shown: formats.number(cell.more) })}
        </p>
      )}
    </td>
  );
}

/** The events that do not fit in their days, on the following pages. */
function Continued({
  events,
  title,
}: {
  readonly events: readonly Event[];
  readonly title: string;
}) {
  const { t } = useTranslation('print');
  return (
    <section className="sheet-continued">
      <EventTable title={t('continued', { title })}>
        <EventRows events={events} />
      </EventTable>
    </section>
  );
}

function Weeks(props: {
  readonly weeks: MonthGrid['weeks'];
  readonly weekStart: number;
  readonly lead: (event: Event) => string;
}) {
  const { weeks, weekStart, lead } = props;
  const formats = useFormats();
  return (
    <table className="sheet-grid" data-weeks={weeks.length}>
      <thead>
        <tr>
          {someWeek(weekStart).map((weekday) => (
            <th key={weekday} scope="col">
              {formats.on('longWeekday', weekday)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((cells) => (
          <tr key={cells[0]?.day}>
            {cells.map((cell) => (
              <DayCell key={cell.day} cell={cell} lead={lead} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A month as a calendar on one page, and a list of the events that do not fit. */
export function MonthSheet({ snapshot, day }: { readonly snapshot: Snapshot; readonly day: Day }) {
  const { t, i18n } = useTranslation('print');
  const formats = useFormats();
  const subtitle = useFilterWords();
  const lead = useLead();
  const month = monthOf(day);
  const title = formats.on('month', month);
  const weekStart = weekStartOf(regionalTag(i18n.language));
  const { weeks, continued } = useMemo(
    () => layOutMonth(snapshot.events, month, weekStart, lead),
    [snapshot, month, weekStart, lead],
  );
  return (
    <Paper kind="month" title={title} subtitle={subtitle} asOf={snapshot.asOf}>
      <Weeks weeks={weeks} weekStart={weekStart} lead={lead} />
      {continued.length > 0 && (
        <>
          <p className="sheet-note">{t('continuedNote')}</p>
          <Continued events={continued} title={title} />
        </>
      )}
    </Paper>
  );
}
