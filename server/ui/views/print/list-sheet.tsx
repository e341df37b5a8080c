import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import type { Day } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { eachMonth } from '../../data/events.ts';
import { EventRows, EventTable } from './event-rows.tsx';
import { Paper, useFilterWords } from './paper.tsx';

/** The events of a month, in parts that are rendered one after the other. */
type MonthPart = {
  readonly month: Day;
  readonly parts: readonly (readonly Event[])[];
  /** Number of parts in earlier months. */
  readonly before: number;
};

const rowsPerPart = 50;

function splitRows(events: readonly Event[]): Event[][] {
  return Array.from({ length: Math.ceil(events.length / rowsPerPart) }, (_, index) =>
    events.slice(index * rowsPerPart, (index + 1) * rowsPerPart),
  );
}

/** Groups events by month; `events` must be sorted by date. */
export function groupByMonth(events: readonly Event[]): MonthPart[] {
  const groups: MonthPart[] = [];
  let before = 0;
  for (const { month, first, end } of eachMonth(events)) {
    const parts = splitRows(events.slice(first, end));
    groups.push({ month, parts, before });
    before += parts.length;
  }
  return groups;
}

const Month = memo(function Month(props: {
  readonly group: MonthPart;
  /** Number of its parts to render. */
  readonly renderedParts: number;
}) {
  const { group, renderedParts } = props;
  const formats = useFormats();
  return (
    <section className="sheet-section">
      <EventTable title={formats.on('month', group.month)}>
        {group.parts.slice(0, renderedParts).map((events) => (
          <EventRows key={events[0]?.id} events={events} />
        ))}
      </EventTable>
    </section>
  );
});

/** The list for a notice board: events by month, readable from a metre away. */
export function ListSheet(props: {
  readonly groups: readonly MonthPart[];
  readonly renderedParts: number;
  readonly asOf: Date;
}) {
  const { groups, renderedParts, asOf } = props;
  const { t } = useTranslation('print');
  const subtitle = useFilterWords();
  return (
    <Paper kind="list" title={t('listTitle')} subtitle={subtitle} asOf={asOf}>
      {groups.map((group) => {
        const parts = Math.min(group.parts.length, renderedParts - group.before);
        return parts > 0 && <Month key={group.month} group={group} renderedParts={parts} />;
      })}
    </Paper>
  );
}
