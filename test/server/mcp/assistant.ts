import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import type { Home } from '../../../server/base/home.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import { createAssistantServer } from '../../../server/mcp/server.ts';

const ownCli = join(import.meta.dirname, '../../../server/cli/club-events.js');

/** The two eras of the protocol: that of 2025 with `initialize`, and that of 2026 without. */
export type Era = 'legacy' | 'modern';

type Start = {
  readonly era?: Era;
  readonly zone?: string;
  readonly args?: readonly string[];
  /** The program and its first arguments; by default, the sources. */
  readonly command?: readonly [string, ...string[]];
};

/** Starts `club-events mcp` for the running test, and connects an assistant to it. */
export async function startAssistant(
  home: Home,
  { era = 'modern', zone = 'UTC', args = [], command }: Start = {},
): Promise<Client> {
  const [program, ...first] = command ?? [
    process.execPath,
    ownCli,
    '--home',
    home.directory,
    'mcp',
    ...args,
  ];
  const transport = new StdioClientTransport({
    command: program,
    args: first,
    env: { PATH: process.env['PATH'] ?? '', TZ: zone },
    stderr: 'pipe',
  });
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Connects an assistant within this process, as the start of one takes far longer than a call. */
export async function connectAssistant(
  home: Home,
  {
    zone = 'UTC',
    now = () => new Date(),
    ...options
  }: {
    readonly zone?: string;
    readonly now?: () => Date;
    readonly only?: string;
    readonly propose?: boolean;
  } = {},
): Promise<Client> {
  const tools = { ...thisMachine, home, now, systemTimeZone: () => zone };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const server = await createAssistantServer(tools, options);
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client;
}

export type Answer = {
  readonly isError: boolean;
  readonly text: string;
  readonly content: Record<string, unknown>;
};

/** Calls a tool. An answer has its content twice: as a value, and as a text. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const [block] = result.content as { type: string; text: string }[];
  return {
    isError: result.isError === true,
    text: block?.text ?? '',
    content: (result.structuredContent ?? {}) as Record<string, unknown>,
  };
}
