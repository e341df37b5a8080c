import { registerHooks } from 'node:module';

const fakeModule = new URL('./electron/electron.ts', import.meta.url).href;

// The package of this name is no module but a way to Electron's runtime, which it would download.
registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'electron' && !specifier.startsWith('electron/')) {
      return next(specifier, context);
    }
    return { url: fakeModule, shortCircuit: true };
  },
});
