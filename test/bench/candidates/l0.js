// The limit: bare node:http, which sends the same bytes and the same headers from memory.
import { serveKept } from './kept.js';

serveKept(process.argv[2]);
