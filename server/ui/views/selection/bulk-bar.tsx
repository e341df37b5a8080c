import './bulk-bar.css';
import { Button, Menu } from '@mantine/core';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { statusesFor, typeFilters } from '../../base/address.ts';
import { focusContent } from '../../base/browser.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useF6Stop } from '../../base/f6.ts';
import { useFormats } from '../../base/format.ts';
import {
  type Icon,
  IconArrowsHorizontal,
  IconCalendarOff,
  IconClock,
  IconCopy,
  IconMapPin,
  IconTag,
  IconTrash,
  IconX,
} from '../../base/icons.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { editedSince, useEditor } from '../../data/editor.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { type BulkChange, bulkForms } from './bulk-forms.tsx';
import type { Selection } from './selection.ts';

type Change = (change: BulkChange) => Promise<boolean>;

/** Steps of the keys within a toolbar. */
const toolbarSteps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Gives a toolbar one tab stop, the button that last had the focus, and arrow keys. */
function useToolbar(bar: RefObject<HTMLElement | null>) {
  const stop = useRef<Element | null>(null);
  const buttons = () =>
    Array.from(bar.current?.querySelectorAll<HTMLElement>('button') ?? []).filter(
      (button) => button.closest('.bulk-form, [role="menu"]') === null,
    );
  const setStop = (to: Element | null) => {
    const all = buttons();
    stop.current = all.find((button) => button === to) ?? all[0] ?? null;
    for (const button of all) button.tabIndex = button === stop.current ? 0 : -1;
  };
  // Buttons come and go with the selection.
  useLayoutEffect(() => setStop(stop.current));
  return {
    onFocus({ target }: FocusEvent) {
      if (buttons().some((button) => button === target)) setStop(target);
    },
    onKeyDown(event: KeyboardEvent) {
      const all = buttons();
      const at = all.indexOf(event.target as HTMLElement);
      const step = toolbarSteps[event.key];
      if (at === -1 || step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      all[step(at, all.length)]?.focus();
    },
  };
}

/** The types and statuses in one menu. */
function ValueMenu({ onChange }: { readonly onChange: Change }) {
  const { t } = useTranslation(['selection', 'event']);
  return (
    <Menu withinPortal={false} position="top-end" withInitialFocusPlaceholder={false} shadow="md">
      <Menu.Target>
        <Button className="bulk-square" variant="subtle" aria-label={t('more')} title={t('more')}>
          <IconTag size={18} stroke={1.75} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('setType')}</Menu.Label>
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
        <Menu.Divider />
        <Menu.Label>{t('setStatus')}</Menu.Label>
        {statusesFor([]).map((status) => (
          <Menu.Item
            key={status}
            onClick={() => void onChange({ kind: 'set', values: { status } })}
          >
            {t(`event:${status}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A number of selected events with something in common, and a button that deselects them. */
function Part({ text, count, onDeselect }: PartProps) {
  const { t } = useTranslation('selection');
  return (
    <span className="bulk-part">
      <span>{text}</span>{' '}
      <LinkButton onClick={onDeselect}>{t('deselectHidden', { count })}</LinkButton>
    </span>
  );
}

type PartProps = {
  readonly text: string;
  readonly count: number;
  readonly onDeselect: () => void;
};

/** The number of selected events; those that a filter hides, or that were edited, are named. */
function SelectedCount({ selection }: { readonly selection: Selection }) {
  const { t } = useTranslation('selection');
  const formats = useFormats();
  const { ids, hidden, count, isAll, deselectHidden, deselect, selectAll } = selection;
  const edited = [...editedSince.use()].filter((id) => ids.has(id));
  const counted = (number: number) => ({ count: number, shown: formats.number(number) });
  return (
    <div className="bulk-selected">
      <span role="status" className="strong figures bulk-count">
        {t('selected', counted(ids.size))}
      </span>
      {!isAll && (
        <LinkButton onClick={selectAll}>
          {t('selectAll', { shown: formats.number(count) })}
        </LinkButton>
      )}
      {hidden > 0 && (
        <Part text={t('hidden', counted(hidden))} count={hidden} onDeselect={deselectHidden} />
      )}
      {edited.length > 0 && (
        <Part
          text={t('edited', counted(edited.length))}
          count={edited.length}
          onDeselect={() => deselect(edited)}
        />
      )}
    </div>
  );
}

const formButtons: readonly (readonly [
  form: keyof typeof bulkForms,
  name: 'setTime' | 'move' | 'copyTo' | 'place' | 'cancel',
  ButtonIcon: Icon,
])[] = [
  ['time', 'setTime', IconClock],
  ['move', 'move', IconArrowsHorizontal],
  ['copy', 'copyTo', IconCopy],
  ['place', 'place', IconMapPin],
  ['cancel', 'cancel', IconCalendarOff],
];

/** The bar at the foot of a list: the changes of the selected events. */
function Bar({ selection }: { readonly selection: Selection }) {
  const { t } = useTranslation('selection');
  const editor = useEditor();
  const { all } = useVisibleEvents();
  const [isBusy, setBusy] = useState(false);
  const [opened, setOpened] = useState<keyof typeof bulkForms | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const toolbar = useToolbar(bar);
  useF6Stop(bar);
  const { ids, isAll, clear } = selection;

  const change: Change = async (requested) => {
    if (isBusy || editor === undefined) return false;
    setBusy(true);
    try {
      const { kind } = requested;
      if (kind === 'copy') return (await editor.copy([...ids], requested.days)) !== undefined;
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
  const close = async (requested: BulkChange | undefined, forget: () => void) => {
    if (requested !== undefined && !(await change(requested))) return;
    forget();
    bar.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    setOpened(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.preventDefault();
      clear();
    } else toolbar.onKeyDown(event);
  };
  const Form = opened === null ? undefined : bulkForms[opened];
  return (
    <div
      ref={bar}
      className="cluster tight bulk"
      role="toolbar"
      aria-label={t('selection')}
      aria-busy={isBusy}
      onFocus={toolbar.onFocus}
      onKeyDown={onKeyDown}
    >
      {Form && (
        <Form
          key={opened}
          events={all?.events.filter(({ id }) => ids.has(id)) ?? []}
          onClose={(requested, forget) => void close(requested, forget)}
        />
      )}
      <SelectedCount selection={selection} />
      {formButtons.map(([form, name, ButtonIcon]) => (
        <Button
          key={form}
          variant="subtle"
          aria-haspopup="dialog"
          aria-expanded={opened === form}
          leftSection={<ButtonIcon size={18} stroke={1.75} aria-hidden />}
          onClick={() => setOpened(opened === form ? null : form)}
        >
          {t(name)}
        </Button>
      ))}
      <Button
        className="bulk-delete"
        variant="subtle"
        leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
        onClick={() => void remove()}
      >
        {t('delete')}
      </Button>
      <ValueMenu onChange={change} />
      <Button
        className="bulk-square"
        variant="subtle"
        aria-label={t('clear')}
        title={t('clear')}
        aria-keyshortcuts="Escape"
        onClick={clear}
      >
        <IconX size={18} stroke={1.75} aria-hidden />
      </Button>
    </div>
  );
}

/** The bar while events are selected. */
export function BulkBar({ selection }: { readonly selection: Selection }) {
  return selection.ids.size > 0 && <Bar selection={selection} />;
}
