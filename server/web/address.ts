import { BlockList, isIP } from 'node:net';
import { asUsage, problem } from '../base/errors.ts';
import { isLoopback } from '../base/settings.ts';
import type { MessageValues, ProblemCode } from '../messages/message.ts';

/** Places to which http may lead: others on the way can read and change what it carries. */
export type Unencrypted = 'anywhere' | 'this computer' | 'nowhere';

/** The rules of an address that a person enters, with the problem of each breach. */
export type AddressRules = {
  /** The argument of an action that is the address. */
  readonly field?: string;
  readonly http: Unencrypted;
  readonly invalid: ProblemCode;
  /** The problem of a user or a password; by default, `invalid`. */
  readonly credentials?: ProblemCode;
  /** The problem of http where it may not lead, with the value `host`; by default, `invalid`. */
  readonly insecure?: ProblemCode;
  /** The problem of a query or a fragment, which are allowed without it. */
  readonly query?: ProblemCode;
};

/** Returns a URL of the web; null for any other text. Calendars are often given as webcal, which is https. */
export function parseWebUrl(text: string): URL | null {
  const url = URL.parse(text.trim().replace(/^webcals?:/i, 'https:'));
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/** Returns true if the rule about http allows a URL. */
export function isEncryptedEnough({ protocol, hostname }: URL, http: Unencrypted): boolean {
  if (protocol === 'https:' || http === 'anywhere') return true;
  return http === 'this computer' && isLoopback(hostname);
}

/**
 * Returns an address that a person entered. Throws the problem of the rule that it breaks, which never
 * repeats the address: a part of it may be a secret.
 */
export function parseAddress(text: string, rules: AddressRules): URL {
  const { field = '', http, invalid, credentials = invalid, insecure = invalid, query } = rules;
  const url = parseWebUrl(text);
  const refuse = (code: ProblemCode, values: MessageValues = {}) =>
    asUsage(problem(code, { field, ...values }));
  if (url === null) throw refuse(invalid);
  // A user name before the host can also disguise the host.
  if (url.username !== '' || url.password !== '') throw refuse(credentials);
  if (query !== undefined && /[?#]/.test(url.href)) throw refuse(query);
  if (!isEncryptedEnough(url, http)) throw refuse(insecure, { host: url.host });
  return url;
}

/** The longest name of a file in an address that is shown; a longer one may be a secret. */
const maxNameLength = 40;

/** Returns the host and the name of the file of an address, of which other parts may be secret. */
export function labelOfAddress({ host, pathname }: URL): string {
  const [name = ''] = /[^/]+\.\w{2,5}$/.exec(pathname) ?? [];
  if (name === '' || name.length > maxNameLength) return host;
  return pathname === `/${name}` ? `${host}${pathname}` : `${host}/…/${name}`;
}

/** Addresses of this computer and of local networks. IPv4 addresses within IPv6 count, too. */
const privateAddresses = new BlockList();
const privateSubnets = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const;
for (const [subnet, length] of privateSubnets) {
  privateAddresses.addSubnet(subnet, length, isIP(subnet) === 4 ? 'ipv4' : 'ipv6');
}

/** Returns true for a name of this computer, whatever finds an address for it (RFC 6761 section 6.3). */
export const isLocalName = (hostname: string): boolean => /(?:^|\.)localhost\.?$/i.test(hostname);

/** Returns true for an IP address that the internet does not reach; false for a name. */
export function isPrivate(address: string): boolean {
  const bare = address.replace(/^\[|\]$|%.*$/g, '');
  const family = isIP(bare);
  return family !== 0 && privateAddresses.check(bare, family === 4 ? 'ipv4' : 'ipv6');
}
