import { randomBytes } from 'node:crypto';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { app, safeStorage, utilityProcess } from 'electron';
import type { DesktopState, ServiceState } from '../server/actions/bridge.ts';
import { findStarts } from '../server/base/program.ts';
import { version } from '../server/base/version.ts';
import type { PackedProblem } from '../server/messages/message.ts';
import { type Language, translator, wordProblem } from '../server/messages/messages.ts';
import { sqliteVersion } from '../server/store/store.ts';
import { openUpstreamKeys } from './mirror/encrypted-keys.ts';
import { createKeyActions, type KeyActions } from './mirror/mirror-key-actions.ts';
import {
  createSupervisor,
  type ServiceStatus,
  type ServiceTarget,
  type Supervisor,
} from './service/supervisor.ts';
import { findHome, type HomeChoice } from './settings/chosen-home.ts';
import {
  chooseLanguage,
  type LocalizedText,
  openSettingsFile,
  portCount,
  type SettingsFile,
} from './settings/desktop-settings.ts';
import { createFaultLog, type FaultLog } from './system/fault-log.ts';
import { startsAtLogin } from './system/login.ts';
import { createOpenedFiles, type OpenedFiles } from './system/opening.ts';
import { findNativeUpdater, findUpdater } from './updates/updater.ts';
import { createUpdates, type Updates } from './updates/updates.ts';
import { createWindow, type MainWindow, type WindowListeners } from './window/window.ts';

let sqlite: string | undefined;

function readVersions(): DesktopState['versions'] {
  sqlite ??= sqliteVersion();
  const { electron = '', chrome = '', node } = process.versions;
  return { app: version, electron, chromium: chrome, node, sqlite };
}

export type Shell = {
  readonly settings: SettingsFile;
  readonly faults: FaultLog;
  readonly service: Supervisor;
  /** Performs actions, and stores the keys of online services that they bring. */
  readonly perform: KeyActions['perform'];
  readonly window: MainWindow;
  readonly updates: Updates;
  readonly opened: OpenedFiles;
  /** The secret for the keys of the window, new at each start of the program. */
  readonly windowSecret: string;
  readonly language: () => Language;
  readonly home: () => HomeChoice;
  readonly state: () => DesktopState;
  /** The base URL of the service; undefined unless it is running. */
  readonly baseUrl: () => string | undefined;
  /** Adds a notice for the user until the program ends. */
  notify(notice: LocalizedText): void;
  /** Adds a warning about the data, until another service starts. */
  warn(problem: PackedProblem): void;
  /** Serves with the current settings after a change. */
  serve(): void;
};

type ShellListeners = {
  readonly onChange: () => void;
  readonly window: WindowListeners;
  /** Called when files were opened with the program. */
  readonly onOpened: () => void;
};

/** Returns the state of the service, with the reason in a language if it has stopped. */
function describeService(
  status: ServiceStatus,
  { home }: HomeChoice,
  port: number,
  language: Language,
): ServiceState {
  if (status.kind !== 'stopped') return status;
  const { problem } = status;
  if (problem.kind === 'other') {
    return { kind: 'stopped', reason: wordProblem(problem.problem, language) };
  }
  const values = {
    home: home.directory,
    port: String(port),
    lastPort: String(port + portCount - 1),
  };
  return { kind: 'stopped', reason: translator(language)(`service:${problem.kind}`, values) };
}

/** Names the program that an assistant starts, as the launcher of a package does. */
function launcherOf(platform: NodeJS.Platform): NodeJS.ProcessEnv {
  if (!app.isPackaged) return {};
  const file = platform === 'win32' ? 'club-events.exe' : 'club-events';
  const folder =
    platform === 'linux' ? dirname(app.getPath('exe')) : join(process.resourcesPath, 'bin');
  return { CLUB_EVENTS_LAUNCHER: join(folder, file) };
}

