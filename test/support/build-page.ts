import { join } from 'node:path';
import { build } from 'vite';
import { isNewest } from './newest.ts';

/**
 * Builds the page once before the tests, so that they see it as its sources are now, and as its
 * users do: vitest's own environment would make it a page for developing, several times as slow.
 */
export async function setup(): Promise<void> {
  // The measured tests come right after the others.
  if (isNewest('server/ui/dist/index.html', ['server', 'db', 'package.json'])) return;
  const root = join(import.meta.dirname, '../../server/ui');
  const environment = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  process.env['NODE_ENV'] = environment;
}
