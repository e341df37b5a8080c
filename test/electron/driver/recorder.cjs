// Loaded before the program, under Electron as under the fake: takes the place of whatever would
// wait for a person or leave the window, and remembers what was asked.
const { dirname, join } = require('node:path');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  // Playwright leaves its own loader out when it is given the path of the program.
  if (process.argv.includes('--remote-debugging-port=0')) {
    const playwright = dirname(require.resolve('playwright-core/package.json'));
    require(join(playwright, 'lib/server/electron/loader.js'));
  }

  // What Electron is given for the test goes before this file; the program finds its own arguments
  // where they always are.
  const own = process.argv.indexOf(__filename);
  if (own > 0) process.argv.splice(1, own);

  const { app, dialog, safeStorage, shell, Menu, Notification, Tray } = require('electron');

  /** @type {import('./record.ts').Record} */
  const record = { calls: [], answers: {}, trays: [], hasKeyStore: true };
  Reflect.set(globalThis, 'desktopRecord', record);

  /** @param {string} kind @param {unknown} details */
  const ask = (kind, details) => {
    record.calls.push({ kind, details: JSON.parse(JSON.stringify(details ?? null)) });
    return record.answers[kind]?.shift();
  };

  /**
   * @param {import('./record.ts').DialogName} name
   * @param {(answer: any, options: any) => unknown} give
   */
  const replaceDialog = (name, give) => {
    Reflect.set(dialog, name, (/** @type {any[]} */ ...given) => {
      // The window that it belongs to comes first, where there is one.
      const [parent] = given.length > 1 ? given : [];
      // A person could not answer it: on macOS it is a sheet of that window.
      if (parent && !parent.isVisible()) throw new Error(`${name} belongs to a hidden window.`);
      const options = given.at(-1);
      return give(ask(name, options), options);
    });
  };
  replaceDialog('showOpenDialog', async (answer) =>
    answer ? { canceled: false, ...answer } : { canceled: true, filePaths: [] },
  );
  replaceDialog('showSaveDialog', async (answer) =>
    answer ? { canceled: false, ...answer } : { canceled: true, filePath: '' },
  );
  replaceDialog('showMessageBox', async (answer, options) => {
    const pressed = answer ? options.buttons.indexOf(answer.button) : (options.cancelId ?? 0);
    if (pressed < 0) throw new Error(`There is no button "${answer.button}": ${options.buttons}`);
    return { response: pressed, checkboxChecked: answer?.checkboxChecked ?? false };
  });
  dialog.showErrorBox = (title, content) => {
    ask('showErrorBox', { title, content });
    // The program often ends with it, and its record as well.
    process.stderr.write(`${title}: ${content}\n`);
  };

  shell.openExternal = async (url) => void ask('openExternal', url);
  shell.openPath = (path) => {
    ask('openPath', path);
    // On Linux, Electron never settles this promise.
    return process.platform === 'linux' ? new Promise(() => undefined) : Promise.resolve('');
  };
  app.relaunch = () => void ask('relaunch', null);
  Menu.prototype.popup = function () {
    ask('popup', { labels: this.items.map(({ label, enabled }) => ({ label, enabled })) });
  };

  // In place of the system's key store, which may ask a person for a password.
  const scramble = (/** @type {Buffer} */ bytes) => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
  const protectedPrefix = Buffer.from('v11');
  const { encryptStringAsync } = safeStorage;
  safeStorage.encryptStringAsync = async (text) => {
    if (!record.hasKeyStore) return await encryptStringAsync.call(safeStorage, text);
    return Buffer.concat([protectedPrefix, scramble(Buffer.from(text))]);
  };
  safeStorage.decryptStringAsync = async (encrypted) => {
    if (!record.hasKeyStore || !encrypted.subarray(0, 3).equals(protectedPrefix)) {
      throw new Error('Error while decrypting the ciphertext provided to safeStorage.');
    }
    return { shouldReEncrypt: false, result: scramble(encrypted.subarray(3)).toString() };
  };
  safeStorage.getSelectedStorageBackend = () =>
    record.hasKeyStore ? 'gnome_libsecret' : 'basic_text';

  /** @param {any} tray */
  const recordOf = (tray) => {
    const known = record.trays.find((each) => each.tray === tray);
    const made = known ?? { tray, menu: null, toolTip: '' };
    if (known === undefined) record.trays.push(made);
    return made;
  };
  const { setContextMenu, setToolTip, destroy } = Tray.prototype;
  Tray.prototype.setContextMenu = function (menu) {
    recordOf(this).menu = menu;
    setContextMenu.call(this, menu);
  };
  Tray.prototype.setToolTip = function (toolTip) {
    recordOf(this).toolTip = toolTip;
    setToolTip.call(this, toolTip);
  };
  Tray.prototype.destroy = function () {
    record.trays = record.trays.filter(({ tray }) => tray !== this);
    destroy.call(this);
  };
  Notification.prototype.show = function () {
    ask('notification', { title: this.title, body: this.body });
  };
}
