import { useEffect, useState } from 'react';

/** A picture as it is stored, small enough for the storage of a browser. */
export type Logo = {
  /** The file as Base64. */
  readonly data: string;
  readonly mediaType: string;
};

export type LogoProblem = 'logoTooLarge' | 'logoUnreadable';

/** Pixels along the longer side. */
const maxSide = 512;
const smallerSides = [maxSide, 384, 256, 192];
const maxStoredBytes = 200_000;
const maxFileBytes = 20_000_000;
const storedTypes = ['image/png', 'image/webp'];

export const logoFiles = '.png,.jpg,.jpeg,.svg,.webp';

/** Parses a stored logo; null if it is none. */
export function parseLogo(value: unknown): Logo | null {
  const { data, mediaType }: Partial<Record<keyof Logo, unknown>> = Object(value);
  const isLogo =
    typeof data === 'string' &&
    /^[\w+/]+=*$/.test(data) &&
    data.length < 2 * maxStoredBytes &&
    typeof mediaType === 'string' &&
    storedTypes.includes(mediaType);
  return isLogo ? { data, mediaType } : null;
}

/** Decodes a picture. Rejects if it is none. */
async function decode(file: Blob): Promise<HTMLImageElement> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function scale(image: HTMLImageElement, side: number, isVector: boolean): HTMLCanvasElement {
  // A vector picture may have no size.
  const [width, height] = [image.naturalWidth || side, image.naturalHeight || side];
  const factor = side / Math.max(width, height);
  const canvas = document.createElement('canvas');
  const limited = isVector ? factor : Math.min(1, factor);
  canvas.width = Math.max(1, Math.round(width * limited));
  canvas.height = Math.max(1, Math.round(height * limited));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function toBlob(canvas: HTMLCanvasElement, mediaType: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, mediaType, 0.9));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Reads a picture and scales it down for storage; returns the problem if that fails. */
export async function readLogo(file: File): Promise<Logo | LogoProblem> {
  if (file.size > maxFileBytes) return 'logoTooLarge';
  const image = await decode(file).catch(() => undefined);
  if (image === undefined) return 'logoUnreadable';
  for (const side of smallerSides) {
    const canvas = scale(image, side, file.type === 'image/svg+xml');
    for (const mediaType of storedTypes) {
      const blob = await toBlob(canvas, mediaType);
      // A browser that cannot write a format writes PNG.
      if (blob && blob.size <= maxStoredBytes && blob.type === mediaType) {
        return { data: toBase64(new Uint8Array(await blob.arrayBuffer())), mediaType };
      }
    }
  }
  // No pixels at all, or more than the browser can draw.
  return 'logoTooLarge';
}

async function decodeLogo({ data, mediaType }: Logo): Promise<HTMLImageElement> {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return decode(new Blob([bytes], { type: mediaType }));
}

/** Decodes a stored logo for drawing; null without one, undefined until it is decoded. */
export function useLogoImage(logo: Logo | null): HTMLImageElement | null | undefined {
  const [decoded, setDecoded] = useState<
    { of: Logo; image: HTMLImageElement | null } | undefined
  >();
  useEffect(() => {
    if (logo === null) return;
    let isCurrent = true;
    const set = (image: HTMLImageElement | null) => isCurrent && setDecoded({ of: logo, image });
    // A damaged stored picture is left out.
    decodeLogo(logo).then(set, () => set(null));
    return () => {
      isCurrent = false;
    };
  }, [logo]);
  if (logo === null) return null;
  return decoded?.of === logo ? decoded.image : undefined;
}
