import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../time/format.ts';
import { EventRows, EventTable } from './event-rows.tsx';
import type { MonthPart } from './month-list.ts';
import { Paper, useFilterWords } from './paper.tsx';

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
