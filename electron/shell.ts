import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, clipboard, nativeTheme, utilityProcess } from 'electron';
import type { DesktopState, ServiceState } from '../server/bridge.ts';
import { siblingModule } from '../server/sibling.ts';
import type { Language } from '../server/ui/i18n/text.ts';
import { readVersions } from './about.ts';
import { findAppImage } from './app-image.ts';
import { createFaultLog, type FaultLog } from './faults.ts';
import { findHome, type HomeChoice } from './home-choice.ts';
import { startsAtLogin } from './login.ts';
import { createOpenedFiles, type OpenedFiles } from './opening.ts';
import { createSupervisor, type ServiceStatus, type Supervisor } from './service.ts';
import { serviceTexts } from './service-texts.ts';
import { portsTried } from './settings.ts';
import { openSettingsFile, type SettingsFile } from './settings-file.ts';
import { chooseLanguage, fillIn, type Tell } from './texts.ts';
import { findNativeUpdater, findUpdater } from './updater.ts';
import { createUpdates, type Updates } from './updates.ts';
import { createWindow, type MainWindow, type WindowListeners } from './window.ts';

/** The parts of the desktop application, and how it stands. */
export type Shell = {
  readonly settings: SettingsFile;
  readonly faults: FaultLog;
  readonly service: Supervisor;
  readonly window: MainWindow;
  readonly updates: Updates;
  readonly opened: OpenedFiles;
  /** What the keys of the window are made from, for as long as the program runs. */
  readonly windowSecret: string;
  readonly language: () => Language;
  readonly home: () => HomeChoice;
  readonly state: () => DesktopState;
  /** Where the service is reached; undefined while it is not. */
  readonly baseUrl: () => string | undefined;
  /** Shows the user a sentence among the notices, for as long as the program runs. */
  notify(notice: Tell): void;
  /** Serves what the settings say from now on. */
  serve(): void;
};

export type ShellListeners = {
  /** Something stands otherwise than before. */
  readonly onChange: () => void;
  readonly window: WindowListeners;
  /** Files were opened with the program. */
  readonly onOpened: () => void;
};

/** How the service stands, in words of a language. */
function describeService(
  status: ServiceStatus,
  { home }: HomeChoice,
  port: number,
  language: Language,
): ServiceState {
  if (status.kind !== 'stopped') return status;
  const { problem } = status;
  if (problem.kind === 'other') return { kind: 'stopped', reason: problem.sentence };
  const values = {
    home: home.directory,
    port: String(port),
    lastPort: String(port + portsTried - 1),
  };
  return { kind: 'stopped', reason: fillIn(serviceTexts[language][problem.kind], values) };
}

/** Starts the service process, which is possible once Electron is ready. */
function forkService(): Electron.UtilityProcess {
  const entry = fileURLToPath(siblingModule(import.meta.url, 'service-main'));
  return utilityProcess.fork(entry, [], {
    serviceName: 'Club Events service',
    stdio: ['ignore', 'inherit', 'pipe'],
  });
}

/** Puts the parts together; nothing is started yet, and nothing shown. */
export function createShell(listeners: ShellListeners): Shell {
  const folder = app.getPath('userData');
  const settings = openSettingsFile(folder);
  const home = () => findHome(settings.current().home, process.env);
  const language = () => chooseLanguage(settings.current().language, app.getLocale());
  const faults = createFaultLog(join(folder, 'logs'));
  const windowSecret = randomBytes(32).toString('base64url');
  /** What keeps the service from its full work. */
  const warnings = new Set<string>();
  const notices: Tell[] = [];
  const changes = { onChange: () => listeners.onChange(), report: faults.report };

  const service = createSupervisor({
    ...changes,
    fork: forkService,
    windowSecret,
    warn: (sentence) => warnings.add(sentence),
  });
  const baseUrl = () => {
    const status = service.status();
    return status.kind === 'running' ? status.baseUrl : undefined;
  };
  const window = createWindow({
    file: join(folder, 'window.json'),
    baseUrl,
    language,
    ...listeners.window,
    report: faults.report,
  });
  const updates = createUpdates({
    ...changes,
    load: findUpdater(),
    loadNative: findNativeUpdater(),
    appImage: findAppImage(),
    file: join(folder, 'updates.json'),
    isWanted: () => settings.current().checkForUpdates,
    now: () => new Date(),
  });

  function state(): DesktopState {
    const {
      home: _home,
      folder: _folder,
      hidingAnnounced: _announced,
      ...set
    } = settings.current();
    const told = [...settings.notices(), ...notices].map((notice) => notice(language()));
    const place = home();
    return {
      settings: { ...set, startAtLogin: startsAtLogin() },
      service: describeService(service.status(), place, set.port, language()),
      update: updates.state(language()),
      notices: [...told, ...warnings],
      home: { directory: place.home.directory, fixed: place.fixed },
      versions: readVersions(),
      platform: process.platform as DesktopState['platform'],
    };
  }

  return {
    settings,
    faults,
    service,
    window,
    updates,
    opened: createOpenedFiles(() => listeners.onOpened()),
    windowSecret,
    language,
    home,
    state,
    baseUrl,
    notify(notice) {
      notices.push(notice);
      listeners.onChange();
    },
    serve() {
      warnings.clear();
      const { home: place, mustExist } = home();
      service.serve({ home: place.directory, mustExist, port: settings.current().port });
    },
  };
}

/** Makes the theme that is set hold for what the system draws. */
export function applyTheme({ settings }: Shell): void {
  const { theme } = settings.current();
  nativeTheme.themeSource = theme === 'auto' ? 'system' : theme;
}

/** Puts the address of the service in the clipboard, if there is one. */
export async function copyAddress({ baseUrl }: Shell): Promise<void> {
  const address = baseUrl();
  if (address !== undefined) await clipboard.writeText(address);
}
