import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const messageFile = /[\\/]server[\\/]messages[\\/]\w\w\.json$/;

/**
 * Has each section of the messages parsed when its first text is needed. Most are never: they are those of
 * other languages, of the command line and of other screens.
 */
const lazyMessages: Plugin = {
  name: 'lazy-messages',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!source.endsWith('.json')) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && messageFile.test(found.id) ? `${found.id}.js` : null;
  },
  load(id) {
    const file = id.slice(0, -'.js'.length);
    if (!messageFile.test(file)) return null;
    const sections = Object.entries(JSON.parse(readFileSync(file, 'utf8')));
    const getters = sections.map(([name, texts]) => {
      const text = JSON.stringify(JSON.stringify(texts));
      return `get ${name}() { return parsed.${name} ??= JSON.parse(${text}); },`;
    });
    return `const parsed = {};\nexport default {\n${getters.join('\n')}\n};`;
  },
};

/**
 * Names the code of the page in its HTML. A browser would otherwise find it only once the first script
 * runs, which imports the rest in a way that it can report an error of it.
 */
const preloadPage: Plugin = {
  name: 'preload-page',
  transformIndexHtml: {
    order: 'post',
    handler(_, { chunk, bundle = {} }) {
      const names = new Set<string>();
      const add = (name: string) => {
        const part = bundle[name];
        if (names.has(name) || part?.type !== 'chunk') return;
        names.add(name);
        for (const imported of part.imports) add(imported);
      };
      for (const name of chunk?.dynamicImports ?? []) add(name);
      const isNamed = new Set([chunk?.fileName, ...(chunk?.imports ?? [])]);
      return [...names]
        .filter((name) => !isNamed.has(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
          injectTo: 'head' as const,
        }));
    },
  },
};

/** Builds the page into `server/ui/dist`, where the service finds it. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [lazyMessages, preloadPage],
  build: {
    target: 'chrome130',
    // No data: URLs, which the content security policy would have to allow.
    assetsInlineLimit: 0,
    license: { fileName: 'licenses.json' },
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The explorer of the interface is one file of this size.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: [join(import.meta.dirname, 'index.html'), join(import.meta.dirname, 'docs.html')],
      output: {
        // What several parts share is one file: each small one would cost a request of its own.
        codeSplitting: {
          groups: [
            // The page that shows an error of the others needs these alone.
            {
              name: 'messages',
              test: /[\\/](?:server[\\/]messages(?![\\/]help)|i18next)[\\/]/,
              priority: 1,
            },
            // A browser loads the help only when a person opens it.
            {
              name: 'base',
              minShareCount: 2,
              test: /^(?!.*[\\/](?:messages|manage)[\\/]help[\\/])/,
            },
          ],
        },
      },
      onLog(level, log, report) {
        // Mantine's files begin with "use client", a directive that only matters on servers.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
