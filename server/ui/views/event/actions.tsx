import './actions.css';
import { Button, TextInput } from '@mantine/core';
import {
  type Icon,
  IconCalendarPlus,
  IconChevronDown,
  IconCode,
  IconInfoCircle,
  IconMessage2,
  IconPencil,
  IconPrinter,
} from '@tabler/icons-react';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { selectedEvents, useEditor } from '../../data/editor.ts';
import { hostOf, useMirror } from '../../data/mirror-context.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useCalendarFile } from './calendar-file.tsx';
import { useCopying } from './copying.tsx';

/** The place to change an event of a mirrored club. */
function ClosedEvent({ host }: { readonly host: string }) {
  const { t } = useTranslation(['mirrored', 'manage']);
  return (
    <p className="event-closed">
      <IconInfoCircle size={18} stroke={1.75} aria-hidden />
      <span>
        {t('event', { host })}{' '}
        <button type="button" className="link-button" onClick={() => goTo({ manage: 'sync' })}>
          {t('manage:sync')}
        </button>
      </span>
    </p>
  );
}

/** A form for the reason of a cancellation, which may be empty. */
function CancelForm({
  onCancel,
  onClose,
}: {
  readonly onCancel: (reason: string) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation(['panel', 'table']);
  const [reason, setReason] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  return (
    <form
      ref={form}
      className="event-cancel"
      onSubmit={(event) => {
        event.preventDefault();
        onCancel(reason);
      }}
    >
      <TextInput
        label={t('table:reason')}
        description={t('table:reasonHelp')}
        maxLength={200}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Button type="submit">{t('cancelEvent')}</Button>
      <Button variant="default" onClick={onClose}>
        {t('keepEvent')}
      </Button>
    </form>
  );
}

/** The events that were added together with one, to select them in the table. */
export function AddedTogether({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const editor = useEditor();
  const { all } = useVisibleEvents();
  const { id } = event;
  const [found, setFound] = useState<{ readonly id: number; readonly ids: readonly number[] }>();
  useEffect(() => {
    let isGone = false;
    const show = (ids: readonly number[]) => {
      if (!isGone) setFound({ id, ids });
    };
    // Without an answer there is nothing to select.
    editor?.together(id).then(show, () => show([]));
    return () => {
      isGone = true;
    };
  }, [editor, id]);
  // Events that were deleted meanwhile do not count.
  const ids = found?.id === id ? found.ids : [];
  const events = ids.flatMap((one) => all?.byId.get(one) ?? []);
  if (events.length < 2) return null;
  const now = new Date().toISOString();
  const coming = events.filter(({ date }) => date >= now);
  const past = events.length - coming.length;
  const select = (chosen: readonly Event[]) => {
    goTo({ view: 'table', event: null });
    selectedEvents.set(new Set(chosen.map((one) => one.id)));
  };
  const shown = formats.number(events.length);
  return (
    <section className="event-together" aria-labelledby="added-together">
      <h3 id="added-together">{t('together', { shown })}</h3>
      {past > 0 && <p>{t('togetherPast', { count: past, shown: formats.number(past) })}</p>}
      <Button className="small-button" variant="default" onClick={() => select(events)}>
        {t('selectAll', { shown })}
      </Button>
      {past > 0 && coming.length > 0 && (
        <Button className="small-button" variant="default" onClick={() => select(coming)}>
          {t('selectComing', { shown: formats.number(coming.length) })}
        </Button>
      )}
    </section>
  );
}

/** The buttons that change the event; nothing in a browser, which can only read. */
export function EditButtons({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const editor = useEditor();
  const mirror = useMirror();
  const [asking, setAsking] = useState<number | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  if (mirror) return <ClosedEvent host={hostOf(mirror)} />;
  if (editor === undefined) return null;
  const isCancelled = event.status === 'cancelled';
  const change = () => {
    if (!isCancelled) setAsking(event.id);
    else void editor.change([event.id], { kind: 'set', values: { status: 'active' } });
  };
  const close = () => {
    setAsking(null);
    requestAnimationFrame(() => trigger.current?.focus());
  };
  if (asking === event.id && !isCancelled) {
    return (
      <CancelForm
        onCancel={(reason) => {
          close();
          void editor.change([event.id], { kind: 'cancel', reason });
        }}
        onClose={close}
      />
    );
  }
  return (
    <div className="event-edit">
      <Button
        variant="default"
        leftSection={<IconPencil size={18} stroke={1.75} aria-hidden />}
        onClick={() => goTo({ form: 'edit' })}
      >
        {t('edit')}
      </Button>
      <Button variant="default" onClick={() => goTo({ form: 'copy' })}>
        {t('duplicate')}
      </Button>
      <Button ref={trigger} variant="default" onClick={change}>
        {t(isCancelled ? 'reactivate' : 'cancelEvent')}
      </Button>
    </div>
  );
}

function Action(props: {
  readonly id?: string;
  readonly Icon: Icon;
  readonly name: string;
  /** The form in which one gets the event. */
  readonly hint: string;
  readonly onClick: () => void;
}) {
  const { id, Icon: ActionIcon, name, hint, onClick } = props;
  const hintId = useId();
  return (
    <div className="event-action">
      <button type="button" id={id} aria-describedby={hintId} onClick={onClick}>
        <ActionIcon size={18} stroke={1.75} aria-hidden />
        {name}
      </button>
      <span id={hintId}>{hint}</span>
    </div>
  );
}

/** Ways to tell the members about an event. */
export function TellMembers({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const copying = useCopying(event);
  const file = useCalendarFile(event);
  return (
    <section aria-labelledby="tell-members">
      <h3 id="tell-members">{t('tell')}</h3>
      <ul className="event-actions">
        <li>
          <Action
            Icon={IconMessage2}
            name={t('copyMessage')}
            hint={t('messageHint')}
            onClick={() => copying.copy('Message')}
          />
          {copying.report}
        </li>
        <li>
          <Action
            Icon={IconCalendarPlus}
            name={t('saveToCalendar')}
            hint={t('calendarHint')}
            onClick={file.save}
          />
          {file.report}
        </li>
        <li>
          <Action
            id="print-event"
            Icon={IconPrinter}
            name={t('print')}
            hint={t('printHint')}
            onClick={() => goTo({ sheet: 'event' })}
          />
        </li>
      </ul>
    </section>
  );
}

/** The technical fields of an event, and copies for programs. */
export function ForScripts({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const copying = useCopying(event);
  const fields: readonly (readonly [name: string, value: string])[] = [
    [t('id'), String(event.id)],
    ['UTC', event.date],
    [t('created'), formats.at('moment', event.createdAt)],
    [t('status'), event.status],
  ];
  return (
    <details className="event-scripts">
      <summary>
        <IconCode size={18} stroke={1.75} aria-hidden />
        {t('forScripts')}
        <IconChevronDown size={18} stroke={1.75} aria-hidden />
      </summary>
      <dl>
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="event-edit">
        {(['Json', 'Curl'] as const).map((kind) => (
          <Button
            key={kind}
            className="small-button"
            variant="default"
            onClick={() => copying.copy(kind)}
          >
            {t(`copy${kind}`)}
          </Button>
        ))}
      </div>
      {copying.report}
    </details>
  );
}
