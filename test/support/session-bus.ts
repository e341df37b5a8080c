import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { onTestFinished } from 'vitest';

/** Starts a session bus for the running test; returns its address. */
export async function startSessionBus(): Promise<string> {
  const args = ['--session', '--nofork', '--print-address'];
  const daemon = spawn('dbus-daemon', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void daemon.kill());
  const [line] = await once(daemon.stdout, 'data');
  return String(line).trim();
}

// The little of the D-Bus Specification ("Message Protocol") that a watcher of icons needs.

/** A value and its alignment in a message. */
type Piece = { readonly align: number; readonly bytes: Buffer };

const bytes = (align: number, ...values: readonly number[]): Piece => {
  return { align, bytes: Buffer.from(values) };
};

function uint32(value: number): Piece {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return { align: 4, bytes: buffer };
}

const text = (value: string): readonly Piece[] => [
  uint32(Buffer.byteLength(value)),
  bytes(1, ...Buffer.from(value), 0),
];

const signature = (value: string) => bytes(1, value.length, ...Buffer.from(value), 0);

function pad(length: number, align: number): number {
  return Math.ceil(length / align) * align;
}

function join(pieces: readonly Piece[]): Buffer {
  return pieces.reduce((joined, { align, bytes: next }) => {
    const gap = Buffer.alloc(pad(joined.length, align) - joined.length);
    return Buffer.concat([joined, gap, next]);
  }, Buffer.alloc(0));
}

/** Makes an array; inside, no alignment may be larger than that of its elements. */
function array(align: number, elements: readonly Piece[]): readonly Piece[] {
  const content = join(elements);
  return [uint32(content.length), { align, bytes: content }];
}

const struct = bytes(8);

/** The fields of a header, by their codes. */
type Fields = Readonly<
  Partial<Record<number, readonly [type: string, ...value: readonly Piece[]]>>
>;

const kinds = { call: 1, reply: 2, error: 3 } as const;

let serials = 0;

function compose(kind: keyof typeof kinds, fields: Fields, body: readonly Piece[] = []): Buffer {
  serials += 1;
  const content = join(body);
  const entries = Object.entries(fields).flatMap(([code, [type, ...value] = ['']]) => [
    struct,
    bytes(1, Number(code)),
    signature(type),
    ...value,
  ]);
  const start = [bytes(1, 0x6c, kinds[kind], 0, 1), uint32(content.length), uint32(serials)];
  return Buffer.concat([join([...start, ...array(8, entries), struct]), content]);
}

/** A call that another program makes; its texts are the arguments. */
type Call = { readonly serial: number; readonly member: string; readonly sender: string };

type Received = Call & { readonly kind: number; readonly texts: readonly string[] };

function readText(message: Buffer, at: number): [value: string, end: number] {
  const start = pad(at, 4);
  const end = start + 4 + message.readUInt32LE(start);
  return [message.toString('utf8', start + 4, end), end + 1];
}

function parse(message: Buffer): Received {
  const fields = new Map<number, string>();
  const end = 16 + message.readUInt32LE(12);
  for (let at = 16; at < end; ) {
    at = pad(at, 8);
    const code = message.readUInt8(at);
    const type = message.toString('utf8', at + 2, at + 3);
    at += 4;
    if (type === 'u') at = pad(at, 4) + 4;
    else if (type === 'g') at += message.readUInt8(at) + 2;
    else {
      const [value, next] = readText(message, at);
      fields.set(code, value);
      at = next;
    }
  }
  const texts: string[] = [];
  const kind = message.readUInt8(1);
  // Calls of properties have texts only, as have the answers that are read here.
  for (let at = pad(end, 8); kind === kinds.call && at < message.length; ) {
    const [value, next] = readText(message, at);
    texts.push(value);
    at = next;
  }
  const names = { member: fields.get(3) ?? '', sender: fields.get(7) ?? '' };
  return { kind, serial: message.readUInt32LE(8), texts, ...names };
}

async function open(address: string): Promise<Socket> {
  const [, kind, path = ''] = /^unix:(path|abstract)=([^,]+)/.exec(address) ?? [];
  const socket = connect(kind === 'abstract' ? `\0${path}` : path);
  onTestFinished(() => void socket.destroy());
  const account = Buffer.from(String(process.getuid?.())).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${account}\r\n`);
  await once(socket, 'data');
  socket.write('BEGIN\r\n');
  return socket;
}

const bus = 'org.freedesktop.DBus';

const toBus = (member: string): Fields => ({
  1: ['o', ...text('/org/freedesktop/DBus')],
  2: ['s', ...text(bus)],
  3: ['s', ...text(member)],
  6: ['s', ...text(bus)],
});

/**
 * Starts a watcher of icons on a bus, as a desktop with a tray has one. `itemsOf` returns the names of
 * the registered icons, and gets the name of this process on the bus.
 */
export async function startWatcher(
  address: string,
  { hasHost, itemsOf }: { hasHost: boolean; itemsOf: (name: string) => readonly string[] },
): Promise<void> {
  const socket = await open(address);
  const named = Promise.withResolvers<void>();
  const owned = Promise.withResolvers<void>();
  let name = '';

  const properties = (): Readonly<Record<string, readonly Piece[]>> => ({
    RegisteredStatusNotifierItems: [signature('as'), ...array(4, itemsOf(name).flatMap(text))],
    IsStatusNotifierHostRegistered: [signature('b'), uint32(Number(hasHost))],
    ProtocolVersion: [signature('i'), uint32(0)],
  });

  function answer({ serial, member, sender, texts }: Received): void {
    const to: Fields = { 5: ['u', uint32(serial)], 6: ['s', ...text(sender)] };
    const wanted = member === 'Get' ? properties()[texts[1] ?? ''] : undefined;
    if (wanted !== undefined) {
      socket.write(compose('reply', { ...to, 8: ['g', signature('v')] }, wanted));
    } else if (member === 'GetAll') {
      const entries = Object.entries(properties()).flatMap(([key, value]) => [
        struct,
        ...text(key),
        ...value,
      ]);
      socket.write(compose('reply', { ...to, 8: ['g', signature('a{sv}')] }, array(8, entries)));
    } else {
      const unknown = text(`${bus}.Error.UnknownMethod`);
      socket.write(compose('error', { ...to, 4: ['s', ...unknown] }));
    }
  }

  let pending = Buffer.alloc(0);
  socket.on('data', (data) => {
    pending = Buffer.concat([pending, data]);
    for (;;) {
      if (pending.length < 16) return;
      const header = pad(16 + pending.readUInt32LE(12), 8);
      const end = header + pending.readUInt32LE(4);
      if (pending.length < end) return;
      const message = pending.subarray(0, end);
      pending = pending.subarray(end);
      const received = parse(message);
      if (received.kind === kinds.call) answer(received);
      else if (received.kind !== kinds.reply) continue;
      else if (name === '') {
        // The first answer, to `Hello`.
        [name] = readText(message, header);
        named.resolve();
      } else owned.resolve();
    }
  });
  socket.write(compose('call', toBus('Hello')));
  await named.promise;
  const flags = [...text('org.kde.StatusNotifierWatcher'), uint32(0)];
  socket.write(compose('call', { ...toBus('RequestName'), 8: ['g', signature('su')] }, flags));
  await owned.promise;
}
