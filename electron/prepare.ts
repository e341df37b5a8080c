import { app, crashReporter } from 'electron';

/** Sets what Electron must know before it is ready. */
export function prepareApp(): void {
  // Reports of crashes stay in the folder `Crashpad` beside the settings.
  crashReporter.start({ uploadToServer: false });
  // Otherwise the program would end with the window of a box.
  app.on('window-all-closed', () => undefined);
}

/** Reports the ends of Chromium's other processes, such as the one that draws. */
export function reportChildFaults(report: (error: unknown) => void): void {
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    report(new Error(`The process "${type}" of Chromium ended: ${reason}, ${exitCode}.`));
  });
}
