import { hash } from 'node:crypto';

/** Formats of sealed files, as their member `format` names them. */
export const sealedFormats = {
  copy: 'club-events-copy',
  proposals: 'club-events-proposals',
} as const;

/** Returns the format that a text names, whether or not it is whole. */
export function findSealedFormat(text: string): keyof typeof sealedFormats | undefined {
  // Quotes inside a value are escaped, so that no event can name a format.
  const [, name] = /"format"\s*:\s*"([a-z-]{1,50})"/.exec(text) ?? [];
  if (name === sealedFormats.copy) return 'copy';
  return name === sealedFormats.proposals ? 'proposals' : undefined;
}

/** The end of a sealed text: the SHA-256 of everything before it. */
const ending = /,\n"sha256":"([0-9a-f]{64})"\}\n$/;
const endingLength = ',\n"sha256":""}\n'.length + 64;

/** Ends a JSON object, of which only the last brace is missing. It can stand in a script element. */
export function seal(text: string): string {
  const safe = text.replaceAll('<', '\\u003c');
  return `${safe},\n"sha256":"${hash('sha256', safe)}"}\n`;
}

/** Returns the content of a sealed text; undefined if one byte of it is missing or differs. */
export function readSealed(text: string): unknown {
  const [found, sha256] = ending.exec(text.slice(-endingLength)) ?? [];
  if (found === undefined || hash('sha256', text.slice(0, -endingLength)) !== sha256) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    // Not written by this program: its digest would differ.
    return undefined;
  }
}
