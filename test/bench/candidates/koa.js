// The packages alone: Koa, @koa/router and koa-bearer-token, which send what L0 sends and do nothing
// else; but with a database, they ask whether it has changed.
import { createServer } from 'node:http';
import Router from '@koa/router';
import Database from 'better-sqlite3';
import Koa from 'koa';
import { bearerToken } from 'koa-bearer-token';
import { printUrl, readKept } from './kept.js';

const [, , file, path] = process.argv;
const { whole, unchanged } = readKept(file);
const version =
  path === undefined
    ? undefined
    : new Database(path, { readonly: true }).prepare('PRAGMA data_version').pluck();
const router = new Router();
/** @param {import('koa').Context} ctx */
function answer(ctx) {
  version?.get();
  const isUnchanged = ctx.req.headers['if-none-match'] !== undefined;
  const { headers, body } = isUnchanged ? unchanged : (whole.get(ctx.path) ?? unchanged);
  for (let at = 0; at < headers.length; at += 2) {
    ctx.res.setHeader(String(headers[at]), String(headers[at + 1]));
  }
  if (isUnchanged) ctx.status = 304;
  else ctx.body = body;
}
router.get('/v1/events', bearerToken(), answer);
router.get('/v1/events/:id', bearerToken(), answer);
const app = new Koa();
app.use(router.routes());
const server = createServer({ optimizeEmptyRequests: true }, app.callback());
server.listen(0, '127.0.0.1', () => printUrl(server));