/** Starts the service process. Call it once Electron is ready. */
function forkService(): Electron.UtilityProcess {
  const entry = fileURLToPath(
    new URL(`./service/service-main${extname(import.meta.url)}`, import.meta.url),
  );
  return utilityProcess.fork(entry, [], {
    serviceName: 'Club Events service',
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, ...launcherOf(process.platform) },
  });
}

/** Creates the parts without starting the service or showing a window. */
export function createShell(listeners: ShellListeners): Shell {
  const folder = app.getPath('userData');
  const settings = openSettingsFile(folder);
  const home = () => findHome(settings.current().home, process.env);
  const language = () => chooseLanguage(settings.current().language, app.getLocale());
  const faults = createFaultLog(join(folder, 'logs'));
  const windowSecret = randomBytes(32).toString('base64url');
  /** Limitations of the running service. */
  const warnings = new Map<string, PackedProblem>();
  const notices: LocalizedText[] = [];
  const changes = { onChange: () => listeners.onChange(), report: faults.report };

  function warn(problem: PackedProblem): void {
    warnings.set(problem.code, problem);
    listeners.onChange();
  }

  function target(): ServiceTarget {
    const { home: chosen, mustExist } = home();
    return { home: chosen.directory, mustExist, port: settings.current().port };
  }

  const upstreamKeys = openUpstreamKeys({
    file: join(folder, 'service-keys.json'),
    storage: safeStorage,
    platform: process.platform,
    report: faults.report,
  });
  let wasRunning = false;
  const service = createSupervisor({
    ...changes,
    onChange() {
      const isRunning = service.status().kind === 'running';
      if (isRunning && !wasRunning) void keyActions.match();
      wasRunning = isRunning;
      listeners.onChange();
    },
    fork: forkService,
    target,
    windowSecret,
    configuration: (directory) => ({
      syncMinutes: settings.current().syncMinutes,
      upstreamKeys: upstreamKeys.of(directory),
    }),
    warn,
  });
  const keyActions = createKeyActions({
    perform: service.perform,
    keys: upstreamKeys,
    home: () => home().home.directory,
    onChange() {
      service.configure();
      listeners.onChange();
    },
    report: faults.report,
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
    appImage: findStarts().appImage,
    file: join(folder, 'updates.json'),
    version,
    isEnabled: () => settings.current().checkForUpdates,
    now: () => new Date(),
  });
  const { failedVersion } = updates;
  if (failedVersion !== undefined) {
    const values = { version: failedVersion, current: version };
    notices.push((current) => translator(current)('updates:notInstalled', values));
  }

  /** Removes the warnings about a database that a restore has replaced. */
  function forgetDamage(): void {
    for (const code of warnings.keys()) {
      if (/^(?:damage|database|history)_/.test(code)) warnings.delete(code);
    }
    listeners.onChange();
  }

  function state(): DesktopState {
    const {
      home: _home,
      folder: _folder,
      hidingAnnounced: _announced,
      ...pageSettings
    } = settings.current();
    const allNotices = [...settings.notices(), ...upstreamKeys.notices(), ...notices];
    const texts = allNotices.map((notice) => notice(language()));
    const homeChoice = home();
    return {
      settings: { ...pageSettings, startAtLogin: startsAtLogin() },
      service: describeService(service.status(), homeChoice, pageSettings.port, language()),
      update: updates.state(language()),
      notices: [
        ...texts,
        ...[...warnings.values()].map((warning) => wordProblem(warning, language())),
      ],
      home: { directory: homeChoice.home.directory, fixed: homeChoice.fixed },
      versions: readVersions(),
      keyStore: upstreamKeys.keyStore(),
      platform: process.platform as DesktopState['platform'],
    };
  }

  return {
    settings,
    faults,
    service,
    async perform(name, args, options) {
      const result = await keyActions.perform(name, args, options);
      if (name === 'restore') forgetDamage();
      return result;
    },
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
    warn,
    serve() {
      warnings.clear();
      service.moveTo(target());
    },
  };
}
