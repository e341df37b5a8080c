import type { BrowserWindow } from 'electron';
import { z } from 'zod';

type Rectangle = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Position and size of a window on the desktop, in device-independent pixels. */
type WindowBounds = Rectangle & { readonly maximized: boolean };

export const minWindowSize = { width: 360, height: 400 } as const;
export const defaultWindowSize = { width: 1280, height: 840 } as const;

const pixels = z.int().min(-100_000).max(100_000);
const Bounds = z.object({
  x: pixels,
  y: pixels,
  width: pixels.min(minWindowSize.width),
  height: pixels.min(minWindowSize.height),
  maximized: z.boolean(),
});

/** Size of the part at the upper edge that must be visible so that the user can move the window. */
const handle = { width: 120, height: 24 };

function showsTitleBar(area: Rectangle, { x, y, width }: Rectangle): boolean {
  const visible = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  const bottom = area.y + area.height - handle.height;
  return visible >= handle.width && y >= area.y && y <= bottom;
}

/**
 * Returns stored bounds, reduced to the size of the display that shows the window. Returns
 * undefined if no display does, or if the stored value is invalid.
 */
export function restoreBounds(
  stored: unknown,
  areas: readonly Rectangle[],
): WindowBounds | undefined {
  const parsed = Bounds.safeParse(stored);
  if (!parsed.success) return undefined;
  const area = areas.find((each) => showsTitleBar(each, parsed.data));
  if (area === undefined) return undefined;
  const { width, height } = parsed.data;
  return {
    ...parsed.data,
    width: Math.min(width, area.width),
    height: Math.min(height, area.height),
  };
}

/** Hides a window. On macOS it leaves full screen first, or its black space would remain. */
export function hideWindow(
  window: Pick<BrowserWindow, 'hide' | 'isFullScreen' | 'once' | 'setFullScreen'>,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform !== 'darwin' || !window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
