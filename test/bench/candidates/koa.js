// Koa, @koa/router and koa-bearer-token alone, which send the same bytes from memory after asking
// whether the database has changed.
import { createServer } from 'node:http';
import Router from '@koa/router';
import Database from 'better-sqlite3';
import Koa from 'koa';
import { bearerToken } from 'koa-bearer-token';
import { listenAndPrintUrl, readAnswers } from './answers.js';

const [, , file, database] = process.argv;
const { byPath, unchanged } = readAnswers(file);
const version = new Database(database, { readonly: true }).prepare('PRAGMA data_version').pluck();

/** @param {import('koa').Context} ctx */
function answer(ctx) {
  version.get();
  const isUnchanged = ctx.req.headers['if-none-match'] !== undefined;
  const { headers, body } = isUnchanged ? unchanged : (byPath.get(ctx.path) ?? unchanged);
  for (let at = 0; at < headers.length; at += 2) {
    ctx.res.setHeader(String(headers[at]), String(headers[at + 1]));
  }
  if (isUnchanged) ctx.status = 304;
  else ctx.body = body;
}

const router = new Router();
router.get('/v1/events', bearerToken(), answer);
router.get('/v1/events/:id', bearerToken(), answer);
const app = new Koa();
app.use(router.routes());
listenAndPrintUrl(createServer({ optimizeEmptyRequests: true }, app.callback()));
