import { createMaintenance } from '../actions/maintenance.ts';
import { createOutsideWork } from '../actions/outside-work.ts';
import { asUsage, commandProblem, type Problem } from '../base/errors.ts';
import { homeAt } from '../base/home.ts';
import {
  defaultHost,
  defaultMaxLag,
  defaultPort,
  defaultSyncMinutes,
  isLoopback,
  isUnencrypted,
  type ListenAddress,
  requirePublicUrl,
} from '../base/settings.ts';
import type { ActionTools } from '../club/tools.ts';
import { minuteMs } from '../dates/units.ts';
import { loadWriters } from '../export/list-writers.ts';
import type { HubNode } from '../hub/node.ts';
import { message } from '../messages/message.ts';
import { createMissedIds } from '../mirror/scheduler.ts';
import { findServices, isServiceAt } from '../service/registration.ts';
import {
  createService,
  isPortUnavailable,
  listenError,
  localUrlOf,
  type ServiceSettings,
  type ServiceTools,
  startOnPort,
} from '../service/service.ts';
import { type Output, wordForTerminal } from './output.ts';
import { loadWords } from './results/text.ts';
import { nextSignal } from './signals.ts';

export type ServeOptions = {
  readonly port?: number;
  readonly host?: string;
  readonly publicUrl?: URL;
  readonly allowOrigin?: readonly string[];
  /** Minutes between two syncs; 0 for none. */
  readonly syncEvery?: number;
  /** True for a node of a hub. */
  readonly hub?: boolean;
  /** Minutes without the record after which a node refuses requests. */
  readonly maxLag?: number;
  /** The address of the metrics of a node. */
  readonly metrics?: ListenAddress;
  /** True to accept a record that is older than the last one. */
  readonly acceptRecord?: boolean;
  readonly demo?: boolean;
};

type Tools = ActionTools & { readonly output: Output };

function settingsOf(options: ServeOptions, home: string): ServiceSettings {
  const { host = defaultHost, port = defaultPort, publicUrl, allowOrigin = [] } = options;
  requirePublicUrl(host, publicUrl);
  return { home, host, port, ...(publicUrl && { publicUrl }), allowedOrigins: allowOrigin };
}

/** Returns a curl command for the events, for pasting into a shell (on Windows too). */
export function curlLine(baseUrl: string, key: string, platform: NodeJS.Platform): string {
  const curl = platform === 'win32' ? 'curl.exe' : 'curl';
  // A proxy cannot reach the loopback address, and would receive the key.
  const noProxy = isLoopback(new URL(baseUrl).hostname) ? ' --noproxy "*"' : '';
  return `${curl}${noProxy} -H "Authorization: Bearer ${key}" ${baseUrl}/v1/events`;
}

/** Returns a link that signs in to the page. Browsers keep it, with the key, in their history. */
function pageLink(baseUrl: string, key: string): string {
  return `${baseUrl}/#key=${key}`;
}

async function announce(baseUrl: string, key: string | undefined, output: Output): Promise<void> {
  if (key === undefined) {
    await output.result({ baseUrl, pid: process.pid }, baseUrl);
    return;
  }
  const curl = curlLine(baseUrl, key, process.platform);
  const page = pageLink(baseUrl, key);
  const lines = [
    baseUrl,
    `Key: ${key}`,
    '',
    `In a browser: ${page}`,
    'Links with a key are for the demo club only: the browser keeps them in its history.',
    'This key ends with the service.',
    '',
    'In a terminal:',
    curl,
  ];
  await output.result({ baseUrl, pid: process.pid, key, curl, page }, lines.join('\n'));
}

/** Throws a specific error if Club Events itself uses the port, otherwise the original error. */
async function throwStartError(error: unknown, settings: ServiceSettings): Promise<never> {
  const { home, demoOf = home, host, port } = settings;
  const localUrl = localUrlOf(host, port);
  if (!isPortUnavailable(error) || !(await isServiceAt(localUrl))) throw error;
  const services = await findServices(homeAt(demoOf).registration);
  const own = services.find((service) => service.localUrl === localUrl);
  const code =
    own === undefined ? 'running_other_data' : own.demo ? 'running_demo' : 'running_this_data';
  throw commandProblem(code, { url: own?.baseUrl ?? localUrl }, error);
}

type ServingOptions = {
  readonly key?: string;
  readonly syncEvery?: number | undefined;
  readonly node?: HubNode | undefined;
  readonly connections?: ServiceTools['connections'] | undefined;
  /** The ports to try if that of the settings is taken. */
  readonly otherPorts?: readonly number[];
};

