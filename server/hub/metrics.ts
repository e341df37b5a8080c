import type { Server } from 'node:http';
import type { LongRunning } from '../base/long-running.ts';
import { http } from '../base/node-http.ts';
import { urlOf } from '../base/settings.ts';
import { type Connections, createConnections } from '../http/connections.ts';
import type { HubNode } from './node.ts';

type Sample = readonly [labels: string, value: number];

/** Writes a metric in the text format of Prometheus (version 0.0.4). */
function metric(name: string, type: 'gauge' | 'counter', help: string, samples: Sample[]): string {
  const full = `club_events_${name}`;
  const lines = samples.map(([labels, value]) => `${full}${labels && `{${labels}}`} ${value}`);
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines, ''].join('\n');
}

/** Returns the metrics of a node. Clubs have their numbers: names are for people. */
export function composeMetrics(node: HubNode, connections: Connections): string {
  const { number, timeline, lagMs, contactMs, stuck, failures } = node.readState();
  const { byStatus, byClub } = node.readAnswers();
  const one = (value: number): Sample[] => [['', value]];
  return [
    metric('node_ready', 'gauge', '1 if the node is ready.', one(+node.isReady())),
    metric('node_number', 'gauge', 'Number of the last change.', one(number ?? 0)),
    metric('record_timeline', 'gauge', 'Timeline of the record.', one(timeline)),
    metric(
      'node_lag_seconds',
      'gauge',
      'Time since the record last had nothing newer.',
      one(lagMs / 1_000),
    ),
    metric(
      'node_contact_seconds',
      'gauge',
      'Time since the record last answered.',
      one(contactMs / 1_000),
    ),
    metric('node_failures_total', 'counter', 'Failures to follow the record.', one(failures)),
    metric('node_clubs_not_copied', 'gauge', 'Clubs that cannot be copied.', one(stuck.length)),
    metric(
      'waiting_requests',
      'gauge',
      'Requests that wait for a change.',
      one(connections.countWaits()),
    ),
    metric(
      'answers_total',
      'counter',
      'Answers by status.',
      [...byStatus].map(([status, count]) => [`status="${status}"`, count]),
    ),
    metric(
      'club_reads_total',
      'counter',
      'Answers with events of a club.',
      [...byClub].map(([club, count]) => [`club="${club}"`, count]),
    ),
  ].join('');
}

/**
 * Serves `GET /metrics` at an address of its own, which needs no key, about a service that uses
 * `connections`. `run` returns its URL.
 */
export function createMetricsServer(
  { host, port }: { readonly host: string; readonly port: number },
  node: HubNode,
): LongRunning<Promise<string>> & { readonly connections: Connections } {
  const connections = createConnections();
  const server: Server = http.createServer((request, response) => {
    const isKnown = request.url === '/metrics' && ['GET', 'HEAD'].includes(request.method ?? '');
    if (!isKnown) {
      response.writeHead(404).end();
      return;
    }
    const headers = { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' };
    response.writeHead(200, headers).end(composeMetrics(node, connections));
  });
  return {
    connections,
    run: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          const address = server.address();
          const found = typeof address === 'object' ? (address?.port ?? port) : port;
          resolve(`${urlOf(host, found)}/metrics`);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
