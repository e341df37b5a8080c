#!/usr/bin/env node
// JavaScript, so that Node need not load its TypeScript support to start: with the cache below it
// is not needed for the other files either, which halves the time to the first answer.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

// Beside the packages, and not in the shared temporary folder, where others could write.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node-compile'));
// A service runs for weeks and may end with the power: what it compiled is kept before that.
setTimeout(flushCompileCache, 300).unref();

const { runCommandLine } = await import('./cli/run.ts');
await runCommandLine(process);
