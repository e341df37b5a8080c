/** Collects the neighbourhoods of the bytes beyond ASCII of a text, which tell encodings apart. */
export type Sampler = { take(chunk: Uint8Array): void; taken(): Buffer };

const sampleLength = 65_536;
const neighbours = 8;
const blank = 0x20;

export function createSampler(): Sampler {
  const sample = Buffer.alloc(sampleLength);
  let length = 0;
  /** The last bytes that were left out, in a ring. */
  const before = new Uint8Array(neighbours);
  let leftOut = 0;
  /** The number of bytes that the last neighbourhood still needs. */
  let wanted = 0;

  const add = (byte: number) => {
    if (length < sampleLength) sample[length] = byte;
    length += 1;
  };

  const begin = () => {
    if (leftOut > neighbours && length > 0) add(blank);
    for (let back = Math.min(leftOut, neighbours); back > 0; back -= 1) {
      add(before[(leftOut - back) % neighbours] ?? blank);
    }
    leftOut = 0;
  };

  return {
    take: (chunk) => {
      if (length >= sampleLength) return;
      for (const byte of chunk) {
        if (byte >= 0x80) {
          if (wanted === 0) begin();
          wanted = neighbours + 1;
        }
        if (wanted > 0) {
          add(byte);
          wanted -= 1;
        } else {
          before[leftOut % neighbours] = byte;
          leftOut += 1;
        }
      }
    },
    taken: () => sample.subarray(0, Math.min(length, sampleLength)),
  };
}
