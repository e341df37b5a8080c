import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Loaded before `npm run desktop`, which then notes in the file BUILDS what it would build. The
 * builds themselves are those that the tests begin with.
 */
const modules: Readonly<Record<string, string>> = {
  'page.ts': "export const buildPage = () => globalThis.noteBuild('page');",
  'build.ts': `export { builtDesktop } from './build.ts?real';
    export const buildDesktop = () => globalThis.noteBuild('desktop');`,
};

Object.assign(globalThis, {
  noteBuild: (name: string) => appendFileSync(process.env['BUILDS'] ?? '', `${name}\n`),
});

registerHooks({
  load(url, context, next) {
    const { pathname, search } = new URL(url);
    const name = pathname.split('/electron/packaging/')[1] ?? '';
    const source = search === '' ? modules[name] : undefined;
    return source === undefined
      ? next(url, context)
      : { format: 'module', source, shortCircuit: true };
  },
});
