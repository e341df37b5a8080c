import { type RefObject, useLayoutEffect, useState } from 'react';

/** In the size of letters on the page (rem). */
export type Size = { readonly width: number; readonly height: number };

/** One rem in pixels, which its user may have made larger. */
export function letterSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** The size of an element as it is now; undefined before anything is painted. */
export function useSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size | undefined>();
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const measure = () => {
      const letter = letterSize();
      setSize({ width: measured.clientWidth / letter, height: measured.clientHeight / letter });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return size;
}