/** Runs the service until a signal; prints its address once it accepts requests. */
async function serveUntilSignal(
  settings: ServiceSettings,
  { key, syncEvery = defaultSyncMinutes, node, connections, otherPorts = [] }: ServingOptions,
  { output, now }: Tools,
  signal: Promise<void>,
): Promise<void> {
  const warn = (problem: Problem) => void wordForTerminal(problem).then(output.note);
  const others = await findServices(homeAt(settings.demoOf ?? settings.home).registration);
  const home = homeAt(settings.home);
  const missed = createMissedIds();
  const tools = {
    ...{ now, warn, loadWriters, onMiss: missed.note, node },
    ...(connections && { connections }),
  };
  const start = async (port: number) => {
    const started = createService({ ...settings, port }, tools);
    return { service: started, baseUrl: await started.run(), port };
  };
  const { service, baseUrl, port } = await startOnPort(start, [settings.port, ...otherPorts]).catch(
    (error) => throwStartError(error, settings),
  );
  const onDamage = service.markDamaged;
  const maintenance = createMaintenance({ home, onDamage, warn });
  const minutes = syncEvery === 0 ? null : syncEvery;
  const outside = createOutsideWork({ home, missed, minutes: () => minutes, warn });
  // A demo club lasts as long as its service, and the record of a hub has its own backups.
  if (settings.demoOf === undefined && node === undefined) {
    maintenance.run();
    outside.run();
  }
  try {
    await announce(baseUrl, key, output);
    if (port !== settings.port) {
      output.note(`Port ${settings.port} is taken; this demo uses port ${port}.`);
    }
    for (const { baseUrl: other } of others) {
      output.note(`Another service of this data directory runs at ${other}.`);
    }
    if (isUnencrypted(new URL(baseUrl))) {
      const word = await loadWords();
      output.note(word(message('finding:public_unencrypted', { url: baseUrl })));
    }
    output.note('Serving; Ctrl+C ends it.');
    await signal;
  } finally {
    // At once, so that each ends at its own next step.
    await Promise.all([outside.stop(), maintenance.stop()]);
    await service.stop();
  }
}

/** Runs a node of a hub: fills and follows its database beside the service. */
async function serveNode(
  settings: ServiceSettings,
  { maxLag = defaultMaxLag, metrics: address, acceptRecord = false }: ServeOptions,
  tools: Tools,
  signal: Promise<void>,
): Promise<void> {
  // Loaded on demand: no other service needs PostgreSQL.
  const { createNode } = await import('../hub/node.ts');
  const { createMetricsServer } = await import('../hub/metrics.ts');
  const { output } = tools;
  const node = createNode({
    home: tools.home,
    now: tools.now,
    maxLag: maxLag * minuteMs,
    acceptsRecord: acceptRecord,
    warn: (problem) => void wordForTerminal(problem).then(output.note),
  });
  const metrics = address && createMetricsServer(address, node);
  try {
    await node.run();
    if (metrics !== undefined && address !== undefined) {
      const url = await metrics.run().catch((error) => {
        throw listenError(error, address.host, address.port);
      });
      output.note(`Metrics: ${url}`);
    }
    const { connections } = metrics ?? {};
    await serveUntilSignal(settings, { node, connections }, tools, signal);
  } finally {
    await metrics?.stop();
    await node.stop();
  }
}

/** Runs the service in the foreground, for the user's data or for a demo club. */
export async function serve(options: ServeOptions, tools: Tools): Promise<void> {
  const settings = settingsOf(options, tools.home.directory);
  const signal = nextSignal();
  const { syncEvery, hub, demo: isDemo } = options;
  if (isDemo && hub) throw asUsage(commandProblem('hub_demo'));
  if (hub) return await serveNode(settings, options, tools, signal);
  const stray = options.metrics
    ? '--metrics'
    : options.acceptRecord
      ? '--accept-record'
      : undefined;
  if (stray !== undefined) throw asUsage(commandProblem('hub_options_of_node', { flag: stray }));
  if (!isDemo) return await serveUntilSignal(settings, { syncEvery }, tools, signal);
  const { createDemo } = await import('../club/demo.ts');
  const demo = await createDemo(tools);
  try {
    const demoSettings = { ...settings, home: demo.directory, demoOf: settings.home };
    // No script depends on the port of a demo, unless a person chose it.
    const next = Array.from({ length: 9 }, (_, index) => defaultPort + 1 + index);
    const otherPorts = options.port === undefined ? next : [];
    await serveUntilSignal(demoSettings, { key: demo.key, otherPorts }, tools, signal);
  } finally {
    demo.remove();
  }
}
