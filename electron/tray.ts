import { join } from 'node:path';
import { Menu, type MenuItemConstructorOptions, nativeTheme, Tray } from 'electron';
import type { ServiceState } from '../server/bridge.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { menuTexts } from './menu-texts.ts';
import { fillIn } from './texts.ts';

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
  remove(): void;
};

function iconFile(): string {
  const onDark = nativeTheme.shouldUseDarkColors ? 'tray-dark.png' : 'tray-light.png';
  const name = process.platform === 'darwin' ? 'trayTemplate.png' : onDark;
  return join(import.meta.dirname, 'icons', name);
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
    { id: 'state', label: describe(state, language), enabled: false },
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
    tray.on('click', () => actions.open());
    nativeTheme.on('updated', turn);
    return {
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
