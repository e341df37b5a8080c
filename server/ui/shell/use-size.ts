import { type RefObject, useLayoutEffect, useState } from 'react';

/** Size in rem. */
export type Size = { readonly width: number; readonly height: number };

/** Returns one rem in pixels; users can change it in the browser. */
export function letterSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}

/** Returns the current size of an element; undefined in the first render. */
export function useSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size | undefined>();
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = () => {
      const rem = letterSize();
      setSize({ width: target.clientWidth / rem, height: target.clientHeight / rem });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return size;
}
