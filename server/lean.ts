import { createRequire } from 'node:module';
import type Router from '@koa/router';

const require = createRequire(import.meta.url);

/**
 * `node:http` as `require` gives it: an `import` of it also reads the properties behind which Node
 * keeps its WebSocket and fetch, and loads those, which is a tenth of the time to the first answer.
 */
export const http: typeof import('node:http') = require('node:http');

/** @koa/router in its CommonJS form, as the other one imports `node:http`. */
export const KoaRouter: typeof Router = require('@koa/router');
