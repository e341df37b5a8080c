import { join } from 'node:path';
import { runnerImport } from 'vite';

/** Imports a module of the page with JSX, which Node.js does not read by itself; `path` is below `server/ui`. */
export async function importPage<Module>(path: string): Promise<Module> {
  const file = join(import.meta.dirname, '../../server/ui', path);
  return (await runnerImport<Module>(file, { configFile: false, logLevel: 'error' })).module;
}
