#!/usr/bin/env node
// JavaScript, so that Node starts without its TypeScript support. With the cache below, the other
// files do not need it either, which halves the time to the first response.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

// Not in the shared temporary folder, where other accounts could write.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/node-compile'));
// Node writes the cache at exit, but a service runs for weeks and may end in a power failure.
setTimeout(flushCompileCache, 300).unref();

if (process.argv[2] === 'outside-files') {
  // A child process of this program for files that may hang.
  await import('../outside/file-process.ts');
} else {
  const { runCommandLine } = await import('./program.ts');
  await runCommandLine(process);
}
