import type { AgentOptions } from 'node:https';
import tls from 'node:tls';
import { isLoopback } from './settings.ts';

/** The codes of OpenSSL and Node.js for certificates that do not prove the identity of a server. */
export const certificateError =
  /CERT|SIGNATURE|CRL|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH/;

/** Trusts the authorities of Node.js and those of the system. */
function createTrust(): tls.SecureContext {
  const authorities = [...tls.getCACertificates('default'), ...tls.getCACertificates('system')];
  return tls.createSecureContext({ ca: [...new Set(authorities)] });
}

/**
 * Returns the options of connections to another computer: its certificate must prove its identity,
 * and the proxy of the environment applies. This machine is never reached through a proxy.
 */
export function outwardOptions({ hostname, protocol }: URL, env: NodeJS.ProcessEnv): AgentOptions {
  return {
    proxyEnv: isLoopback(hostname) ? {} : env,
    secureContext: protocol === 'https:' ? createTrust() : undefined,
    rejectUnauthorized: true,
  };
}
