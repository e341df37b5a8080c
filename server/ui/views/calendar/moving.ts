import {
  type DragEvent,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { addDays, type Day } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { focusContent } from '../../base/browser.ts';
import { useEditor } from '../../data/editor.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { withinTime } from './range.ts';

/** Days that an arrow key moves by. */
export const arrowSteps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

/** Returns the day whose cell contains an element. */
export function dayAround(element: Element): Day | undefined {
  return element.closest('[data-date]')?.getAttribute('data-date') ?? undefined;
}

/** The event that is dragged, and the day that it is dragged over. */
type Landing = { readonly event: Event; readonly day: Day | null };

/** Lets the focus follow an event to another day, or move to the grid if it is gone. */
function useFollowingFocus(grid: RefObject<HTMLElement | null>) {
  const { all } = useVisibleEvents();
  const last = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    const id = last.current?.dataset['event'];
    if (id === undefined || last.current?.isConnected) return;
    // An undo moves it to the events; the user may have moved it elsewhere since.
    const isLost = document.activeElement?.matches('body, #events') === true;
    const item = grid.current?.querySelector<HTMLElement>(`[data-event="${id}"]`);
    if (isLost && item) return item.focus();
    // Its month may not be rendered yet.
    if (isLost && all?.byId.has(Number(id))) return;
    last.current = null;
    if (isLost) focusContent();
  });
  return {
    onFocus({ target }: FocusEvent) {
      last.current = (target as Element).closest<HTMLElement>('[data-event]');
    },
    onBlur({ relatedTarget }: FocusEvent) {
      // Without a target the item itself may have been removed.
      if (relatedTarget !== null) last.current = null;
    },
  };
}

/**
 * Moves events to other days by dragging, or with Ctrl and an arrow key; the focus follows them.
 * Moves nothing in a browser.
 */
export function useMoving(grid: RefObject<HTMLElement | null>) {
  const editor = useEditor();
  const { all, clock } = useVisibleEvents();
  const [landing, setLanding] = useState<Landing | null>(null);
  const [movedId, setMovedId] = useState<number | null>(null);
  const isMoving = useRef(false);
  const following = useFollowingFocus(grid);

  const eventAround = (target: EventTarget): Event | undefined => {
    const id = (target as Element).closest('[data-event]')?.getAttribute('data-event');
    return id ? all?.byId.get(Number(id)) : undefined;
  };

  async function moveWithKeys(event: Event, day: Day): Promise<void> {
    if (editor === undefined || isMoving.current) return;
    isMoving.current = true;
    setMovedId(event.id);
    try {
      await editor.moveTo(event, day, { follow: true });
    } finally {
      isMoving.current = false;
    }
  }

  /** Handles Ctrl and an arrow key on an event; returns true if it did. */
  function onKeyDown(pressed: KeyboardEvent): boolean {
    const step = arrowSteps[pressed.key];
    const isCommand = (pressed.ctrlKey || pressed.metaKey) && !pressed.altKey && !pressed.shiftKey;
    const event = isCommand && step !== undefined ? eventAround(pressed.target) : undefined;
    const day = event && step !== undefined && withinTime(addDays(clock.dayOf(event.date), step));
    if (editor === undefined || !event || !day) return false;
    pressed.preventDefault();
    void moveWithKeys(event, day);
    return true;
  }

  function onDragStart(drag: DragEvent): void {
    const event = eventAround(drag.target);
    if (event === undefined) return;
    drag.dataTransfer.effectAllowed = 'move';
    drag.dataTransfer.setData('text/plain', event.name);
    setLanding({ event, day: null });
  }

  function onDragOver(drag: DragEvent): void {
    if (landing === null) return;
    const around = dayAround(drag.target as Element);
    const day = (around && withinTime(around)) ?? null;
    const target = day === clock.dayOf(landing.event.date) ? null : day;
    if (target !== null) drag.preventDefault();
    if (target !== landing.day) setLanding({ ...landing, day: target });
  }

  function onDrop(drag: DragEvent): void {
    drag.preventDefault();
    if (landing?.day) void editor?.moveTo(landing.event, landing.day);
    setLanding(null);
  }

  const drag = { onDragStart, onDragOver, onDrop, onDragEnd: () => setLanding(null) };
  return { landing, movedId, onKeyDown, handlers: { ...following, ...(editor && drag) } };
}
