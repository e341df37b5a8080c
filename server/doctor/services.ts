import { lookup } from 'node:dns/promises';
import net, { isIPv6 } from 'node:net';
import { z } from 'zod';
import { defaultPort, isLoopback, isUnencrypted } from '../base/settings.ts';
import { version as ownVersion, serviceName } from '../base/version.ts';
import { message } from '../messages/message.ts';
import { askHealth, askService, type Reply, requestTimeout } from '../service/health.ts';
import { examineEntry, type FoundService, readEntries } from '../service/registration.ts';
import { type Case, type Findings, ok, trouble, warning } from './finding.ts';
import { findPortOwner } from './port-owner.ts';

const Health = z.object({ service: z.literal(serviceName), version: z.string() });

/** Returns the version in the answer of a Club Events service; undefined for any other answer. */
function versionIn(reply: Reply | undefined): string | undefined {
  if (reply?.kind !== 'answer') return undefined;
  try {
    return Health.safeParse(JSON.parse(reply.body)).data?.version;
  } catch {
    // Another program answers, and not with JSON.
    return undefined;
  }
}

/** Finds the services of a `service.json`. Returns undefined if the file cannot be understood. */
export async function findServiceStates(path: string): Promise<FoundService[] | undefined> {
  const entries = readEntries(path);
  return entries && (await Promise.all(entries.map(examineEntry)));
}

/** Returns the service that scripts of this data directory reach, and not that of a demo. */
export function ownService({ services }: Case): FoundService | undefined {
  return services.find(({ state, demo }) => state === 'running' && !demo);
}

/** Examines the services of the data directory. */
export function probeServices({ services, home }: Case): Findings {
  const running = services.filter(({ state }) => state === 'running');
  const own = running.filter(({ demo }) => !demo);
  const silent = services.filter(({ state }) => state === 'silent');
  const findings = silent.map(({ localUrl, pid }) =>
    trouble('service_silent', { url: localUrl, pid }),
  );
  const [first] = own;
  if (own.length > 1) {
    const urls = own.map(({ baseUrl }) => baseUrl);
    return [...findings, warning('service_several', { count: own.length, urls })];
  }
  if (first !== undefined) {
    const url = first.baseUrl;
    const isPublic = URL.canParse(url) && isUnencrypted(new URL(url));
    const risks = isPublic ? [warning('public_unencrypted', { url })] : [];
    return [...findings, ok('service_runs', { url }), ...risks];
  }
  const [demo] = running;
  if (demo !== undefined) return [...findings, trouble('service_demo', { url: demo.baseUrl })];
  if (silent.length > 0) return findings;
  const [stale] = services;
  if (stale === undefined) return [trouble('service_none', { home: home.directory })];
  return [trouble('service_stale', { path: home.registration, pid: stale.pid })];
}

/** Compares the version of the running service with this one. */
export function probeVersion(given: Case): Findings {
  const own = ownService(given);
  const version = versionIn(own?.reply);
  if (own === undefined || version === undefined || version === ownVersion) return [];
  return [warning('service_other_version', { url: own.baseUrl, version, own: ownVersion })];
}

const unknownNames = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

/** Codes with which a firewall refuses a connection. A silent one lets it time out. */
const blocked = new Set(['EACCES', 'EPERM', 'ECONNABORTED']);

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

/** Returns true for a service that does not know the name in an address. `/health` answers any name. */
async function isNameRefused(address: URL, reply: Reply): Promise<boolean> {
  if (versionIn(reply) === undefined) return false;
  const answer = await askService(new URL('/v1', address), {});
  return answer.kind === 'answer' && answer.status === 421;
}

