import { registerHooks } from 'node:module';

// Only the program's own import: the double's is of types alone, and is gone when it runs.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: new URL('./double.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});
