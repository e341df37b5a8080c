import { createHmac } from 'node:crypto';

/** Headers of `GET /health` that prove that a service wrote an entry of `service.json`. */
export const challengeHeader = 'club-events-challenge';
export const proofHeader = 'club-events-proof';

const challengeForm = /^[\w-]{32,64}$/;

/** Returns the HMAC of a challenge, in base64url; undefined if the challenge is malformed. */
export function composeProof(secret: string, challenge: string): string | undefined {
  if (!challengeForm.test(challenge)) return undefined;
  return createHmac('sha256', secret).update(challenge).digest('base64url');
}
