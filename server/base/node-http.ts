/**
 * The module `node:http`. An import of it would load its WebSocket, too, with the whole of undici:
 * 5 MB of memory and a part of the time to the first answer.
 */
export const http = process.getBuiltinModule('node:http');
