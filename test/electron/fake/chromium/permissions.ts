import type { CDPSession } from 'playwright-core';

/** Chromium's names for permissions, each with what it is called in Electron. */
const permissions = {
  geolocation: 'geolocation',
  notifications: 'notifications',
  camera: 'media',
  microphone: 'media',
  midi: 'midi',
  'clipboard-read': 'clipboard-read',
  'clipboard-write': 'clipboard-sanitized-write',
  'persistent-storage': 'persistent-storage',
  'screen-wake-lock': 'screen-wake-lock',
  'idle-detection': 'idle-detection',
  'local-fonts': 'local-fonts',
  'window-management': 'window-management',
} as const;

/**
 * Makes Chromium grant a page what the program's handlers grant, and deny the rest; that holds for
 * as long as the session with the browser.
 */
export async function settlePermissions(
  whole: CDPSession,
  cdp: CDPSession,
  origin: string,
  isGranted: (permission: string) => Promise<boolean>,
): Promise<void> {
  const { targetInfo } = await cdp.send('Target.getTargetInfo');
  const settle = async ([name, permission]: readonly [string, string]) => {
    const setting = (await isGranted(permission)) ? 'granted' : 'denied';
    const { browserContextId = '' } = targetInfo;
    const of = { permission: { name }, setting, origin, browserContextId } as const;
    await whole.send('Browser.setPermission', of);
  };
  await Promise.all(Object.entries(permissions).map(settle));
}
