import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Every test starts real processes, sockets and database files, on machines with two cores.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
