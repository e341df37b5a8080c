import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EventType, typesByReach } from '../../../../db/model.ts';
import { isDay } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { statusesFor } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { IconAlertCircle, IconChevronDown } from '../../base/icons.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { type Field, type FieldError, isTimeOfDay, type Values } from './values.ts';

/** A field that somebody else changed while the form was open. */
export type Conflict = {
  readonly theirs: string;
  /** The value of the form; undefined if it follows the other one. */
  readonly mine: string | undefined;
};

/** The form as its fields see it. */
export type FormFields = {
  readonly values: Values;
  /** The values as far as they are understood, with dates and times in their stored form. */
  readonly stored: Values;
  /** The errors to show. */
  readonly errors: Partial<Record<Field, FieldError>>;
  /** The time to which the clocks move that of the form, `HH:MM`. */
  readonly movedTime: string | undefined;
  /** The line of the note that names the end; empty without one. */
  readonly endLine: string;
  readonly conflicts: Partial<Record<Field, Conflict>>;
  /** The error of the last attempt to save, if it is about one field. */
  readonly refusal: { readonly field: Field; readonly message: string } | undefined;
  readonly places: readonly string[];
  readonly change: (values: Partial<Values>) => void;
  /** Shows the error of a field from now on. */
  readonly leave: (field: Field) => void;
  readonly takeTheirs: (field: Field) => void;
  readonly keepMine: (field: Field) => void;
};

type FieldProps = { readonly form: FormFields };

/** Returns a function that shows a stored value of a field as the form does. */
function useShownValue(): (field: Field, value: string) => string {
  const { t } = useTranslation(['eventForm', 'event', 'panel']);
  const formats = useFormats();
  return (field, value) => {
    // A person may have typed the same shape without a value: 2026-02-30, 19:60.
    // In words, a year below 1000 could not be read again.
    if (field === 'date' && isDay(value) && value >= '1000') {
      return formats.on('weekdayAndDay', value);
    }
    if (field === 'time' && isTimeOfDay(value)) {
      return formats.clock(value);
    }
    if (field === 'ends') {
      const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d)?$/.exec(value) ?? [];
      const texts = [
        isDay(day) ? formats.on('weekdayAndDay', day) : day,
        isTimeOfDay(time) ? formats.clock(time) : time,
      ];
      return texts.filter((text) => text !== '').join(', ') || value;
    }
    if (field === 'status') return t(`event:${value as 'active'}`);
    if (field === 'eventType') return t(`event:${(value || 'none') as EventType | 'none'}`);
    if (field === 'registration') {
      return t(`panel:${(value || 'notGiven') as 'open' | 'closed' | 'notGiven'}`);
    }
    return value;
  };
}

export function useErrorText(): (error: FieldError) => string {
  const { t } = useTranslation('eventForm');
  const formats = useFormats();
  return (error) => {
    if (error.kind === 'endsNextDay') {
      return t('endsNextDay', { day: formats.on('longWeekday', error.end.slice(0, 10)) });
    }
    if (error.kind !== 'monthTooShort') return t(error.kind);
    const { first, hasYear, days } = error.month;
    const month = formats.on(hasYear ? 'month' : 'longMonth', first);
    return capitalize(t('monthTooShort', { month, days }));
  };
}

function ConflictNotice({ form, field }: FieldProps & { readonly field: Field }) {
  const { t } = useTranslation('eventForm');
  const shown = useShownValue();
  const conflict = form.conflicts[field];
  if (conflict === undefined) return null;
  const name = (value: string) => shown(field, value) || t('empty');
  const { mine } = conflict;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a part of the form
    <div className="flow event-conflict" role="group" aria-labelledby={`event-${field}-conflict`}>
      <p id={`event-${field}-conflict`} role="status">
        <strong>{t('theirs', { value: name(conflict.theirs) })}</strong>{' '}
        {mine !== undefined && t('mine', { value: name(mine) })}
      </p>
      {mine !== undefined && (
        <>
          <Button size="compact-sm" variant="default" onClick={() => form.takeTheirs(field)}>
            {t('useTheirs')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => form.keepMine(field)}>
            {t('keepMine')}
          </Button>
        </>
      )}
    </div>
  );
}

