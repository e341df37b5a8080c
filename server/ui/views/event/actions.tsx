import './actions.css';
import { Button, TextInput } from '@mantine/core';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useFormats } from '../../base/format.ts';
import {
  IconCalendarPlus,
  IconChevronDown,
  IconDeviceLaptop,
  IconInfoCircle,
  IconMessage2,
  IconPencil,
  IconPrinter,
} from '../../base/icons.ts';
import { goTo, useRoute } from '../../base/navigation.ts';
import { useEditor } from '../../data/editor.ts';
import { hostOf, useMirror } from '../../data/mirror-context.ts';
import { useProposals } from '../../data/proposals.ts';
import { CopyField, useCopyDay } from '../selection/copy-day.tsx';
import { useCalendarFile } from './calendar-file.tsx';
import { useCopying } from './copying.tsx';
import { ProposalList } from './proposal-list.tsx';

/** The place to change an event of a mirrored club. */
function ClosedEvent({ host }: { readonly host: string }) {
  const { t } = useTranslation(['mirrored', 'manage']);
  return (
    <p className="small tinted beside even event-closed">
      <IconInfoCircle size={18} stroke={1.75} aria-hidden />
      <span>
        {t('event', { host })}{' '}
        <LinkButton onClick={() => goTo({ manage: 'sources' })}>{t('manage:sources')}</LinkButton>
      </span>
    </p>
  );
}

/** The place to propose a change of an event of a copy, with the proposals that wait. */
function ProposedEvent({ event, name }: { readonly event: Event; readonly name: string }) {
  const { t } = useTranslation('proposals');
  const proposals = useProposals();
  const own = proposals?.byEvent.get(event.id) ?? [];
  return (
    <>
      <p className="small tinted beside even event-closed">
        <IconDeviceLaptop size={18} stroke={1.75} aria-hidden />
        <span>{t('event', { name })}</span>
      </p>
      {own.length > 0 && <ProposalList title={t('ofEvent')} list={own} isNamed={false} />}
      <div className="flow event-edit">
        <Button
          leftSection={<IconPencil size={18} stroke={1.75} aria-hidden />}
          onClick={() => goTo({ form: 'edit' })}
        >
          {t('edit')}
        </Button>
      </div>
    </>
  );
}

/** A form for the reason of a cancellation, which may be empty. */
function CancelForm(props: {
  readonly onCancel: (reason: string) => void;
  readonly onClose: () => void;
}) {
  const { onCancel, onClose } = props;
  const { t } = useTranslation(['panel', 'selection']);
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
        label={t('selection:reason')}
        description={t('selection:reasonHelp')}
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

/** A form for the day of a copy of the event, which is then open. */
function CopyForm({ event }: { readonly event: Event }) {
  const { t } = useTranslation('selection');
  const editor = useEditor();
  const form = useRef<HTMLFormElement>(null);
  const events = useMemo(() => [event], [event]);
  const copying = useCopyDay(events, `copy ${event.id}`);
  const { days, forget } = copying;
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const close = () => goTo({ form: null });
  const copy = async () => {
    if (days === undefined) return;
    const added = await editor?.copy([event.id], days);
    if (added === undefined) return;
    forget();
    goTo({ form: null, event: added.id });
  };
  return (
    <form
      ref={form}
      className="stack loose event-copy"
      aria-label={t('copyTitle')}
      onSubmit={(submitted) => {
        submitted.preventDefault();
        void copy();
      }}
      onKeyDown={(pressed) => {
        if (pressed.key !== 'Escape') return;
        pressed.preventDefault();
        close();
      }}
    >
      <CopyField count={1} {...copying} />
      <div className="flow">
        <Button type="submit" disabled={days === undefined}>
          {t('copyNumber', { count: 1, shown: 1 })}
        </Button>
        <Button variant="default" onClick={close}>
          {t('close')}
        </Button>
      </div>
    </form>
  );
}

/** Returns the focus to the button of a form in the panel when that is closed. */
function useCopyFocus(isCopying: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasCopying = useRef(false);
  useLayoutEffect(() => {
    if (wasCopying.current && !isCopying && document.activeElement === document.body) {
      button.current?.focus();
    }
    wasCopying.current = isCopying;
  }, [isCopying]);
  return button;
}

/** The buttons that change the event; nothing in a browser, which can only read. */
export function EditButtons({ event }: { readonly event: Event }) {
  const { t } = useTranslation(['panel', 'selection']);
  const editor = useEditor();
  const mirror = useMirror();
  const isCopying = useRoute().form === 'copy';
  const copyButton = useCopyFocus(isCopying);
  const [asking, setAsking] = useState<number | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  if (mirror?.takesProposals) return <ProposedEvent event={event} name={hostOf(mirror)} />;
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
  if (isCopying) return <CopyForm key={event.id} event={event} />;
  return (
    <div className="flow event-edit">
      <Button
        variant="default"
        leftSection={<IconPencil size={18} stroke={1.75} aria-hidden />}
        onClick={() => goTo({ form: 'edit' })}
      >
        {t('edit')}
      </Button>
      <Button ref={copyButton} variant="default" onClick={() => goTo({ form: 'copy' })}>
        {t('selection:copyTo')}
      </Button>
      <Button ref={trigger} variant="default" onClick={change}>
        {t(isCancelled ? 'reactivate' : 'cancelEvent')}
      </Button>
    </div>
  );
}

/** Ways to tell the members about an event. */
export function TellMembers({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const copying = useCopying(event);
  const file = useCalendarFile(event);
  const ways = [
    { id: undefined, Icon: IconMessage2, name: 'message', tell: () => copying.copy('Message') },
    { id: undefined, Icon: IconCalendarPlus, name: 'calendarFile', tell: file.save },
    {
      id: 'print-event',
      Icon: IconPrinter,
      name: 'print',
      tell: () => goTo({ sheet: 'event' }),
    },
  ] as const;
  return (
    <section aria-labelledby="tell-members">
      <h3 id="tell-members">{t('tell')}</h3>
      <div className="flow event-tell">
        {ways.map(({ id, Icon: WayIcon, name, tell }) => (
          <Button
            key={name}
            id={id}
            className="small-button"
            variant="default"
            leftSection={<WayIcon size={16} stroke={1.75} aria-hidden />}
            onClick={tell}
          >
            {t(name)}
          </Button>
        ))}
      </div>
      {copying.report}
      {file.report}
    </section>
  );
}

/** Seldom needed facts about an event, and copies for programs. */
export function Details({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const copying = useCopying(event);
  const fields: readonly (readonly [name: string, value: string])[] = [
    [t('created'), formats.at('moment', event.createdAt)],
    [t('id'), String(event.id)],
    ['UTC', event.date],
  ];
  return (
    <details className="event-details">
      <summary className="row">
        <IconInfoCircle size={18} stroke={1.75} aria-hidden />
        {t('details')}
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
      <div className="flow event-edit">
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
