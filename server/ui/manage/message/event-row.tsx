import { Checkbox } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { useFormats } from '../../base/format.ts';

/** Returns the ids with one more, or without it. */
export function toggled(ids: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> {
  const next = new Set(ids);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

/** An event of a message, with a tick that takes it out. */
export function EventRow(props: {
  readonly event: Event;
  /** True for an event that does not take place. */
  readonly isOff: boolean;
  readonly text: string;
  /** A word at the end of the row; empty for none. */
  readonly note?: string;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  const { event, isOff, text, note = '', isChosen, onChoose } = props;
  const { t } = useTranslation('message');
  const formats = useFormats();
  const id = useId();
  const name = isOff ? <s dir="auto">{event.name}</s> : <span dir="auto">{event.name}</span>;
  return (
    <li>
      <label htmlFor={id} className="pressable announced-row">
        <Checkbox
          id={id}
          size="sm"
          aria-label={t('select', { name: event.name })}
          checked={isChosen}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
        <span className="announced-day">
          <span>{formats.at('weekday', event.date)}</span>
          <span className="announced-number">{formats.at('date', event.date)}</span>
          <span>{formats.at('shortMonth', event.date)}</span>
        </span>
        <span className="announced-text">
          <span className="strong">{name}</span>
          <span className="small" dir="auto">
            {text}
          </span>
        </span>
        {note !== '' && <span className="quiet small announced-note">{note}</span>}
      </label>
    </li>
  );
}
