import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';

/** The fuses that are on in a packed application; the others are off. */
export const fusesThatAreOn = [
  'EnableEmbeddedAsarIntegrityValidation',
  'OnlyLoadAppFromAsar',
  // The ninth, which @electron/fuses does not know yet: it is left as Electron has it.
  'fuse 8',
];

/** Reads the names of the fuses that are on in a program. */
export async function readFuses(path: string): Promise<readonly string[]> {
  const { version: _, ...fuses } = await getCurrentFuseWire(path);
  return Object.entries(fuses)
    .filter(([, state]) => state === '1'.charCodeAt(0))
    .map(([fuse]) => FuseV1Options[Number(fuse)] ?? `fuse ${fuse}`);
}
