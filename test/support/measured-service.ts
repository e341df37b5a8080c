import { loadWriters } from '../../server/export/list-writers.ts';
import { createService } from '../../server/service/service.ts';

// A service in its own process (with --expose-gc), which reports its memory for each message.

const [home = ''] = process.argv.slice(2);
const service = createService(
  { home, host: '127.0.0.1', port: 0, allowedOrigins: [] },
  {
    now: () => new Date(),
    loadWriters,
    warn: (problem) => {
      throw problem;
    },
  },
);
const baseUrl = await service.run();
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.send?.(baseUrl);
