/** Collects the non-ASCII bytes of a text with their neighbours, to detect its encoding. */
export type Sampler = { take(chunk: Uint8Array): void; result(): Buffer };

const sampleLength = 65_536;
const neighbours = 8;
const blank = 0x20;

export function createSampler(): Sampler {
  const sample = Buffer.alloc(sampleLength);
  let length = 0;
  /** Ring buffer of the last bytes that were left out. */
  const before = new Uint8Array(neighbours);
  let leftOut = 0;
  /** Number of bytes that the current neighbourhood still needs. */
  let remaining = 0;

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
          if (remaining === 0) begin();
          remaining = neighbours + 1;
        }
        if (remaining > 0) {
          add(byte);
          remaining -= 1;
        } else {
          before[leftOut % neighbours] = byte;
          leftOut += 1;
        }
      }
    },
    result: () => sample.subarray(0, Math.min(length, sampleLength)),
  };
}
