import { app, clipboard, dialog } from 'electron';
import { explain } from '../server/errors.ts';
import { type Service, startService } from '../server/main.ts';
import { chooseHome, standardHost, standardPort } from '../server/settings.ts';

const title = 'Club Events';
const buttons = ['Copy address', 'Quit'];
const copyAddress = buttons.indexOf('Copy address');

/** The same service as `serve`, on the data directory of the command line. */
function startDesktopService(): Promise<Service> {
  const home = chooseHome(undefined, process.env);
  const settings = { home, host: standardHost, port: standardPort, allowedOrigins: [] };
  const warn = (sentence: string) => dialog.showErrorBox(title, sentence);
  return startService(settings, { now: () => new Date(), warn });
}

/** Tells the address until the user wants to quit. */
async function showAddress(baseUrl: string): Promise<void> {
  const message = 'Your events can be read on this computer.';
  const detail = `Scripts find them at ${baseUrl} for as long as this stays open.`;
  const box = { type: 'info', title, message, detail, buttons, cancelId: 1, noLink: true } as const;
  for (;;) {
    const { response } = await dialog.showMessageBox({ ...box, buttons: [...buttons] });
    if (response !== copyAddress) return;
    await clipboard.writeText(baseUrl);
  }
}

async function runDesktop(): Promise<void> {
  // Two of them would quarrel over the port; the first one's window is there already.
  if (!app.requestSingleInstanceLock()) return app.quit();
  process.umask(0o077);
  await app.whenReady();
  try {
    const service = await startDesktopService();
    await showAddress(service.baseUrl);
    await service.close();
  } catch (error) {
    dialog.showErrorBox(`${title} cannot start`, explain(error)?.message ?? String(error));
  }
  app.quit();
}

await runDesktop();
