import { buildPage } from '../../electron/packaging/build.ts';
import { isNewest } from './newest.ts';

/** Builds the page once before the tests, so that they see it as its sources are now. */
export async function setup(): Promise<void> {
  // The measured tests come right after the others.
  if (isNewest('server/ui/dist/index.html', ['server', 'db', 'package.json'])) return;
  await buildPage();
}
