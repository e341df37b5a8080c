import { createHmac, randomBytes } from 'node:crypto';

/** Header of `GET /health` that asks a service to prove that it wrote an entry of `service.json`. */
export const challengeHeader = 'club-events-challenge';

/** Header of the answer: proof of the service. A relay passes it on. */
const proofHeader = 'club-events-proof';

/** Header of the answer: proof of the service and of the address that received the request. */
const addressProofHeader = 'club-events-address-proof';

const challengeForm = /^[\w-]{32,64}$/;

export function composeChallenge(): string {
  return randomBytes(24).toString('base64url');
}

/** The service's end of a connection. */
export type ServiceEnd = {
  readonly address: string | undefined;
  readonly port: number | undefined;
};

/** Composes the headers that answer a challenge: HMACs in base64url, or none if it is malformed. */
export function composeProofs(
  secret: string,
  challenge: string,
  { address = '', port }: ServiceEnd,
): Readonly<Record<string, string>> {
  if (!challengeForm.test(challenge)) return {};
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');
  // A server that listens on all addresses has IPv4 addresses in the form of IPv6.
  const end = `${address.replace(/^::ffff:/, '')} ${port}`;
  return { [proofHeader]: sign(challenge), [addressProofHeader]: sign(`${challenge} ${end}`) };
}

/** The program at an address: the service of a secret, one that passes requests on to it, or another. */
export type Responder = 'service' | 'relay' | 'other';

/** Returns the program that sent the answer to a challenge from an address. */
export function findResponder(
  headers: Readonly<Record<string, unknown>>,
  secret: string,
  challenge: string,
  end: ServiceEnd,
): Responder {
  const proofs = Object.entries(composeProofs(secret, challenge, end));
  const proven = proofs.filter(([name, proof]) => headers[name] === proof);
  if (proven.length === 0) return 'other';
  return proven.length === proofs.length ? 'service' : 'relay';
}
