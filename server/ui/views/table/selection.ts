import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef } from 'react';
import type { Event } from '../../../http/contract.ts';
import { goTo } from '../../base/navigation.ts';
import { selectedEvents, useEditor } from '../../data/editor.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';

/** The selected events; they may be outside the current filters. */
export type Selection = {
  readonly ids: ReadonlySet<number>;
  /** Number of selected events that the search or a filter hides. */
  readonly hidden: number;
  readonly selectAll: () => void;
  readonly deselectHidden: () => void;
  readonly clear: () => void;
};

const none: ReadonlySet<number> = new Set();

/** Returns the ids of the rows between two, in any order. */
function idsBetween(events: readonly Event[], one: number, other: number): number[] {
  return events.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id);
}

/** Returns the selection of rows, with its mouse and keys; only clicks that open in a browser. */
export function useSelection(events: readonly Event[]) {
  const editor = useEditor();
  const { all } = useVisibleEvents();
  const selected = selectedEvents.use();
  const setSelected = selectedEvents.set;
  // Another view has no ticks.
  useEffect(() => () => selectedEvents.set(none), []);
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

  function onClick(event: MouseEvent): void {
    const target = event.target as Element;
    const id = target.closest('[data-event]')?.getAttribute('data-event');
    if (!id) return;
    const isCommand = event.shiftKey || event.ctrlKey || event.metaKey;
    if (editor !== undefined && (isCommand || target.closest('.table-select'))) {
      select(Number(id), event.shiftKey);
    } else goTo({ event: Number(id) });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (editor === undefined || event.altKey) return;
    const id = (event.target as HTMLElement).dataset['event'];
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === ' ' && id !== undefined && !isCommand) select(Number(id), event.shiftKey);
    else if (event.key.toLowerCase() === 'a' && isCommand && !event.shiftKey) selectAll();
    else return;
    event.preventDefault();
  }

  const selection: Selection = {
    ids,
    hidden: ids.size - visible.length,
    selectAll,
    deselectHidden: () => setSelected(new Set(visible)),
    clear: () => setSelected(none),
  };
  return { selection, isAll: visible.length === events.length, onClick, onKeyDown };
}
