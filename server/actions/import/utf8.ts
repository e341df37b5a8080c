import { isUtf8 } from 'node:buffer';
import { badSource } from './source.ts';

/** Decodes UTF-8 with or without a byte order mark. Throws `bad_input` for other bytes. */
export async function* decodeUtf8(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw badSource(file, undefined, 'the file is not UTF-8 text; save it again as UTF-8');
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** Counts the bytes of an incomplete UTF-8 character at the end. */
function incompleteLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? back : 0;
  }
  return 0;
}

/** Creates a check for valid UTF-8 in the pieces of a file; a character may span two pieces. */
export function createUtf8Check(): { push: (chunk: Uint8Array) => void; end: () => boolean } {
  let valid = true;
  let carry: Uint8Array = new Uint8Array();
  return {
    push: (chunk) => {
      if (!valid) return;
      const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
      const whole = bytes.length - incompleteLength(bytes);
      valid = isUtf8(bytes.subarray(0, whole));
      // Copy the bytes, because the buffer of the piece may be reused.
      carry = Uint8Array.from(bytes.subarray(whole));
    },
    end: () => valid && carry.length === 0,
  };
}
