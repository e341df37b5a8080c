import { join } from 'node:path';
import { defineConfig } from 'vite';

/** Builds the page into `server/ui/dist`, where the service finds it. */
export default defineConfig({
  root: import.meta.dirname,
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
