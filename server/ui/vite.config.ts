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
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      onLog(level, log, report) {
        // Mantine's files begin with "use client", a directive that only matters on servers.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
