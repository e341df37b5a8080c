import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron';
import type { ServiceState } from '../../server/actions/bridge.ts';
import type { LongRunning } from '../../server/base/long-running.ts';
import { type Language, translator } from '../../server/messages/messages.ts';
import { isTrayIconShown } from '../system/tray-host.ts';

type TrayActions = {
  readonly open: () => void;
  readonly copyAddress: () => void;
  readonly tryAgain: () => void;
  readonly quit: () => void;
};

/** The tray icon. Without it, closing the window quits: nothing could open it again. */
type TrayIcon = LongRunning & {
  update(state: ServiceState, language: Language): void;
  /** Resolves with whether the desktop shows the icon now. */
  isShown(): Promise<boolean>;
};

function iconFile(): string {
  // `shouldUseDarkColors` is about windows; the taskbar may have other colours.
  const isDark = nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
  const names: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'trayTemplate.png',
    win32: isDark ? 'tray-dark.ico' : 'tray-light.ico',
  };
  // `tray.png` has an outline that is visible on light and on dark panels.
  return join(import.meta.dirname, '../icons', names[process.platform] ?? 'tray.png');
}

function describe(state: ServiceState, language: Language): string {
  const t = translator(language);
  if (state.kind === 'running') return t('menu:running', { address: state.baseUrl });
  return state.kind === 'starting' ? t('menu:starting') : `${t('menu:stopped')}: ${state.reason}`;
}

function itemsFor(
  state: ServiceState,
  language: Language,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const t = translator(language);
  const again = { id: 'try-again', label: t('menu:tryAgain'), click: () => actions.tryAgain() };
  const copy = {
    id: 'copy-address',
    label: t('menu:copyAddress'),
    click: () => actions.copyAddress(),
  };
  return [
    // A single & is not shown: it marks the next character as the access key.
    { id: 'state', label: describe(state, language).replaceAll('&', '&&'), enabled: false },
    state.kind === 'stopped' ? again : { ...copy, enabled: state.kind === 'running' },
    { type: 'separator' },
    { id: 'open', label: t('menu:open'), click: () => actions.open() },
    { id: 'quit', label: t('menu:quit'), click: () => actions.quit() },
  ];
}

/** Length limit of the tooltip: on Windows, Electron refuses more than 127 characters. */
const maxTipLength = 120;

/** Creates the tray icon. If the system refuses to show it, it stays hidden. */
export function createTray(actions: TrayActions, report: (error: unknown) => void): TrayIcon {
  let tray: Tray | undefined;
  const updateImage = () => tray?.setImage(iconFile());

  return {
    run() {
      try {
        tray = new Tray(iconFile());
      } catch (error) {
        report(error);
        return;
      }
      // On macOS a click opens the menu and emits `click` as well.
      if (process.platform !== 'darwin') tray.on('click', () => actions.open());
      nativeTheme.on('updated', updateImage);
    },
    isShown: async () =>
      tray !== undefined && (process.platform !== 'linux' || (await isTrayIconShown())),
    update(state, language) {
      const tip = `Club Events – ${describe(state, language)}`;
      tray?.setToolTip(tip.length > maxTipLength ? `${tip.slice(0, maxTipLength - 1)}…` : tip);
      tray?.setContextMenu(Menu.buildFromTemplate(itemsFor(state, language, actions)));
    },
    stop() {
      nativeTheme.off('updated', updateImage);
      tray?.destroy();
      tray = undefined;
    },
  };
}
