import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { type Frame, type PageContent, SheetPage } from './paper.tsx';

/** A hidden page on which content is measured. */
export type Measure = {
  /** Renders content at a size and returns the part of the page between its head and its foot. */
  readonly render: (size: number, content: PageContent) => HTMLElement;
  /** Lets the browser work. Throws once the layout is no longer needed. */
  readonly pause: () => Promise<void>;
};

/** Space in pixels that stays free, because a printer's metrics may differ by a fraction. */
export const slack = 3;

export function heightOf(element: Element): number {
  return element.getBoundingClientRect().height;
}

/** Loads the fonts for a text, because the browser loads a part of a font when it needs it. */
async function loadFonts(text: string): Promise<void> {
  const characters = [...new Set(text)].join('');
  // Without the font, for example after the service has stopped, the next one is measured and used.
  await Promise.allSettled([document.fonts.load('16px "Inter Variable"', characters)]);
}

/** Calls `work` with a hidden page, and removes that page afterwards. */
export async function withMeasure<T>(
  frame: Frame,
  text: string,
  signal: AbortSignal,
  work: (measure: Measure) => Promise<T>,
): Promise<T> {
  await loadFonts(`${frame.title}${frame.stamp}${text}0123456789`);
  signal.throwIfAborted();
  const host = document.createElement('div');
  host.className = 'sheet-measure';
  host.ariaHidden = 'true';
  document.body.append(host);
  const root = createRoot(host);
  try {
    return await work({
      render(size, content) {
        const page = (
          <SheetPage frame={frame} size={size} content={content} number={1000} count={1000} />
        );
        flushSync(() => root.render(page));
        return host.querySelector('.sheet-body') as HTMLElement;
      },
      async pause() {
        await new Promise((resolve) => setTimeout(resolve));
        signal.throwIfAborted();
      },
    });
  } finally {
    root.unmount();
    host.remove();
  }
}
