import { isIP } from 'node:net';
import envPaths from 'env-paths';
import { asUsage, commandProblem } from './errors.ts';

/** A command-line setting. The parser and the help use it, and a test checks the README. */
export type Setting = {
  /** The option in the syntax of commander. */
  readonly flag: string;
  readonly env?: string;
  /** The default, as text for the help. */
  readonly defaultText: string;
  readonly help: string;
};

export const settings = {
  home: {
    flag: '--home <dir>',
    env: 'CLUB_EVENTS_HOME',
    defaultText: "the platform's application-data folder",
    help: 'the data directory',
  },
  json: {
    flag: '--json',
    defaultText: 'text',
    help: 'print a machine-readable result',
  },
  port: {
    flag: '--port <number>',
    defaultText: '28470',
    help: 'the port to listen on; 0 picks a free one',
  },
  host: {
    flag: '--host <address>',
    defaultText: '127.0.0.1',
    help: 'the address to listen on; an address that other machines can reach needs --public-url',
  },
  publicUrl: {
    flag: '--public-url <url>',
    defaultText: 'none',
    help: 'the URL under which other machines reach the service',
  },
  allowOrigin: {
    flag: '--allow-origin <url>',
    defaultText: 'none',
    help: 'an origin whose pages may read here, such as https://example.org; may be repeated',
  },
  syncEvery: {
    flag: '--sync-every <minutes>',
    defaultText: '15',
    help: 'the time between two syncs with an online service; 0 for none',
  },
  hub: {
    flag: '--hub',
    defaultText: 'off',
    help: 'serve as a node of a hub: fill this data directory from its record and follow it',
  },
  maxLag: {
    flag: '--max-lag <minutes>',
    defaultText: '15',
    help: 'the time without the record of the hub after which requests are refused',
  },
  metrics: {
    flag: '--metrics <address>',
    defaultText: 'none',
    help: 'also serve the metrics of a node here, such as 127.0.0.1:9100; without a key',
  },
  acceptRecord: {
    flag: '--accept-record',
    defaultText: 'off',
    help: 'accept a record of the hub that is older than the last one, after a restore',
  },
  demo: {
    flag: '--demo',
    defaultText: 'off',
    help: 'serve a separate demo club, with a new key at each start',
  },
} as const satisfies Record<string, Setting>;

export const defaultPort = Number(settings.port.defaultText);
export const defaultHost = settings.host.defaultText;
export const defaultSyncMinutes = Number(settings.syncEvery.defaultText);
export const defaultMaxLag = Number(settings.maxLag.defaultText);

/**
 * Returns the data directory: the option, else the environment variable, else the default. Throws
 * `home_empty` for an option that is empty, as by a variable of a script that is not set.
 */
export function chooseHome(option: string | undefined, env: NodeJS.ProcessEnv): string {
  if (option === '') throw asUsage(commandProblem('home_empty'));
  // An empty variable is one that is not set: Windows has no other.
  return option ?? (env[settings.home.env] || envPaths('club-events', { suffix: '' }).data);
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw asUsage(commandProblem('port_invalid', { text }));
  return port;
}

/** Parses the minutes between two syncs. Throws `wrong_usage`. */
export function parseSyncEvery(text: string): number {
  const minutes = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(minutes <= 10_080)) throw asUsage(commandProblem('sync_every_invalid', { text }));
  return minutes;
}

/** Parses the minutes that a node may answer without its record. Throws `wrong_usage`. */
export function parseMaxLag(text: string): number {
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(minutes >= 1 && minutes <= 1_440))
    throw asUsage(commandProblem('max_lag_invalid', { text }));
  return minutes;
}

/** The address of a server. */
export type ListenAddress = { readonly host: string; readonly port: number };

/** Parses an address such as `127.0.0.1:9100` or `[::1]:9100`. Throws `wrong_usage`. */
export function parseMetrics(text: string): ListenAddress {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const isHost = host.includes(':') ? isIP(name) === 6 && name !== host : name !== '';
  if (!isHost || Number(port) > 65_535 || port === '')
    throw asUsage(commandProblem('metrics_invalid', { text }));
  return { host: name, port: Number(port) };
}

const hour = 3_600_000;
const durationUnits: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: hour };

/** Parses the time between two pushes, such as `30s`; returns milliseconds. Throws `wrong_usage`. */
export function parseEvery(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const duration = Number(number) * (durationUnits[unit] ?? 0);
  if (duration < 1_000 || duration > 24 * hour)
    throw asUsage(commandProblem('every_invalid', { text }));
  return duration;
}

/** Parses an http(s) URL without path, query, fragment and user. Throws `wrong_usage`. */
function parseOriginUrl(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) {
    throw asUsage(commandProblem('origin_invalid', { option, text }));
  }
  return url;
}

export function parsePublicUrl(text: string): URL {
  return parseOriginUrl('--public-url', text);
}

export function parseAllowedOrigin(text: string): string {
  return parseOriginUrl('--allow-origin', text).origin;
}

/** Returns true for an address or the host of a URL that only this computer can reach. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1' || host === '[::1]') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/** Returns the URL of a server at a host name or address. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns true for the base URL of a service whose keys cross the network in the clear. */
export function isUnencrypted({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/** Throws `wrong_usage` if other machines can reach the host and there is no public URL. */
export function requirePublicUrl(host: string, publicUrl: URL | undefined): void {
  if (isLoopback(host) || publicUrl !== undefined) return;
  throw asUsage(commandProblem('public_url_missing', { host }));
}