type ControlProps = {
  readonly id: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-describedby'?: string;
};

/** A field with its label, its error or note, and the value that somebody else gave it. */
export function LabelledField(
  props: FieldProps & {
    readonly field: Field;
    readonly isOptional?: boolean;
    /** A fact to know before saving. */
    readonly note?: string | undefined;
    /** The value as others see it. */
    readonly help?: string | undefined;
    /** A button that answers the question of the error. */
    readonly answer?: ReactNode;
    readonly children: (props: ControlProps) => ReactNode;
  },
) {
  const { form, field, isOptional = false, note, help, answer, children } = props;
  const { t } = useTranslation('eventForm');
  const errorText = useErrorText();
  const { [field]: error } = form.errors;
  const refusal = form.refusal?.field === field ? form.refusal.message : undefined;
  const message = error === undefined ? refusal : errorText(error);
  const descriptions = [
    message !== undefined && `event-${field}-error`,
    note !== undefined && `event-${field}-note`,
    help !== undefined && `event-${field}-help`,
    form.conflicts[field] !== undefined && `event-${field}-conflict`,
  ].filter(Boolean);
  return (
    <div className="stack tight event-field" data-field={field}>
      <label htmlFor={`event-${field}`}>
        {t(field)} {isOptional && <span>{t('optional')}</span>}
      </label>
      {children({
        id: `event-${field}`,
        ...(message !== undefined && { 'aria-invalid': true }),
        ...(descriptions.length > 0 && { 'aria-describedby': descriptions.join(' ') }),
      })}
      {message !== undefined && (
        <p id={`event-${field}-error`} className="small field-error event-error" role="alert">
          <IconAlertCircle size={16} aria-hidden />
          {message}
        </p>
      )}
      {message !== undefined && answer}
      {help !== undefined && (
        <p id={`event-${field}-help`} className="small quiet">
          {help}
        </p>
      )}
      {note !== undefined && (
        <p id={`event-${field}-note`} className="small event-note" role="status">
          {note}
        </p>
      )}
      <ConflictNotice form={form} field={field} />
    </div>
  );
}

/** A text that is shown in the words of the language as soon as the field is left. */
function MomentField({ form, field }: FieldProps & { readonly field: 'date' | 'time' | 'ends' }) {
  const { t } = useTranslation('eventForm');
  const formats = useFormats();
  const shown = useShownValue();
  const [typed, setTyped] = useState<string | undefined>();
  const { stored, movedTime } = form;
  const note =
    field === 'time' && movedTime !== undefined
      ? t('clocksChange', { time: shown('time', stored.time), moved: shown('time', movedTime) })
      : undefined;
  const help =
    field === 'ends' && form.endLine !== '' ? t('endsHelp', { line: form.endLine }) : undefined;
  const error = field === 'ends' ? form.errors.ends : undefined;
  const nextDay = error?.kind === 'endsNextDay' ? error.end : undefined;
  const answer = nextDay && (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() => {
        setTyped(undefined);
        form.change({ ends: nextDay });
      }}
    >
      {t('endsOn', { day: formats.on('longWeekday', nextDay.slice(0, 10)) })}
    </Button>
  );
  return (
    <LabelledField
      form={form}
      field={field}
      isOptional={field !== 'date'}
      note={note}
      help={help}
      answer={answer}
    >
      {(props) => (
        <input
          {...props}
          className="field figures event-input"
          autoComplete="off"
          value={typed ?? shown(field, form.values[field])}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            form.change({ [field]: value });
          }}
          onBlur={() => {
            if (typed === undefined) return;
            setTyped(undefined);
            // A date can contain the time.
            const isMoment = stored.time !== form.values.time;
            form.change({ [field]: stored[field], ...(isMoment && { time: stored.time }) });
            form.leave(field);
          }}
        />
      )}
    </LabelledField>
  );
}

