import type { ParseKeys } from 'i18next';
import { useEffect, useEffectEvent } from 'react';
import type { BridgeMessage } from '../../actions/bridge.ts';
import { indexAt } from '../../event/places.ts';
import type { Event } from '../../http/contract.ts';
import { type Route, unfiltered, views } from '../base/address.ts';
import { isCovered, takesLetters } from '../base/browser.ts';
import { bridge } from '../base/desktop.ts';
import { adjustRoute, currentRoute, goTo, goToToday } from '../base/navigation.ts';
import { usePreferences } from '../base/preferences.ts';
import { neighboursOf } from '../data/event-queries.ts';
import { useVisibleEvents, type VisibleEvents } from '../data/visible-events.tsx';
import { useMaybeEditing } from '../manage/event/editor-provider.tsx';
import { type MenuActions, menuKeys } from './menu-entries.tsx';
import { askForDate } from './side/go-to-date.tsx';

/** State of the page when a key is pressed. */
type KeyContext = {
  readonly visible: Pick<VisibleEvents, 'events' | 'all' | 'today' | 'clock'>;
  readonly route: Route;
  readonly actions: MenuActions;
};

/** Returns the neighbour of the event in the panel, or without one, of the start of today. */
export function adjacentEvent(
  { visible: { events, all, today, clock }, route }: Pick<KeyContext, 'visible' | 'route'>,
  direction: 'before' | 'after',
): Event | undefined {
  const chosen = route.event === null ? undefined : all?.byId.get(route.event);
  if (chosen !== undefined) {
    const { previous, next } = neighboursOf(chosen, events);
    return direction === 'before' ? previous : next;
  }
  const firstComing = indexAt(events, clock.startOf(today));
  return events[direction === 'before' ? firstComing - 1 : firstComing];
}

/** Opens the neighbour and scrolls its row into view; without a rendered row, shows its day. */
function openNeighbour(context: KeyContext, direction: 'before' | 'after'): void {
  const event = adjacentEvent(context, direction);
  if (event === undefined) return;
  goTo({ event: event.id, form: null, formDay: null });
  const row = document.querySelector(`[data-event="${event.id}"]`);
  if (row) row.scrollIntoView({ block: 'nearest' });
  else adjustRoute({ day: context.visible.clock.dayOf(event.date) });
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  // In a narrow window a button opens the field.
  if (field?.checkVisibility() === false)
    document.querySelector<HTMLElement>('.page-find')?.click();
  field?.focus();
  field?.select();
}

/** Opens the menu of teams, if the club has one. Escape returns to its chip. */
function openTeams(): void {
  const chip = document.querySelector<HTMLElement>('.team-chip');
  chip?.focus();
  chip?.click();
}

const openNewForm = () => goTo({ form: 'new', formDay: null, event: null });

/** Returns a function that opens a form of the event in the panel. */
const openForm =
  (form: 'edit' | 'copy') =>
  ({ route }: KeyContext) =>
    route.event !== null && goTo({ form });

/** A single-key shortcut; the keyboard help lists it. */
type Binding = {
  readonly key: string;
  /** The message with its words. */
  readonly name: ParseKeys<['keyboard', 'shell', 'more']>;
  /** True for a key that edits events; a browser has none of them. */
  readonly isEdit?: true;
  readonly perform: (context: KeyContext) => void;
};

export const bindings: readonly Binding[] = [
  { key: '/', name: 'search', perform: focusSearch },
  ...views.map((view, index) => ({
    key: String(index + 1),
    name: `shell:${view}` as const,
    perform: () => goTo({ view }),
  })),
  { key: 't', name: 'today', perform: goToToday },
  { key: 'g', name: 'goTo', perform: askForDate },
  { key: 'v', name: 'team', isEdit: true, perform: openTeams },
  { key: 'j', name: 'next', perform: (context) => openNeighbour(context, 'after') },
  { key: 'k', name: 'previous', perform: (context) => openNeighbour(context, 'before') },
  { key: 'c', name: 'shell:clearAll', perform: () => goTo(unfiltered) },
  { key: 'n', name: 'new', isEdit: true, perform: openNewForm },
  { key: 'e', name: 'edit', isEdit: true, perform: openForm('edit') },
  { key: 'd', name: 'copy', isEdit: true, perform: openForm('copy') },
  ...menuKeys.map(({ name, letter, choose }) => ({
    key: letter,
    name: `more:${name}` as const,
    perform: ({ actions }: KeyContext) => choose(actions),
  })),
];

/** Returns the name of a key as in `bindings`; undefined with modifier keys. */
function nameOf(event: KeyboardEvent): string | undefined {
  const { key, code, shiftKey } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
  // Some layouts need Shift for digits and signs; there the digit keys also work without Shift.
  const isLetter = /^\p{L}$/u.test(key);
  if (isLetter && shiftKey) return undefined;
  if (isLetter) return key.toLowerCase();
  if (!shiftKey && /^Digit\d$/.test(code)) return code.slice(-1);
  return key;
}

export const isMac = /^Mac/.test(navigator.platform);

/** Returns whether a key is pressed with Ctrl or, on a Mac, with Command. */
function isCommand({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey;
}

/** Returns the step that a key makes through the last changes: Ctrl+Z or, on a Mac, Command+Z. */
function stepOf(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (!isCommand(event)) return undefined;
  const { key, shiftKey } = event;
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' && !shiftKey && !isMac ? 'redo' : undefined;
}

/** Opens the print view, or prints the sheet that it shows. */
export function openPrintView(): void {
  const print = document.getElementById('print-sheet');
  if (print === null) goTo({ manage: null, sheet: 'list' });
  else print.click();
}

/** Opens the print view on Ctrl+P in place of the browser, which would print the page itself. */
export function usePrintKey(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event) || event.shiftKey || event.key.toLowerCase() !== 'p') return;
      event.preventDefault();
      openPrintView();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Handles the keys: undo and redo outside text fields, and single-key shortcuts, which users can
 * turn off (WCAG 2.2, 2.1.4).
 */
export function useKeys(actions: MenuActions): void {
  const visible = useVisibleEvents();
  const { letterKeys } = usePreferences();
  const editing = useMaybeEditing();
  const active = bindings.filter(({ isEdit }) => !isEdit || editing !== undefined);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || takesLetters(event.target)) return;
    const step = editing && stepOf(event);
    const name = letterKeys ? nameOf(event) : undefined;
    const binding = active.find(({ key }) => key === name);
    if ((step === undefined && binding === undefined) || isCovered()) return;
    event.preventDefault();
    if (step !== undefined) editing?.[step]();
    else binding?.perform({ visible, route: currentRoute(), actions });
  });
  const onMessage = useEffectEvent((message: BridgeMessage) => {
    if (message.kind !== 'step' || takesLetters(document.activeElement) || isCovered()) return;
    editing?.[message.step]();
  });
  useEffect(() => bridge?.listen((message) => onMessage(message)), []);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
