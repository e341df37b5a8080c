// Bare node:http, which sends the same bytes and the same headers from memory.
import { createServer } from 'node:http';
import { listenAndPrintUrl, readAnswers } from './answers.js';

const { byPath, unchanged } = readAnswers(process.argv[2]);

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] !== undefined) {
    response.writeHead(304, unchanged.headers);
    response.end();
  } else {
    const { headers, body } = byPath.get(String(request.url)) ?? {};
    response.writeHead(200, headers);
    response.end(body);
  }
});
listenAndPrintUrl(server);