/** Number of known places in the list below the field. */
const maxPlaces = 200;

function PlaceField({ form }: FieldProps) {
  return (
    <LabelledField form={form} field="location">
      {(props) => (
        <>
          <input
            {...props}
            className="field event-input"
            autoComplete="off"
            list="event-places"
            dir="auto"
            value={form.values.location}
            onChange={({ currentTarget }) => form.change({ location: currentTarget.value })}
          />
          <datalist id="event-places">
            {form.places.slice(0, maxPlaces).map((place) => (
              <option key={place} value={place} />
            ))}
          </datalist>
        </>
      )}
    </LabelledField>
  );
}

/** A choice of one value, shown as chips. */
function Chips(
  props: FieldProps & {
    readonly field: 'eventType' | 'status';
    readonly options: readonly string[];
  },
) {
  const { form, field, options } = props;
  const { t } = useTranslation('eventForm');
  const shown = useShownValue();
  return (
    <fieldset className="stack tight event-field" data-field={field}>
      <legend>{t(field)}</legend>
      <div className="flow close event-chips">
        {options.map((value) => (
          <label key={value} className="choice">
            <input
              type="radio"
              name={`event-${field}`}
              checked={form.values[field] === value}
              onChange={() => form.change({ [field]: value })}
            />
            <span className="chip">
              {field === 'eventType' && <TypeMark type={(value || null) as EventType | null} />}
              {shown(field, value)}
            </span>
          </label>
        ))}
      </div>
      <ConflictNotice form={form} field={field} />
    </fieldset>
  );
}

function SelectField({
  form,
  field,
  options,
}: FieldProps & {
  readonly field: 'status' | 'registration';
  readonly options: readonly string[];
}) {
  const shown = useShownValue();
  return (
    <LabelledField form={form} field={field}>
      {(props) => (
        <span className="event-select">
          <select
            {...props}
            className="field event-input"
            value={form.values[field]}
            onChange={({ currentTarget }) => form.change({ [field]: currentTarget.value })}
          >
            {options.map((value) => (
              <option key={value} value={value}>
                {shown(field, value)}
              </option>
            ))}
          </select>
          <IconChevronDown size={16} aria-hidden />
        </span>
      )}
    </LabelledField>
  );
}

/** The statuses of an event that is not stored yet; the line can name another one. */
const newStatuses = ['active', 'draft'];

/** All fields of an event. */
export function EventFields({
  form,
  event,
  children,
}: FieldProps & {
  /** More fields below the end. */
  readonly children?: ReactNode;
  /** The event that is edited; undefined for a new one. */
  readonly event: Event | undefined;
}) {
  const { values, change, leave } = form;
  return (
    <>
      <LabelledField form={form} field="name">
        {(props) => (
          <input
            {...props}
            className="field event-input"
            autoComplete="off"
            dir="auto"
            data-autofocus={event !== undefined || undefined}
            value={values.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            onBlur={() => values.name !== '' && leave('name')}
          />
        )}
      </LabelledField>
      <div className="event-moment">
        <MomentField form={form} field="date" />
        <MomentField form={form} field="time" />
      </div>
      <MomentField form={form} field="ends" />
      {children}
      <PlaceField form={form} />
      <Chips form={form} field="eventType" options={[...typesByReach, '']} />
      <LabelledField form={form} field="description">
        {(props) => (
          <textarea
            {...props}
            className="field event-input"
            rows={2}
            dir="auto"
            value={values.description}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        )}
      </LabelledField>
      <div className="halves">
        {event === undefined ? (
          <Chips
            form={form}
            field="status"
            options={[...new Set([...newStatuses, values.status])]}
          />
        ) : (
          <SelectField
            form={form}
            field="status"
            options={statusesFor([values.status, event.status])}
          />
        )}
        <SelectField form={form} field="registration" options={['', 'open', 'closed']} />
      </div>
    </>
  );
}
