import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventStatus } from '../../../../db/model.ts';
import type { Event } from '../../../contract.ts';
import { useFormats } from '../../base/format.ts';
import { isNotable } from '../event/marks.tsx';

/** The status of an event, if people at a notice board must know it. */
export function StateWord({ status }: { readonly status: EventStatus }) {
  const { t } = useTranslation('event');
  return isNotable(status) && <b className="sheet-state">{t(status)}</b>;
}

export const EventRows = memo(function EventRows({
  events,
}: {
  readonly events: readonly Event[];
}) {
  const formats = useFormats();
  return (
    <tbody>
      {events.map(({ id, name, date, location, status }) => (
        // Not a component, because there may be very many rows.
        <tr key={id}>
          <td className="sheet-when">
            <b>{formats.at('weekdayDate', date)}</b>
            {formats.time(date)}
          </td>
          <td className="sheet-what">
            {isNotable(status) && <StateWord status={status} />}
            <strong dir="auto" data-cancelled={status === 'cancelled' || undefined}>
              {name}
            </strong>
            {location !== '' && <span dir="auto">{location}</span>}
          </td>
        </tr>
      ))}
    </tbody>
  );
});

/** A table of events with a heading, which is repeated on each printed page. */
export function EventTable(props: { readonly title: string; readonly children: ReactNode }) {
  const { t } = useTranslation('print');
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
