import { crc32, deflateRawSync } from 'node:zlib';

/** The parts of a ZIP file by path. */
export type ZipParts = Readonly<Record<string, string | Uint8Array>>;

/** Headers that differ from the content, as in a damaged or hostile file. */
type Lies = { readonly size?: number };

/** Packs parts into a ZIP file, in their order. */
export function zip(parts: ZipParts, lies: Readonly<Record<string, Lies>> = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(parts)) {
    const name = Buffer.from(path);
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes, { level: 1 });
    // Version, flags (names in UTF-8), method, time and date.
    const common = Buffer.from('14000008080000002100', 'hex');
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(crc32(bytes), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(lies[path]?.size ?? bytes.length, 8);
    sizes.writeUInt16LE(name.length, 12);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, sizes, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, sizes, place, name]),
    );
    files.push(file);
    offset += file.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, index, end]);
}
