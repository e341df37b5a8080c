import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { callCommand, spawnCommand } from '../../support/command.ts';
import { addMember, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';

describe('a file for an assistant', () => {
  it('has a name of its own for each club and data directory', async () => {
    const homes = [makeTestHome(), makeTestHome()];
    const clubs = ['Chess Club', 'chess-club', 'Klub Žižkov', '囲碁'];
    const file = join(makeTestFolder(), 'club.mcpb');
    const names: string[] = [];
    for (const home of homes) {
      for (const club of clubs) await addMember(home, club);
      for (const user of [[], ...clubs.map((club) => ['--user', club])]) {
        const args = ['--home', home.directory, 'mcp', ...user, '--bundle', file];
        expect((await callCommand(args)).status).toBe(0);
        const manifest = unzipSync(readFileSync(file))['manifest.json'] as Uint8Array;
        names.push(JSON.parse(strFromU8(manifest)).name);
      }
    }
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^club-events(-[a-z0-9]+)+$/);
    expect(names).toContainEqual(expect.stringMatching(/^club-events-klub-zizkov-/));
  });

  it('is not written for a club that is not there', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const file = join(makeTestFolder(), 'club.mcpb');
    const args = ['--home', home.directory, 'mcp', '--user', 'Nobody', '--bundle', file];
    const { status, stderr } = await callCommand(args);
    expect(status).toBe(1);
    expect(stderr).toContain('There is no club "Nobody"');
    expect(existsSync(file)).toBe(false);
  });
});

describe('an assistant that closes standard output', () => {
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const hello = request(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  const call = (id: number) => request(id, 'tools/call', { name: 'about', arguments: {} });

  const ways: [string, boolean, string, boolean][] = [
    ['after an answer', true, call(2), false],
    ['after an answer, and standard input after two calls', true, call(2) + call(3), true],
    ['after an answer, and sends no JSON', true, `nonsense\n${call(2)}`, false],
    ['at once', false, hello, false],
    ['at once, and standard input', false, hello + call(2), true],
  ];
  it.each(choose(ways, ways.slice(2, 4)))(
    'ends the program without a word: %s',
    async (_, hasAnswer, then, isEnd) => {
      const home = makeTestHome();
      await addMember(home, 'Chess');
      const child = spawnCommand(['--home', home.directory, 'mcp'], { input: null });
      let stderr = '';
      child.stderr.on('data', (piece) => {
        stderr += piece;
      });
      if (hasAnswer) {
        child.stdin.write(hello);
        await once(child.stdout, 'data');
      }
      child.stdout.destroy();
      await once(child.stdout, 'close');
      child.stdin.write(then);
      if (isEnd) child.stdin.end();
      expect([...(await once(child, 'close')), stderr]).toEqual([0, null, '']);
    },
  );
});
