import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron';
import type { ServiceState } from '../server/bridge.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { menuTexts } from './menu-texts.ts';
import { fillIn } from './texts.ts';
import { askForTray } from './tray-host.ts';

export type TrayActions = {
  readonly open: () => void;
  readonly copyAddress: () => void;
  readonly tryAgain: () => void;
  readonly quit: () => void;
};

/** The sign of the program while its window is closed. */
export type TraySign = {
  /** Shows how the service stands, in a language. */
  update(state: ServiceState, language: Language): void;
  /** Whether the desktop shows it, as far as is known. */
  readonly isShown: () => boolean;
  /** Asks the desktop again whether it shows the sign. */
  look(): Promise<void>;
  remove(): void;
};

function iconFile(): string {
  // The taskbar has colours of its own: `shouldUseDarkColors` speaks of windows.
  const isDark = nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
  const names: Partial<Record<NodeJS.Platform, string>> = {
    darwin: 'trayTemplate.png',
    win32: isDark ? 'tray-dark.ico' : 'tray-light.ico',
  };
  // Its outline stands out from light and from dark panels.
  return join(import.meta.dirname, 'icons', names[process.platform] ?? 'tray.png');
}

function describe(state: ServiceState, language: Language): string {
  const t = menuTexts[language];
  if (state.kind === 'running') return fillIn(t.running, { address: state.baseUrl });
  return state.kind === 'starting' ? t.starting : `${t.stopped}: ${state.reason}`;
}

function itemsFor(
  state: ServiceState,
  language: Language,
  actions: TrayActions,
): MenuItemConstructorOptions[] {
  const t = menuTexts[language];
  const again = { id: 'try-again', label: t.tryAgain, click: () => actions.tryAgain() };
  const copy = { id: 'copy-address', label: t.copyAddress, click: () => actions.copyAddress() };
  return [
    // A single & is not shown: it marks the letter after it.
    { id: 'state', label: describe(state, language).replaceAll('&', '&&'), enabled: false },
    state.kind === 'stopped' ? again : { ...copy, enabled: state.kind === 'running' },
    { type: 'separator' },
    { id: 'open', label: t.open, click: () => actions.open() },
    { id: 'quit', label: t.quit, click: () => actions.quit() },
  ];
}

/** Windows shows no more than 127 letters, and Electron refuses them there. */
const longestTip = 120;

/** Puts the sign in place; undefined where the desktop has no place for one. */
export function createTray(
  actions: TrayActions,
  report: (error: unknown) => void,
): TraySign | undefined {
  try {
    const tray = new Tray(iconFile());
    const turn = () => tray.setImage(iconFile());
    // On macOS a click opens the menu, and tells of a click as well.
    if (process.platform !== 'darwin') tray.on('click', () => actions.open());
    nativeTheme.on('updated', turn);
    let isShown = process.platform !== 'linux';
    const look = async () => {
      if (process.platform === 'linux') isShown = await askForTray();
    };
    void look();
    return {
      isShown: () => isShown,
      look,
      update(state, language) {
        const tip = `Club Events – ${describe(state, language)}`;
        tray.setToolTip(tip.length > longestTip ? `${tip.slice(0, longestTip - 1)}…` : tip);
        tray.setContextMenu(Menu.buildFromTemplate(itemsFor(state, language, actions)));
      },
      remove() {
        nativeTheme.off('updated', turn);
        tray.destroy();
      },
    };
  } catch (error) {
    // The window then ends the program, as nothing would be left to open it again.
    report(error);
    return undefined;
  }
}
