#!/usr/bin/env node
// JavaScript, so that Node starts without its TypeScript support. With the cache below, the other
// files do not need it either, which halves the time to the first response.
// A version that is too old must get as far as the sentence below, so nothing is imported by name that
// it may not have.
import module from 'node:module';
import { join } from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  const { node } = process.versions;
  process.stderr.write(`Club Events needs Node.js 22.18 or newer; this is ${node}.\n`);
  process.exitCode = 1;
} else {
  // Not in the shared temporary folder, where other accounts could write.
  module.enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/node-compile'));
  // Node writes the cache at exit, but a service runs for weeks and may end in a power failure.
  setTimeout(module.flushCompileCache, 300).unref();

  if (process.argv[2] === 'outside-files') {
    // A child process of this program for files that may hang.
    await import('../outside/file-process.ts');
  } else {
    const { runCommandLine } = await import('./program.ts');
    await runCommandLine(process);
  }
}
