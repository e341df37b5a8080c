import { badSource } from './source.ts';

/** Decodes UTF-8 with or without a byte order mark; other bytes are refused, never replaced. */
export async function* decodeUtf8(
  bytes: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const refuse = () =>
    badSource(file, undefined, 'the file is not UTF-8 text; save it again as UTF-8');
  let decoded: string;
  for await (const chunk of bytes) {
    try {
      decoded = decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw error instanceof TypeError ? refuse() : error;
    }
    yield decoded;
  }
  try {
    decoded = decoder.decode();
  } catch (error) {
    throw error instanceof TypeError ? refuse() : error;
  }
  yield decoded;
}
