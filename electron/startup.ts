import { app, crashReporter } from 'electron';

/** Sets up crash reports and quitting before Electron is ready. */
export function prepareApp(): void {
  // Crash reports stay in the folder `Crashpad` beside the settings.
  crashReporter.start({ uploadToServer: false });
  // Otherwise Electron would quit when the window of a message box closes.
  app.on('window-all-closed', () => undefined);
}

/** Reports unexpected ends of Chromium's other processes, such as the GPU process. */
export function reportChildFaults(report: (error: unknown) => void): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    report(new Error(`The process "${type}" of Chromium ended: ${reason}, ${exitCode}.`));
  });
}
