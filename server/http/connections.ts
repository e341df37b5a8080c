import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits of the connections of a service; times in milliseconds. */
export const connectionLimits = {
  connections: 256,
  /** Time between two requests of a connection. */
  idle: 5_000,
  /** Time without progress of an answer. */
  stall: 30_000,
  /** Requests of a connection that are answered at the same time; the next ones queue. */
  answers: 4,
  /** Requests of a connection that queue; another one closes it. */
  queue: 100,
  /** Requests that wait for a change: those with the same key, and all. */
  waitsOfKey: 4,
  waits: 128,
} as const;

type Limits = Readonly<Record<keyof typeof connectionLimits, number>>;

type Connection = {
  readonly openedAt: number;
  /** The time at which the connection became idle, or its first answer the next one to be sent. */
  changedAt: number;
  /** Answers that are composed or sent, in the order of their requests. */
  readonly answers: Set<ServerResponse>;
  readonly queue: (readonly [IncomingMessage, ServerResponse])[];
  /** Functions that end the waits of answers. */
  readonly waits: Map<ServerResponse, () => void>;
  /** The first and the last of consecutive timeouts without progress. */
  stall: { readonly since: number; readonly seen: number } | undefined;
};

const firstOf = ({ answers }: Connection): ServerResponse | undefined =>
  answers.values().next().value;

/**
 * Milliseconds in which a connection is not closed in favour of others: in a burst of new ones, its
 * request is read after all have been accepted.
 */
const graceTime = 100;

export type Connections = {
  /** Applies the limits to the connections of a server. */
  attach(server: Server): void;
  /** Returns a listener that passes requests on within the limits. */
  limit(listener: RequestListener): RequestListener;
  /** Returns the answer to the last request of a connection, unless it is finished. */
  lastAnswer(socket: Socket): ServerResponse | undefined;
  /**
   * Begins the wait of an answer, and returns the function to call after it; undefined if too many
   * requests wait. Calls `end` when the client closes the connection, or its own side of it.
   */
  beginWait(answer: ServerResponse, key: string, end: () => void): (() => void) | undefined;
  /** Returns the number of requests that wait for a change. */
  countWaits(): number;
};

/** Sorts connections whose answer is not read: first those of the key that has most, the longest first. */
function sortUnread(unread: readonly (readonly [Socket, Connection])[]) {
  const keyOf = (each: Connection) => firstOf(each)?.req.headers.authorization;
  const counts = new Map<string | undefined, number>();
  for (const [, each] of unread) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  const countOf = (each: Connection) => counts.get(keyOf(each)) ?? 0;
  return unread.toSorted(
    ([, one], [, other]) => countOf(other) - countOf(one) || one.changedAt - other.changedAt,
  );
}

/**
 * Creates the connections of a service, and owns all their limits: no other module sets the timeout of a
 * socket. A client that does not read, or that waits for changes, cannot keep others out.
 */
