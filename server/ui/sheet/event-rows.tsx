import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../contract.ts';
import { useFormats } from '../time/format.ts';

/** What people at a notice board have to know of a state, in a word; nothing of the usual ones. */
export function StateWord({ event: { status } }: { readonly event: Event }) {
  const { t } = useTranslation('event');
  if (status !== 'cancelled' && status !== 'draft') return null;
  return <b className="sheet-state">{t(status)}</b>;
}

/** Rows of a table of events. */
export const EventRows = memo(function EventRows({
  events,
}: {
  readonly events: readonly Event[];
}) {
  const formats = useFormats();
  return (
    <tbody>
      {events.map((event) => (
        <tr key={event.id}>
          <td className="sheet-when">
            <b>{formats.at('weekdayDate', event.date)}</b>
            {formats.at('time', event.date)}
          </td>
          <td className="sheet-what">
            <StateWord event={event} />
            <strong dir="auto" data-cancelled={event.status === 'cancelled' || undefined}>
              {event.name}
            </strong>
            {event.location !== '' && <span dir="auto">{event.location}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  );
});

/** A table of rows under a heading, which every page repeats that they go on to. */
export function EventTable(props: { readonly title: string; readonly children: ReactNode }) {
  const { t } = useTranslation('sheet');
  return (
    <table className="sheet-table">
      <colgroup>
        <col className="sheet-column-when" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th colSpan={2} scope="colgroup" className="sheet-month-name">
            {props.title}
          </th>
        </tr>
        <tr className="sheet-columns">
          <th scope="col">{t('when')}</th>
          <th scope="col">{t('what')}</th>
        </tr>
      </thead>
      {props.children}
    </table>
  );
}
