import type { BrowserWindow } from 'electron';
import { z } from 'zod';

export type Rectangle = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** Where a window is, in pixels of the desktop. */
export type WindowPlace = Rectangle & { readonly maximized: boolean };

export const smallestWindow = { width: 360, height: 400 } as const;
export const standardWindow = { width: 1280, height: 840 } as const;

const pixels = z.int().min(-100_000).max(100_000);
const Place = z.object({
  x: pixels,
  y: pixels,
  width: pixels.min(smallestWindow.width),
  height: pixels.min(smallestWindow.height),
  maximized: z.boolean(),
});

/** What has to be seen of a window, from its upper edge, so that it can be taken hold of. */
const handle = { width: 120, height: 24 };

function shows(area: Rectangle, { x, y, width }: Rectangle): boolean {
  const seen = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  const bottom = area.y + area.height - handle.height;
  return seen >= handle.width && y >= area.y && y <= bottom;
}

/**
 * Where a window may be shown again: as it was kept, cut to the display that still shows it.
 * Undefined when none does, or nothing sensible was kept.
 */
export function restorePlace(kept: unknown, areas: readonly Rectangle[]): WindowPlace | undefined {
  const parsed = Place.safeParse(kept);
  if (!parsed.success) return undefined;
  const area = areas.find((each) => shows(each, parsed.data));
  if (area === undefined) return undefined;
  const { width, height } = parsed.data;
  return {
    ...parsed.data,
    width: Math.min(width, area.width),
    height: Math.min(height, area.height),
  };
}

/** Hides a window; on macOS one that is full screen would leave its black space behind. */
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