/** Examines the address of the script, or else the usual one. */
export async function probeAddress(given: Case): Promise<Findings> {
  const { address, isAddressGiven, services, platform } = given;
  const own = ownService(given);
  const url = own?.baseUrl ?? '';
  const values = { address: address.origin, host: address.hostname, url };
  const { reply, responderOf } = await askHealth(address);
  const answering = services.find((service) => responderOf(service) !== 'other');
  // Elsewhere, a proxy or a router may stand before the service.
  const isRelayed = answering && responderOf(answering) === 'relay' && isLoopback(address.hostname);
  if (answering !== undefined && !isRelayed) {
    return isAddressGiven && !answering.demo ? [ok('address_answers', values)] : [];
  }
  const isElsewhere = own !== undefined && !isAddressGiven;
  // The usual address is one of this computer, as `localUrl` is.
  const findings = isElsewhere
    ? [warning('service_other_port', { url: own.localUrl, port: defaultPort })]
    : [];
  // A program on the usual port does not matter to a service on another port.
  const report = isElsewhere ? warning : trouble;
  if (reply.kind === 'failure') {
    if (unknownNames.has(reply.code)) return [trouble('address_unknown', values)];
    if (unreachable.has(reply.code)) {
      return isAddressGiven && own ? [trouble('address_elsewhere', values)] : findings;
    }
    if (services.some(({ state, localUrl }) => state === 'silent' && localUrl === address.origin)) {
      return findings;
    }
    const isDropped = reply.code === 'timeout' && !isLoopback(address.hostname);
    if (blocked.has(reply.code) || isDropped) {
      return [trouble('address_blocked', { ...values, port: portOf(address) })];
    }
    if (address.protocol === 'https:' && own !== undefined) {
      return [trouble('address_https', values)];
    }
  } else if (await isNameRefused(address, reply)) {
    return [trouble('host_refused', values)];
  } else if (answering !== undefined) {
    const taken = { address: address.host, url: answering.baseUrl };
    return [...findings, report('localhost_taken', taken)];
  } else if (versionIn(reply) !== undefined) {
    return [...findings, report('port_other_data', values)];
  }
  const port = portOf(address);
  const program = (await findPortOwner(port, platform)) ?? message('value:another_program');
  return [...findings, report('port_program', { port, program })];
}

/** Returns true if a program accepts connections at an address. */
function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: requestTimeout });
    const end = (listens: boolean) => {
      socket.destroy();
      resolve(listens);
    };
    socket.on('connect', () => end(true));
    socket.on('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}

/** Returns the listener at an address, on the port of a service. */
async function listenerAt(address: string, own: FoundService): Promise<'own' | 'other' | 'none'> {
  const { host } = new URL(own.localUrl);
  const url = new URL(own.localUrl);
  url.hostname = isIPv6(address) ? `[${address}]` : address;
  if (!(await isListening(address, portOf(url)))) return 'none';
  // With the service's own name, as it may not accept this one.
  const { responderOf } = await askHealth(url, { Host: host });
  return responderOf(own) === 'service' ? 'own' : 'other';
}

/**
 * Checks that `localhost`, which many scripts use, leads to the service and to no other program. Both
 * of its usual addresses count: programs differ in those that they try, and in the order.
 */
export async function probeLocalhost(given: Case): Promise<Findings> {
  const own = ownService(given);
  if (own === undefined) return [];
  const found = await lookup('localhost', { all: true }).catch(() => []);
  const addresses = found.map(({ address }) => address);
  const all = [...new Set([...addresses, '127.0.0.1', '::1'])];
  const listeners = await Promise.all(all.map((address) => listenerAt(address, own)));
  const taken = all.find((_, index) => listeners[index] === 'other');
  if (taken !== undefined) {
    const address = `${isIPv6(taken) ? `[${taken}]` : taken}:${portOf(new URL(own.localUrl))}`;
    return [trouble('localhost_taken', { address, url: own.baseUrl })];
  }
  if (listeners.slice(0, addresses.length).includes('own')) return [ok('localhost_safe')];
  return [warning('localhost_elsewhere', { addresses, url: own.localUrl })];
}

const proxyVariables = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];
const localNames = ['127.0.0.1', 'localhost', '127.0.0.0/8', '*'];

/** Looks for a proxy that would receive the requests of scripts. Never returns its address. */
export function probeProxy({ env }: Case): Findings {
  const variable = proxyVariables.find((name) => env[name]);
  if (variable === undefined) return [ok('proxy_none')];
  const exceptions = `${env['no_proxy'] ?? ''},${env['NO_PROXY'] ?? ''}`.split(/[\s,]+/);
  if (exceptions.some((name) => localNames.includes(name))) return [ok('proxy_none')];
  return [warning('proxy_set', { variable })];
}
