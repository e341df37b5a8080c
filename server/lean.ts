import { createRequire } from 'node:module';
import type Router from '@koa/router';

const require = createRequire(import.meta.url);

/**
 * `node:http`, loaded with `require`. An `import` also reads the getters that load Node's WebSocket
 * and fetch, which is a tenth of the time to the first response.
 */
export const http: typeof import('node:http') = require('node:http');

/** @koa/router as CommonJS, because its ES module imports `node:http`. */
export const KoaRouter: typeof Router = require('@koa/router');
