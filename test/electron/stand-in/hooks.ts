import { registerHooks } from 'node:module';

const double = new URL('./double/electron.ts', import.meta.url).href;

// The package of this name is no module but a way to Electron's runtime, which it would download.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'electron' && !specifier.startsWith('electron/')) {
      return next(specifier, context);
    }
    return { url: double, shortCircuit: true };
  },
});
