import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const double = new URL('./double/electron.ts', import.meta.url).href;

// The package of this name is no module but a way to Electron's runtime, which it would download.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'electron' && !specifier.startsWith('electron/')) {
      return next(specifier, context);
    }
    if (!isMainThread) throw new Error('Electron has no module for threads of Node.');
    return { url: double, shortCircuit: true };
  },
});
