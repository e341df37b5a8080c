import type {
  Answer,
  Bridge,
  BridgeCalls,
  BridgeMessage,
} from '../../server/actions/bridge.ts' with { 'resolution-mode': 'import' };
import type { CallName } from './calls.ts' with { 'resolution-mode': 'import' };

const { contextBridge, ipcRenderer, webUtils }: typeof Electron.CrossProcessExports =
  require('electron');

// A sandboxed preload script cannot import other modules, so it repeats the names. The compiler
// checks that they are complete.
const names = {
  perform: true,
  cancel: true,
  openSession: true,
  chooseFiles: true,
  chooseBackup: true,
  chooseBackupFolder: true,
  chooseOutput: true,
  savePdf: true,
  takeOpened: true,
  takePasted: true,
  readState: true,
  changeSettings: true,
  chooseHome: true,
  showFolder: true,
  writeMail: true,
  openLink: true,
  checkForUpdate: true,
  installUpdate: true,
  readLicences: true,
} as const satisfies Readonly<Record<keyof BridgeCalls, true>>;

type AnyAnswer = Promise<Answer<never>>;

function invoke(name: CallName, args: unknown): AnyAnswer {
  return ipcRenderer.invoke(`club-events:${name}`, args);
}

async function takeDropped(files: readonly File[]): AnyAnswer {
  const paths = files.map((file) => webUtils.getPathForFile(file));
  if (!paths.includes('')) return invoke('takeDropped', { paths });
  return { ok: false, code: 'dropped_not_a_file' };
}

function listen(listener: (message: BridgeMessage) => void): () => void {
  // The event is not passed on: it would give the page Electron's own sender.
  const forward = (_event: unknown, message: BridgeMessage) => listener(message);
  ipcRenderer.on('club-events:message', forward);
  return () => void ipcRenderer.off('club-events:message', forward);
}

const calls = Object.keys(names).map((name) => [
  name,
  (args: unknown) => invoke(name as CallName, args),
]);

const bridge: Bridge = { ...Object.fromEntries(calls), takeDropped, listen };
contextBridge.exposeInMainWorld('clubEvents', bridge);
