import './actions.css';
import { Button, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import {
  type Icon,
  IconCalendarPlus,
  IconChevronDown,
  IconCode,
  IconDeviceLaptop,
  IconInfoCircle,
  IconMessage2,
  IconPencil,
  IconPrinter,
} from '../../base/icons.ts';
import { goTo, useRoute } from '../../base/navigation.ts';
import {
  type Editor,
  editedSince,
  noSelection,
  selectedEvents,
  useEditor,
} from '../../data/editor.ts';
import { hostOf, useMirror } from '../../data/mirror-context.ts';
import { useProposals } from '../../data/proposals.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
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

type Together = Awaited<ReturnType<Editor['together']>>;
const alone: Together = { ids: [], edited: [], moves: { count: 0, first: null } };

/** Returns the events that were added together with one, without those deleted meanwhile. */
function useTogether({ id }: Event) {
  const editor = useEditor();
  const { all } = useVisibleEvents();
  const [found, setFound] = useState<Together & { readonly of: number }>({ ...alone, of: id });
  // An edit of one of them may be why they are read again.
  useEffect(() => {
    if (all === undefined) return;
    let isGone = false;
    const show = (together: Together) => {
      if (!isGone) setFound({ ...together, of: id });
    };
    // Without an answer there is nothing to select.
    editor?.together(id).then(show, () => show(alone));
    return () => {
      isGone = true;
    };
  }, [editor, id, all]);
  const { ids, edited, moves } = found.of === id ? found : alone;
  const events = ids.flatMap((one) => all?.byId.get(one) ?? []);
  return { events: events.toSorted(byDate), edited, moves };
}

const byDate = (one: Event, other: Event) =>
  one.date < other.date ? -1 : one.date > other.date ? 1 : 0;

/** Windows in which the panel lies over the list. */
const coveredList = '(max-width: 1080px)';

/** A button that selects events in the list, and pressed again deselects them. */
function SelectButton(props: {
  readonly label: string;
  readonly events: readonly Event[];
  readonly edited: readonly number[];
}) {
  const { label, events, edited } = props;
  const selected = selectedEvents.use();
  const { view } = useRoute();
  const coversList = useMediaQuery(coveredList, false, { getInitialValueInEffect: false });
  const isPressed = selected.size === events.length && events.every(({ id }) => selected.has(id));
  const toggle = () => {
    if (isPressed) {
      selectedEvents.set(noSelection);
      return;
    }
    // The panel lies over the table at any width.
    const isCovered = view === 'table' || coversList;
    goTo({ view: view === 'table' ? view : 'agenda', ...(isCovered && { event: null }) });
    selectedEvents.set(new Set(events.map(({ id }) => id)));
    editedSince.set(new Set(edited));
  };
  return (
    <Button className="small-button" variant="default" aria-pressed={isPressed} onClick={toggle}>
      {label}
    </Button>
  );
}

/** The moves of an event, and those that were added together with it, to select them in the list. */
export function EventMemory({ event }: { readonly event: Event }) {
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const today = useToday();
  const { events, edited, moves } = useTogether(event);
  if (moves.first === null) return <AddedTogether events={events} edited={edited} />;
  const { count } = moves;
  const first = formats.dayNear('longDay', moves.first, today);
  return (
    <>
      <p className="quiet">{t('movedTimes', { count, shown: formats.number(count), first })}</p>
      <AddedTogether events={events} edited={edited} />
    </>
  );
}

function AddedTogether(props: {
  readonly events: readonly Event[];
  readonly edited: readonly number[];
}) {
  const { events, edited } = props;
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const [first, last] = [events[0], events.at(-1)];
  if (events.length < 2 || first === undefined || last === undefined) return null;
  const now = new Date().toISOString();
  const coming = events.filter(({ date }) => date >= now);
  const past = events.length - coming.length;
  const changed = events.filter(({ id }) => edited.includes(id)).length;
  const shown = formats.number(events.length);
  const parts = [
    t('togetherSpan', { first: formats.at('day', first.date), last: formats.at('day', last.date) }),
    past > 0 && t('togetherPast', { count: past, shown: formats.number(past) }),
    changed > 0 && t('togetherEdited', { count: changed, shown: formats.number(changed) }),
  ];
  return (
    <section className="flow event-together" aria-labelledby="added-together">
      <h3 id="added-together">{t('together', { shown })}</h3>
      <p>{parts.filter(Boolean).join(' ')}</p>
      <SelectButton label={t('selectAll', { shown })} events={events} edited={edited} />
      {past > 0 && coming.length > 0 && (
        <SelectButton
          label={t('selectComing', { shown: formats.number(coming.length) })}
          events={coming}
          edited={edited}
        />
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
  return (
    <div className="flow event-edit">
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
    <div className="cluster brand-icon pressable event-action">
      <button type="button" id={id} aria-describedby={hintId} onClick={onClick}>
        <ActionIcon size={18} stroke={1.75} aria-hidden />
        {name}
      </button>
      <span id={hintId} className="small quiet">
        {hint}
      </span>
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
      <ul className="ruled event-actions">
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
      <summary className="row">
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
