import { join } from 'node:path';
import { build } from 'vite';

/**
 * Builds the page for production. The `NODE_ENV` of a test or a developer would result in a
 * development build, which is several times slower.
 */
export async function buildPage(): Promise<void> {
  const configFile = join(import.meta.dirname, '../../server/ui/vite.config.ts');
  const environment = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await build({ configFile, logLevel: 'warn' });
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = environment;
  }
}
