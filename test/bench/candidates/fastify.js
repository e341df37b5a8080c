// A usual service with Fastify and better-sqlite3: one statement per request, and a schema for the JSON.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import Database from 'better-sqlite3';

const { default: fastify } = createRequire(new URL('../peers/package.json', import.meta.url))(
  'fastify',
);

const sqlite = new Database(process.argv[2], { readonly: true });
const columns = `id, name, date, location, description, status, event_type AS eventType,
  registration_open AS registrationOpen, created_at AS createdAt`;
const user = sqlite
  .prepare('SELECT user_id FROM keys WHERE digest = ? AND revoked_at IS NULL')
  .pluck();
const list = sqlite.prepare(
  `SELECT ${columns} FROM events WHERE user_id = ? ORDER BY created_at DESC, id DESC LIMIT 200`,
);
const one = sqlite.prepare(`SELECT ${columns} FROM events WHERE user_id = ? AND id = ?`);

const text = { type: 'string' };
const optional = { type: 'string', nullable: true };
const event = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: text,
    date: text,
    location: text,
    description: optional,
    status: text,
    eventType: optional,
    registrationOpen: { type: 'boolean', nullable: true },
    createdAt: text,
  },
};
const answers = (/** @type {object} */ properties) => ({
  schema: { response: { 200: { type: 'object', properties } } },
});

const app = fastify();
app.addHook(
  'onRequest',
  (/** @type {any} */ request, /** @type {any} */ reply, /** @type {() => void} */ done) => {
    const key = String(request.headers.authorization).slice('Bearer '.length);
    request.userId = user.get(createHash('sha256').update(key).digest());
    if (request.userId === undefined) reply.code(401).send();
    else done();
  },
);
app.get(
  '/v1/events',
  answers({ events: { type: 'array', items: event } }),
  (/** @type {any} */ request, /** @type {any} */ reply) => {
    reply.send({ events: list.all(request.userId) });
  },
);
app.get(
  '/v1/events/:id',
  answers({ event }),
  (/** @type {any} */ request, /** @type {any} */ reply) => {
    reply.send({ event: one.get(request.userId, Number(request.params.id)) });
  },
);
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
