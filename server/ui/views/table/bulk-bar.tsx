import './bulk-bar.css';
import { Button, Menu, Modal, NumberInput, SegmentedControl, TextInput } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { statusesFor, typeFilters } from '../../base/address.ts';
import { focusContent } from '../../base/browser.ts';
import { addDays, dayOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { readTimeOfDay } from '../../base/plain-words/fields.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { useUnsavedText } from '../../base/unsaved.ts';
import { type EventsChange, useEditor } from '../../data/editor.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import type { Selection } from './selection.ts';

type Change = (change: EventsChange) => Promise<boolean>;

/** A small form over the table, for the value of a change. */
function ChangeDialog({
  title,
  submit,
  change,
  onClose,
  children,
}: {
  readonly title: string;
  /** Text of the button. */
  readonly submit: string;
  /** The change to make; undefined while the form has none. */
  readonly change: EventsChange | undefined;
  readonly onClose: (change?: EventsChange) => void;
  readonly children: ReactNode;
}) {
  const { t } = useTranslation('table');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (change !== undefined) onClose(change);
  };
  return (
    <Modal.Root opened onClose={() => onClose()} size="24rem" centered lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body className="bulk-dialog">
          <div className="bulk-dialog-head">
            <Modal.Title>{title}</Modal.Title>
            <Modal.CloseButton aria-label={t('close')} />
          </div>
          <form onSubmit={onSubmit}>
            {children}
            <Button type="submit" disabled={change === undefined}>
              {submit}
            </Button>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

type DialogProps = {
  /** The selected events, by date. */
  readonly events: readonly Event[];
  /** Makes a change, or none if it is undefined, and calls `forget` unless that fails. */
  readonly onClose: (change: EventsChange | undefined, forget: () => void) => void;
};

/** Names a field among the unsaved texts: other events have another text. */
function nameOf(field: string, events: readonly Event[]): string {
  return `bulk ${field} ${events[0]?.id} ${events.length}`;
}

function MoveDialog({ events, onClose }: DialogProps) {
  const { t } = useTranslation('table');
  const formats = useFormats();
  const [direction, setDirection] = useState('later');
  const [weeks, setWeeks, forgetWeeks] = useUnsavedText(nameOf('weeks', events), { initial: '0' });
  const [days, setDays, forgetDays] = useUnsavedText(nameOf('days', events), { initial: '0' });
  const count = (Number(weeks) * 7 + Number(days)) * (direction === 'later' ? 1 : -1);
  const [first] = events;
  const shown = (day: string) => formats.on('weekdayAndDay', day);
  const number = (label: string, value: string, onChange: (next: string) => void) => (
    <NumberInput
      label={label}
      value={value}
      onChange={(next) => onChange(String(next))}
      min={0}
      max={5_000}
      clampBehavior="strict"
      allowDecimal={false}
    />
  );
  return (
    <ChangeDialog
      title={t('move')}
      submit={t('moveNumber', { count: events.length, shown: formats.number(events.length) })}
      change={count === 0 ? undefined : { kind: 'move', days: count }}
      onClose={(change) =>
        onClose(change, () => {
          forgetWeeks();
          forgetDays();
        })
      }
    >
      <SegmentedControl
        aria-label={t('direction')}
        value={direction}
        onChange={setDirection}
        data={['later', 'earlier'].map((value) => ({
          value,
          label: t(value as 'later' | 'earlier'),
        }))}
      />
      <div className="bulk-numbers">
        {number(t('weeks'), weeks, setWeeks)}
        {number(t('days'), days, setDays)}
      </div>
      {first && (
        <p className="bulk-result" role="status">
          <strong dir="auto">{first.name}</strong>
          <span>
            {t('moveResult', {
              from: shown(dayOf(first.date)),
              to: shown(addDays(dayOf(first.date), count)),
            })}
          </span>
        </p>
      )}
    </ChangeDialog>
  );
}

/** Maximum number of places to choose from. */
const maxPlaces = 200;

function PlaceDialog({ events, onClose }: DialogProps) {
  const { t } = useTranslation('table');
  const formats = useFormats();
  const { all } = useVisibleEvents();
  const [place, setPlace, forget] = useUnsavedText(nameOf('place', events), {
    initial: events[0]?.location ?? '',
  });
  const list = useId();
  const known = [...new Set(all?.events.map(({ location }) => location))];
  return (
    <ChangeDialog
      title={t('setPlace')}
      submit={t('setNumber', { count: events.length, shown: formats.number(events.length) })}
      change={{ kind: 'set', values: { location: place.trim() } }}
      onClose={(change) => onClose(change, forget)}
    >
      <TextInput
        label={t('location')}
        value={place}
        list={list}
        data-autofocus
        onChange={({ currentTarget }) => setPlace(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <datalist id={list}>
        {known.slice(0, maxPlaces).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </ChangeDialog>
  );
}

/** A dialog for the reason of a cancellation, which may be empty. */
function CancelDialog({ events, onClose }: DialogProps) {
  const { t } = useTranslation('table');
  const formats = useFormats();
  const [reason, setReason, forget] = useUnsavedText(nameOf('reason', events));
  return (
    <ChangeDialog
      title={t('cancelEvents')}
      submit={t('cancelNumber', { count: events.length, shown: formats.number(events.length) })}
      change={{ kind: 'cancel', reason }}
      onClose={(change) => onClose(change, forget)}
    >
      <TextInput
        label={t('reason')}
        description={t('reasonHelp')}
        value={reason}
        maxLength={200}
        data-autofocus
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
    </ChangeDialog>
  );
}

/** A dialog for the time of day of all events, each on its own day. */
function TimeDialog({ events, onClose }: DialogProps) {
  const { t, i18n } = useTranslation('table');
  const formats = useFormats();
  const [from, setFrom, forgetFrom] = useUnsavedText(nameOf('time', events));
  const [to, setTo, forgetTo] = useUnsavedText(nameOf('end', events));
  const time = readTimeOfDay(from) || undefined;
  const end = readTimeOfDay(to);
  const isUnclear = end === undefined || (from.trim() !== '' && time === undefined);
  const isOrdered = !end || time === undefined || end >= time;
  const isRead = time !== undefined && time !== '00:00' && !isUnclear && isOrdered;
  const times = [...new Set(events.map(({ date }) => formats.time(date) || t('noTime')))];
  const [first = ''] = times;
  const now =
    times.length > 1
      ? t('timesNow', { times: times.slice(0, 5).join(', ') })
      : t('timeNow', { time: first });
  const field = (label: string, value: string, onChange: (next: string) => void) => (
    <TextInput
      label={label}
      value={value}
      data-autofocus={label === t('from') || undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
  return (
    <ChangeDialog
      title={t('setTime')}
      submit={t('timeNumber', { count: events.length, shown: formats.number(events.length) })}
      change={
        isRead ? { kind: 'time', time, ...(end && { end }), language: i18n.language } : undefined
      }
      onClose={(change) =>
        onClose(change, () => {
          forgetFrom();
          forgetTo();
        })
      }
    >
      <div className="bulk-numbers">
        {field(t('from'), from, setFrom)}
        {field(t('to'), to, setTo)}
      </div>
      <p className="bulk-result" role="status">
        {isUnclear ? t('timeUnclear') : isOrdered ? now : t('endsBefore')}
      </p>
    </ChangeDialog>
  );
}

function ChoiceMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Menu
      withinPortal={false}
      position="bottom-start"
      withInitialFocusPlaceholder={false}
      shadow="md"
    >
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

function TypeMenu({ onChange }: { readonly onChange: Change }) {
  const { t } = useTranslation(['table', 'event']);
  return (
    <ChoiceMenu label={t('setType')}>
      {typeFilters.map((name) => {
        const eventType = name === 'none' ? null : name;
        return (
          <Menu.Item
            key={name}
            leftSection={<TypeMark type={eventType} />}
            onClick={() => void onChange({ kind: 'set', values: { eventType } })}
          >
            {t(`event:${name}`)}
          </Menu.Item>
        );
      })}
    </ChoiceMenu>
  );
}

function StatusMenu({ onChange }: { readonly onChange: Change }) {
  const { t } = useTranslation(['table', 'event']);
  return (
    <ChoiceMenu label={t('setStatus')}>
      {statusesFor([]).map((status) => (
        <Menu.Item key={status} onClick={() => void onChange({ kind: 'set', values: { status } })}>
          {t(`event:${status}`)}
        </Menu.Item>
      ))}
    </ChoiceMenu>
  );
}

/** The number of selected events; those that a filter hides are named. */
function SelectedCount({ selection }: { readonly selection: Selection }) {
  const { t } = useTranslation('table');
  const formats = useFormats();
  const { ids, hidden, deselectHidden } = selection;
  const shown = formats.number(hidden);
  return (
    <>
      <span role="status" className="bulk-count">
        {ids.size > 0 && t('selected', { count: ids.size, shown: formats.number(ids.size) })}
        {hidden > 0 && <span>{t('hidden', { count: hidden, shown })}</span>}
      </span>
      {hidden > 0 && (
        <button type="button" className="link-button" onClick={deselectHidden}>
          {t('deselectHidden', { count: hidden })}
        </button>
      )}
    </>
  );
}

/** The selection of the table and the changes of the selected events; nothing in a browser. */
export function BulkBar({
  selection,
  count,
  isAll,
}: {
  readonly selection: Selection;
  /** Number of rows. */
  readonly count: number;
  /** True if all of them are selected. */
  readonly isAll: boolean;
}) {
  const { t } = useTranslation('table');
  const formats = useFormats();
  const editor = useEditor();
  const { all } = useVisibleEvents();
  const [isBusy, setBusy] = useState(false);
  const [dialog, setDialog] = useState<'move' | 'place' | 'cancel' | 'time' | null>(null);
  const { ids, clear, selectAll } = selection;
  if (editor === undefined) return null;

  const change: Change = async (requested) => {
    if (isBusy) return false;
    setBusy(true);
    try {
      return await editor.change([...ids], requested);
    } finally {
      setBusy(false);
    }
  };
  const remove = async () => {
    if (!(await change({ kind: 'remove' }))) return;
    clear();
    // The focused button is gone, and no row is left to take the focus.
    if (isAll) focusContent();
  };
  const close: DialogProps['onClose'] = async (requested, forget) => {
    if (requested !== undefined && !(await change(requested))) return;
    forget();
    setDialog(null);
  };
  const button = (label: string, onClick: () => void) => (
    <Button variant="default" size="compact-sm" disabled={isBusy} onClick={onClick}>
      {label}
    </Button>
  );
  // Only for a dialog, as sorting many events takes a while.
  const chosen = dialog === null ? [] : (all?.events.filter(({ id }) => ids.has(id)) ?? []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a group of form fields
    <div className="bulk" role="group" aria-label={t('selection')} aria-busy={isBusy}>
      <SelectedCount selection={selection} />
      {!isAll && button(t('selectAll', { shown: formats.number(count) }), selectAll)}
      {ids.size > 0 && (
        <>
          {button(t('setTime'), () => setDialog('time'))}
          {button(t('move'), () => setDialog('move'))}
          {button(t('setPlace'), () => setDialog('place'))}
          {button(t('cancelEvents'), () => setDialog('cancel'))}
          {button(t('delete'), () => void remove())}
          <TypeMenu onChange={change} />
          <StatusMenu onChange={change} />
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {t('clear')}
          </Button>
        </>
      )}
      {dialog === 'move' && <MoveDialog events={chosen} onClose={close} />}
      {dialog === 'cancel' && <CancelDialog events={chosen} onClose={close} />}
      {dialog === 'time' && <TimeDialog events={chosen} onClose={close} />}
      {dialog === 'place' && <PlaceDialog events={chosen} onClose={close} />}
    </div>
  );
}
