import {
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';

/** Returns the target index of a key in a list of `count` events, of which `page` fit on screen. */
type Step = (at: number, count: number, page: number) => number;

export const listSteps: Readonly<Record<string, Step>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, _, page) => at + page,
  PageUp: (at, _, page) => at - page,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Focuses the title of the screen or the events, for when the focused element is gone. */
export function focusContent(): void {
  const content = document.querySelector<HTMLElement>('.managing-title, #events');
  content?.focus({ preventScroll: true });
}

/** Time in milliseconds after which a window that paints nothing, such as a hidden one, goes on. */
const noPaintMs = 100;

/** Calls a function after the next frame is painted; the returned function cancels that. */
export function afterPaint(work: () => void): () => void {
  let timer = setTimeout(work, noPaintMs);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** Elements with an Escape of their own. */
const opened = '[role="dialog"], [role="menu"], [role="listbox"], [aria-expanded="true"]';

/**
 * Closes a part of the page with Escape, from inside the elements `within`. An element that is open
 * there closes first; `own` is the part itself, which may be a dialog. Both are selectors.
 */
export function useEscape(
  { own, within }: { readonly own: string; readonly within: string },
  close: () => void,
): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target as Element;
      const isHere = target === document.body || target.closest(within) !== null;
      const inner = target.closest(opened);
      if (isHere && (inner === null || inner.matches(own))) closeNow();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [own, within]);
}

const program = 'Club Events';

/** Names the tab or window: the parts that are not empty, and the program. Null changes nothing. */
export function useWindowTitle(parts: readonly (string | undefined)[] | null): void {
  const title = parts && [...parts, program].filter((part) => part).join(' – ');
  useEffect(() => {
    if (title === null) return;
    document.title = title;
    return () => {
      document.title = program;
    };
  }, [title]);
}

/** Copies a text. Returns false on failure; insecure contexts have no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Time for the browser to start the download, in milliseconds. */
const downloadStartMs = 60_000;

/** Saves a file as a download of the browser. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), downloadStartMs);
}

/** Size in rem. */
type Size = { readonly width: number; readonly height: number };

/** Returns one rem in pixels; users can change it in the browser. */
export function remInPixels(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** Returns the size of the window in pixels. */
export const windowSize = () => ({ width: window.innerWidth, height: window.innerHeight });

/** Returns the current size of an element; undefined in the first render. */
export function useSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size | undefined>();
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = () => {
      const rem = remInPixels();
      setSize({ width: target.clientWidth / rem, height: target.clientHeight / rem });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Returns the offset of an element below the upper edge of the document, in pixels. */
export function useDocumentTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const measure = useRef(() => {
    const edge = element.current?.getBoundingClientRect().top ?? 0;
    setTop(Math.round(edge + window.scrollY));
  });
  useLayoutEffect(() => measure.current());
  useLayoutEffect(() => {
    // Anything that appears or disappears above the list changes the height of the document.
    const observer = new ResizeObserver(measure.current);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return top;
}

/** Returns true while the browser prints: then everything must be there, not only what is in view. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const start = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', start);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', start);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

/** Checks for an open dialog, menu or list with keys of its own; the event panel has none. */
export function isCovered(): boolean {
  const covers = document.querySelectorAll(
    '[role="dialog"]:not(.panel), [role="menu"], [role="listbox"]',
  );
  return Array.from(covers).some((cover) => cover.checkVisibility());
}

/** Types of inputs that take no text. */
const nonTextTypes = new Set(['radio', 'checkbox', 'button', 'submit', 'reset']);

/** Checks for a field in which letters are text, not keys of the window. */
export function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !nonTextTypes.has(target.type);
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLElement && target.isContentEditable;
}
