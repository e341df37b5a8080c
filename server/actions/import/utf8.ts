import { badSource } from './source.ts';

/** Decodes UTF-8 with or without a byte order mark; other bytes are refused, never replaced. */
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
