import type { SourceFile } from '../source.ts';
import { type Fingerprint, openAgain } from './survey.ts';

/** What a file that is not plain UTF-8 is made of, counted over the whole of it. */
export type Census = {
  /** How often each byte stands at an even and at an odd place. */
  readonly even: Float64Array;
  readonly odd: Float64Array;
  /** Sequences that have the form of a UTF-8 character beyond ASCII, and bytes that do not. */
  readonly sequences: number;
  readonly strays: number;
  /** Bytes beyond ASCII that follow two others: letters of words in another script than Latin. */
  readonly inRuns: number;
  /** The neighbourhoods of bytes beyond ASCII, for a detector of languages. */
  readonly sample: Buffer;
};

const sampleLength = 65_536;
const neighbours = 8;

/** Collects the neighbourhoods of bytes beyond ASCII, which alone tell encodings apart. */
function createSampler() {
  const sample = Buffer.alloc(sampleLength);
  let length = 0;
  return {
    take: (chunk: Buffer): void => {
      let end = 0;
      for (let at = 0; at < chunk.length && length < sampleLength; at += 1) {
        if ((chunk[at] ?? 0) < 0x80) continue;
        const start = Math.max(end, at - neighbours);
        end = Math.min(chunk.length, at + neighbours + 1);
        length += chunk.copy(sample, length, start, end);
        at = end - 1;
      }
    },
    taken: () => sample.subarray(0, length),
  };
}

/** Counts what has the form of a UTF-8 character: a leading byte and as many more as it says. */
function createSequenceCounter() {
  let sequences = 0;
  let strays = 0;
  let wanted = 0;
  let had = 0;
  return {
    take: (byte: number): void => {
      if (wanted > 0 && (byte & 0xc0) === 0x80) {
        had += 1;
        if (had < wanted) return;
        sequences += 1;
        wanted = 0;
        return;
      }
      if (wanted > 0) strays += had;
      wanted = byte >= 0xc2 && byte < 0xf5 ? (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) : 0;
      had = 1;
      if (wanted === 0 && byte >= 0x80) strays += 1;
    },
    counted: () => ({ sequences, strays: wanted > 0 ? strays + had : strays }),
  };
}

/** Counts the bytes of a file. Throws `bad_input` when it is no longer what it was. */
export async function countBytes(file: SourceFile, fingerprint: Fingerprint): Promise<Census> {
  const even = new Float64Array(256);
  const odd = new Float64Array(256);
  const sampler = createSampler();
  const counter = createSequenceCounter();
  let place = 0;
  let run = 0;
  let inRuns = 0;
  for await (const chunk of openAgain(file, fingerprint)) {
    sampler.take(chunk);
    for (const byte of chunk) {
      const counts = place % 2 === 0 ? even : odd;
      counts[byte] = (counts[byte] ?? 0) + 1;
      place += 1;
      run = byte < 0x80 ? 0 : run + 1;
      if (run > 2) inRuns += 1;
      counter.take(byte);
    }
  }
  return { even, odd, ...counter.counted(), inRuns, sample: sampler.taken() };
}

/** How often a byte stands in the file. */
export function countOf({ even, odd }: Census, byte: number): number {
  return (even[byte] ?? 0) + (odd[byte] ?? 0);
}
