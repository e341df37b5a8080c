import './actions.css';
import { Button } from '@mantine/core';
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
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import { useEditor } from '../../data/editor.ts';
import { hostOf, useMirror } from '../../data/mirror-context.ts';
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

/** The buttons that change the event; nothing in a browser, which can only read. */
export function EditButtons({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const editor = useEditor();
  const mirror = useMirror();
  if (mirror) return <ClosedEvent host={hostOf(mirror)} />;
  if (editor === undefined) return null;
  const isCancelled = event.status === 'cancelled';
  const change = () =>
    void editor.change(
      [event.id],
      isCancelled ? { kind: 'set', values: { status: 'active' } } : { kind: 'cancel' },
    );
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
      <Button variant="default" onClick={change}>
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
