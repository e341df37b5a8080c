import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { describe, expect, it } from 'vitest';
import { hideWindow, restoreBounds } from '../../electron/window/window-bounds.ts';

const left = { x: 0, y: 25, width: 1440, height: 875 };
const right = { x: 1440, y: 0, width: 1920, height: 1080 };
const bounds = { x: 1500, y: 40, width: 1000, height: 700, maximized: false };

describe('restoring the bounds of the window', () => {
  it('returns the stored bounds', () => {
    expect(restoreBounds(bounds, [left, right])).toEqual(bounds);
    expect(restoreBounds({ ...bounds, maximized: true }, [right])).toMatchObject({
      maximized: true,
    });
  });

  it('returns nothing when the display is gone', () => {
    expect(restoreBounds(bounds, [left])).toBeUndefined();
    expect(restoreBounds(bounds, [])).toBeUndefined();
  });

  it('returns nothing when the title bar would be out of reach', () => {
    for (const lost of [{ y: -1 }, { y: 1070 }, { x: 3340 }, { x: 340 }]) {
      expect(restoreBounds({ ...bounds, ...lost }, [right]), JSON.stringify(lost)).toBeUndefined();
    }
    // A part of it may be outside the display.
    expect(restoreBounds({ ...bounds, x: 3000 }, [right])).toMatchObject({ x: 3000 });
  });

  it('shrinks the window to a smaller display', () => {
    const small = { ...right, width: 1024, height: 600 };
    expect(restoreBounds({ ...bounds, width: 1900, height: 1000 }, [small])).toMatchObject({
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
    { ...bounds, x: '12' },
    { ...bounds, x: Number.NaN },
    { ...bounds, width: 3 },
    { ...bounds, height: 1e9 },
    { ...bounds, maximized: 'yes' },
  ])('rejects %j', (stored) => {
    expect(restoreBounds(stored, [left, right])).toBeUndefined();
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
