import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { describe, expect, it } from 'vitest';
import { hideWindow, restoreBounds } from '../../electron/window/window-place.ts';

const left = { x: 0, y: 25, width: 1440, height: 875 };
const right = { x: 1440, y: 0, width: 1920, height: 1080 };
const place = { x: 1500, y: 40, width: 1000, height: 700, maximized: false };

describe('restoring the bounds of the window', () => {
  it('returns the stored bounds', () => {
    expect(restoreBounds(place, [left, right])).toEqual(place);
    expect(restoreBounds({ ...place, maximized: true }, [right])).toMatchObject({
      maximized: true,
    });
  });

  it('returns nothing when the display is gone', () => {
    expect(restoreBounds(place, [left])).toBeUndefined();
    expect(restoreBounds(place, [])).toBeUndefined();
  });

  it('returns nothing when the title bar would be out of reach', () => {
    for (const lost of [{ y: -1 }, { y: 1070 }, { x: 3340 }, { x: 340 }]) {
      expect(restoreBounds({ ...place, ...lost }, [right]), JSON.stringify(lost)).toBeUndefined();
    }
    // A part of it may be beside the display, as people like it.
    expect(restoreBounds({ ...place, x: 3000 }, [right])).toMatchObject({ x: 3000 });
  });

  it('shrinks the window to a smaller display', () => {
    const small = { ...right, width: 1024, height: 600 };
    expect(restoreBounds({ ...place, width: 1900, height: 1000 }, [small])).toMatchObject({
      width: 1024,
      height: 600,
    });
  });

  it.each([
    undefined,
    null,
    [],
    'left',
    {},
    { ...place, x: '12' },
    { ...place, x: Number.NaN },
    { ...place, width: 3 },
    { ...place, height: 1e9 },
    { ...place, maximized: 'yes' },
  ])('rejects %j', (kept) => {
    expect(restoreBounds(kept, [left, right])).toBeUndefined();
  });
});

describe('hiding a window', () => {
  function makeWindow(isFullScreen: boolean) {
    const calls: string[] = [];
    const window = Object.assign(new EventEmitter(), {
      isFullScreen: () => isFullScreen,
      setFullScreen: (flag: boolean) => calls.push(`setFullScreen ${flag}`),
      hide: () => calls.push('hide'),
    });
    return { calls, window, asWindow: window as unknown as BrowserWindow };
  }

  it('leaves full screen on macOS first', () => {
    const { calls, window, asWindow } = makeWindow(true);
    hideWindow(asWindow, 'darwin');
    expect(calls).toEqual(['setFullScreen false']);
    window.emit('leave-full-screen');
    expect(calls).toEqual(['setFullScreen false', 'hide']);
  });

  it.each([
    [false, 'darwin'],
    [true, 'win32'],
    [true, 'linux'],
  ] as const)('hides it at once (full screen %s, %s)', (isFullScreen, platform) => {
    const { calls, asWindow } = makeWindow(isFullScreen);
    hideWindow(asWindow, platform);
    expect(calls).toEqual(['hide']);
  });
});
