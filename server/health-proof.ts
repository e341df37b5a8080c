import { createHmac } from 'node:crypto';

/** Headers of `GET /health` by which a service proves that it wrote an entry of `service.json`. */
export const challengeHeader = 'club-events-challenge';
export const proofHeader = 'club-events-proof';

const challengeForm = /^[\w-]{32,64}$/;

/** Returns the answer to a challenge, which only holders of the secret know, if it is well-formed. */
export function composeProof(secret: string, challenge: string): string | undefined {
  if (!challengeForm.test(challenge)) return undefined;
  return createHmac('sha256', secret).update(challenge).digest('base64url');
}
