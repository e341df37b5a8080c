import { extname } from 'node:path';

/** The URL of the module `name` beside the one at `url`: as a source here, as JavaScript built. */
export function siblingModule(url: string, name: string): URL {
  return new URL(`./${name}${extname(url)}`, url);
}
