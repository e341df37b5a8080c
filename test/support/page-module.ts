import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';

/** Leaves out style sheets, which have no meaning here. */
const withoutStyles: Plugin = {
  name: 'without-styles',
  enforce: 'pre',
  resolveId: (source) => (source.endsWith('.css') ? '\0styles' : undefined),
  load: (id) => (id === '\0styles' ? '' : undefined),
};

/**
 * Imports a module of the page that has JSX, or imports one that has, which Node.js does not read;
 * `path` is below `server/ui`.
 */
export async function importPage<Module>(path: string): Promise<Module> {
  const file = join(import.meta.dirname, '../../server/ui', path);
  const plugins = [withoutStyles];
  const { module } = await runnerImport<Module>(file, {
    configFile: false,
    logLevel: 'error',
    plugins,
  });
  return module;
}
