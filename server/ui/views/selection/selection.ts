import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import type { Event } from '../../../http/contract.ts';
import { goTo } from '../../base/navigation.ts';
import { noSelection, selectedEvents, useEditor } from '../../data/editor.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** The selected events; they may be outside the current filters. */
export type Selection = {
  readonly ids: ReadonlySet<number>;
  /** Number of selected events that the search or a filter hides. */
  readonly hidden: number;
  /** Number of rows. */
  readonly count: number;
  /** True if all rows are selected. */
  readonly isAll: boolean;
  readonly selectAll: () => void;
  readonly deselectHidden: () => void;
  readonly deselect: (ids: Iterable<number>) => void;
  readonly clear: () => void;
};

/** Returns the ids of the rows between two, in any order. */
function idsBetween(events: readonly Event[], one: number, other: number): number[] {
  return events.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id);
}

/** Returns the id of the event at an element, and true in its box. */
function eventAt(target: Element): { readonly id: number; readonly isBox: boolean } | undefined {
  const box = target.closest<HTMLElement>('[data-pick]');
  const id = box?.dataset['pick'] ?? target.closest<HTMLElement>('[data-event]')?.dataset['event'];
  // The label of a box gives its click to the box, which is another one.
  if (id === undefined || (target.closest('label') !== null && target.tagName !== 'INPUT')) {
    return undefined;
  }
  return { id: Number(id), isBox: box !== null };
}

/**
 * Returns the selection of a list, with its mouse and keys: Space or Ctrl and a click select a row,
 * Shift a range, Ctrl+A all of them, Escape none. In a browser a click only opens an event.
 */
export function useSelection(events: readonly Event[]) {
  const editor = useEditor();
  const { all } = useVisibleEvents();
  const selected = selectedEvents.use();
  const setSelected = selectedEvents.set;
  // Another view has its own rows, or no boxes.
  useEffect(() => () => selectedEvents.set(noSelection), []);
  /** Id of the row from which a range is selected. */
  const anchor = useRef<number | null>(null);
  const ids = useMemo(() => {
    const byId = all?.byId;
    const hasAll = selected.size === 0 || [...selected].every((id) => byId?.has(id));
    // Another window may have deleted some.
    return hasAll ? selected : new Set([...selected].filter((id) => byId?.has(id)));
  }, [selected, all]);
  const visible = useMemo(
    () => (ids.size === 0 ? [] : events.filter(({ id }) => ids.has(id)).map(({ id }) => id)),
    [events, ids],
  );

  function select(id: number, isRange: boolean): void {
    const from = events.findIndex((event) => event.id === anchor.current);
    const next = new Set(ids);
    if (isRange && from >= 0) {
      const to = events.findIndex((event) => event.id === id);
      for (const between of idsBetween(events, from, to)) next.add(between);
    } else {
      if (!next.delete(id)) next.add(id);
      anchor.current = id;
    }
    setSelected(next);
  }

  const selectAll = () => setSelected(new Set([...ids, ...events.map(({ id }) => id)]));
  const clear = () => setSelected(noSelection);

  function onClick(event: MouseEvent): void {
    const at = eventAt(event.target as Element);
    if (at === undefined) return;
    const isCommand = event.shiftKey || event.ctrlKey || event.metaKey;
    if (editor !== undefined && (isCommand || at.isBox)) select(at.id, event.shiftKey);
    else goTo({ event: at.id, form: null, formDay: null });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (editor === undefined || event.altKey) return;
    const id = (event.target as HTMLElement).dataset['event'];
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === ' ' && id !== undefined && !isCommand) select(Number(id), event.shiftKey);
    else if (event.key.toLowerCase() === 'a' && isCommand && !event.shiftKey) selectAll();
    else if (event.key === 'Escape' && ids.size > 0) clear();
    else return;
    event.preventDefault();
  }

  const selection: Selection = {
    ids,
    hidden: ids.size - visible.length,
    count: events.length,
    isAll: visible.length === events.length,
    selectAll,
    deselectHidden: () => setSelected(new Set(visible)),
    deselect(some) {
      const others = new Set(ids);
      for (const id of some) others.delete(id);
      setSelected(others);
    },
    clear,
  };
  return { selection, onClick, onKeyDown };
}

/** Focuses the row with the tab stop after the focused button has gone with the selection. */
export function useFocusAfterClear(count: number, rows: RefObject<HTMLElement | null>): void {
  const previous = useRef(count);
  useLayoutEffect(() => {
    const isCleared = previous.current > 0 && count === 0;
    previous.current = count;
    if (!isCleared || document.activeElement !== document.body) return;
    rows.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [count, rows]);
}

/** Returns the height of the window that the bar of the selection covers at its foot, in pixels. */
export function coveredFoot(): number {
  const bar = document.querySelector('.bulk');
  if (bar === null || getComputedStyle(bar).position !== 'sticky') return 0;
  return Math.max(0, window.innerHeight - bar.getBoundingClientRect().top);
}