export function createConnections(limits: Limits = connectionLimits): Connections {
  // Node's `closeIdleConnections` skips those that never sent a request.
  const connections = new Map<Socket, Connection>();
  const waitsByKey = new Map<string, number>();
  let waitCount = 0;
  let later: NodeJS.Timeout | undefined;

  // Node notices progress of a write only from one timeout to the next, so there are four in the time of
  // a stall. Each is longer than the timeouts for headers and between requests.
  const period = limits.stall / 4;

  function close(socket: Socket): void {
    const isBusy = (connections.get(socket)?.answers.size ?? 0) > 0;
    connections.delete(socket);
    // Otherwise the system would hold an answer that is not read, megabytes of it, for minutes.
    if (isBusy) socket.resetAndDestroy();
    else socket.destroy();
  }

  /** Returns the connections to close above the limit; the first ones are the least useful. */
  function listClosable(): readonly (readonly [Socket, Connection])[] {
    const newest = performance.now() - graceTime;
    const all = [...connections].toSorted(([, one], [, other]) => one.changedAt - other.changedAt);
    const idle = all.filter(([, { answers }]) => answers.size === 0);
    const settled = idle.filter(([, { openedAt }]) => openedAt < newest);
    if (settled.length > 0) return settled;
    // Answers that are sent, but not read to their end.
    const unread = all.filter(([, each]) => firstOf(each)?.headersSent);
    const settledUnread = unread.filter(([, { changedAt }]) => changedAt < newest);
    if (settledUnread.length > 0) return sortUnread(settledUnread);
    // If all others are answered, or in a burst as large as the limit, the newest have to go.
    const isFull = idle.length === 1 && unread.length === 0;
    return isFull || connections.size > 2 * limits.connections ? idle : [];
  }
  function closeLater(): void {
    later = undefined;
    closeAboveLimit();
  }
  function closeAboveLimit(): void {
    const excess = connections.size - limits.connections;
    if (excess <= 0) return;
    for (const [socket] of listClosable().slice(0, excess)) close(socket);
    // The others are old enough then.
    if (connections.size <= limits.connections || later !== undefined) return;
    later = setTimeout(closeLater, graceTime).unref();
  }

  function endWaits({ waits }: Connection): void {
    for (const end of waits.values()) end();
  }
  function accept(socket: Socket): void {
    const now = performance.now();
    const connection: Connection = {
      openedAt: now,
      changedAt: now,
      answers: new Set(),
      queue: [],
      waits: new Map(),
      stall: undefined,
    };
    connections.set(socket, connection);
    // A client that closes its side has either gone or sent its last request.
    socket.on('end', () => endWaits(connection));
    socket.on('close', () => {
      connections.delete(socket);
      connection.queue.length = 0;
      endWaits(connection);
    });
    closeAboveLimit();
  }

  /** Closes a connection that is idle, or whose first answer made no progress for too long. */
  function checkProgress(socket: Socket): void {
    const connection = connections.get(socket);
    const first = connection && firstOf(connection);
    if (connection === undefined || first === undefined) {
      close(socket);
      return;
    }
    const now = performance.now();
    const { stall } = connection;
    // If timeouts are not consecutive, there was progress in between.
    const since = stall && now - stall.seen < period * 1.5 ? stall.since : now - period;
    const isWaiting = connection.waits.has(first);
    if (!isWaiting && now - since > limits.stall - period / 2) {
      close(socket);
      return;
    }
    connection.stall = isWaiting ? undefined : { since, seen: now };
    socket.setTimeout(period);
  }

  return {
    attach(server) {
      server.timeout = period;
      server.keepAliveTimeout = limits.idle;
      // Otherwise Node would drop the answers to a client that has closed its side. It has no type.
      Object.assign(server, { httpAllowHalfOpen: true });
      server.on('connection', accept);
      server.on('timeout', checkProgress);
    },

    limit(listener) {
      function begin(
        connection: Connection,
        request: IncomingMessage,
        response: ServerResponse,
      ): void {
        if (connection.answers.size === 0) connection.changedAt = performance.now();
        connection.answers.add(response);
        response.on('close', () => finish(connection, response));
        listener(request, response);
      }
      function finish(connection: Connection, response: ServerResponse): void {
        connection.answers.delete(response);
        connection.changedAt = performance.now();
        const next = connection.queue.shift();
        if (next !== undefined) begin(connection, ...next);
      }
      return (request, response) => {
        const connection = connections.get(request.socket);
        if (connection === undefined) return;
        if (connection.answers.size < limits.answers) begin(connection, request, response);
        else if (connection.queue.length < limits.queue) connection.queue.push([request, response]);
        else close(request.socket);
      };
    },

    countWaits: () => waitCount,

    lastAnswer: (socket) => [...(connections.get(socket)?.answers ?? [])].at(-1),

    beginWait(answer, key, end) {
      const { socket } = answer.req;
      const connection = connections.get(socket);
      const ofKey = waitsByKey.get(key) ?? 0;
      const isFull = waitCount >= limits.waits || ofKey >= limits.waitsOfKey;
      if (connection === undefined || isFull) return undefined;
      waitCount += 1;
      waitsByKey.set(key, ofKey + 1);
      connection.waits.set(answer, end);
      if (socket.readableEnded) end();
      return () => {
        waitCount -= 1;
        const left = (waitsByKey.get(key) ?? 0) - 1;
        if (left === 0) waitsByKey.delete(key);
        else waitsByKey.set(key, left);
        connection.waits.delete(answer);
      };
    },
  };
}
