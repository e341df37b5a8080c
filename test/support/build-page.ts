import { join } from 'node:path';
import { build } from 'vite';

/** Builds the page once before the tests, so that they see it as its sources are now. */
export async function setup(): Promise<void> {
  const root = join(import.meta.dirname, '../../server/ui');
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
}
