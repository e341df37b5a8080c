import { extname } from 'node:path';

/** Returns the URL of a module beside the one at `url`, with the same extension (.ts or .js). */
export function siblingModule(url: string, name: string): URL {
  return new URL(`./${name}${extname(url)}`, url);
}
