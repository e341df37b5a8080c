import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { eventMembers } from '../../../../db/model.ts';
import { homeAt } from '../../../../server/base/home.ts';
import { curlLine } from '../../../../server/cli/serve.ts';
import type { Event } from '../../../../server/http/contract.ts';
import { snippetKinds, writeSnippet } from '../../../../server/ui/manage/keys/snippets.tsx';
import { writeCurl } from '../../../../server/ui/views/event/copying.tsx';
import { testBrowser } from '../../../support/browser.ts';
import { serveClub } from '../../../support/club.ts';
import { pathWithCommand } from '../../../support/command.ts';
import { addMember, makeEvent, makeTestFolder } from '../../../support/home.ts';
import { requirePlace } from '../../../support/place.ts';
import { serveForTest } from '../../../support/service.ts';
import { createKey, shareKeys } from './keys-screen.ts';

const shared = shareKeys(testBrowser(), {
  permissions: ['clipboard-read', 'clipboard-write'],
});
const execute = promisify(execFile);

const oddName = 'Fête „Zürich“ – Łódź 東京 🏃 "a" \'b\' `c` $HOME %PATH% \\ {0}';
const oddLabel = `'; rm -rf "$HOME" #{1} %s \\ “x”`;

/** One event more than a page; the one created last is the first of the list. */
const events = Array.from({ length: 201 }, (_, id) => makeEvent(id, { name: `${oddName} ${id}` }));
const lines = events.map(({ name, date }) => `${date} ${name}`).toReversed();

/** Values of an example, to be replaced by those of a test. */
const fixed = {
  baseUrl: 'http://127.0.0.1:28470',
  accessKey: 'ce_KEY',
  platform: 'linux',
  directory: '/data',
} as const;

/** Finds a program by one of these names, or returns the reason for skipping. */
async function findProgram(...names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const found = await execute(name, ['--version']).then(
      () => true,
      () => false,
    );
    if (found) return name;
  }
  return undefined;
}

async function requireProgram(context: TestContext, ...names: readonly string[]): Promise<string> {
  const found = await findProgram(...names);
  return found ?? context.skip(`${names.join(' or ')} is not installed on this machine`);
}

/** Copies an example with its button and returns the text. */
async function copySnippet(page: Page, kind: string): Promise<string> {
  await page.getByRole('tab', { name: kind }).click();
  await page.getByRole('button', { name: 'Copy example' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

async function openSnippet(kind: string): Promise<string> {
  const { page } = await shared.show(events);
  await createKey(page, oddLabel);
  return copySnippet(page, kind);
}

/** Options of a program that finds `club-events`. */
function withCommand() {
  return { encoding: 'utf8', env: { ...process.env, PATH: pathWithCommand() } } as const;
}

function writeScript(name: string, text: string): string {
  const path = join(makeTestFolder(), name);
  writeFileSync(path, text);
  return path;
}

describe('a pasted example', () => {
  it('runs in a terminal with curl', async (context) => {
    requirePlace(context, 'a Unix shell');
    await requireProgram(context, 'curl');
    const { stdout } = await execute('sh', ['-c', await openSnippet('curl')], withCommand());
    const answer = JSON.parse(stdout) as { readonly events: readonly { readonly name: string }[] };
    expect(answer.events.map(({ name }) => name)).toEqual(
      events
        .slice(1)
        .map(({ name }) => name)
        .toReversed(),
    );
  });

  it('runs in Python and reads all pages', async (context) => {
    const python = await requireProgram(context, 'python3', 'python');
    const script = writeScript('events.py', await openSnippet('Python'));
    const { stdout } = await execute(python, [script], withCommand());
    expect(stdout.trimEnd().split(/\r?\n/)).toEqual(lines);
  });

  it.each(['events.js', 'events.mjs'])('runs in Node.js as %s', async (name) => {
    const script = writeScript(name, await openSnippet('JavaScript'));
    const { stdout } = await execute(process.execPath, [script], withCommand());
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
  });

  it('runs in PowerShell', async (context) => {
    const shell = await requireProgram(context, 'pwsh', 'powershell.exe');
    const text = `${await openSnippet('PowerShell')}\n$answer.events.Count; $answer.events[0].name`;
    const { stdout } = await execute(shell, ['-NoProfile', '-Command', text], withCommand());
    expect(stdout).toContain('200');
    expect(stdout).toContain(`${oddName} 200`);
  });
});

describe('an example in an environment with a proxy', () => {
  /** Starts a service and a proxy that records its requests. */
  async function serveBesideProxy() {
    const proxied: string[] = [];
    const proxy = createServer((request, response) => {
      proxied.push(`${request.method} ${request.url}`);
      response.writeHead(502).end('{"detail":"of the proxy"}');
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { PATH: pathWithCommand(), http_proxy: url, HTTP_PROXY: url, ALL_PROXY: url };
    const club = await serveClub(events);
    return { ...club, proxied, env };
  }

  const invalid = 'This key is not valid here;';

  it('reaches the service with curl and prints the detail of an error', async (context) => {
    requirePlace(context, 'a Unix shell');
    await requireProgram(context, 'curl');
    const { home, service, key, proxied, env } = await serveBesideProxy();
    const run = async (accessKey: string) => {
      const values = { ...fixed, accessKey, directory: home.directory };
      return execute('sh', ['-c', writeSnippet('curl', values)], { env });
    };
    expect(JSON.parse((await run(key)).stdout).events).toHaveLength(200);
    expect(JSON.parse((await run('wrong')).stdout).detail).toContain(invalid);
    const copied = writeCurl(makeEvent(7) as Event, service.baseUrl).replace('KEY', key);
    const { stdout } = await execute('sh', ['-c', copied], { env });
    expect(JSON.parse(stdout).event.id).toBe(7);
    expect(proxied).toEqual([]);
  });

  it('reaches the service with Python and prints the detail of an error', async (context) => {
    const python = await requireProgram(context, 'python3', 'python');
    const { home, key, proxied, env } = await serveBesideProxy();
    const run = (accessKey: string) => {
      const values = { ...fixed, accessKey, directory: home.directory };
      return execute(python, ['-c', writeSnippet('python', values)], { env, encoding: 'utf8' });
    };
    expect((await run(key)).stdout.trimEnd().split(/\r?\n/)).toEqual(lines);
    const failure = await run('wrong').catch((error) => error);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toContain(invalid);
    expect(failure.stderr.trim().split('\n')).toHaveLength(1);
    expect(proxied).toEqual([]);
  });

  it('bypasses the proxy only for this machine', () => {
    expect(writeCurl(makeEvent(7) as Event, 'https://events.club.example')).toBe(
      'curl -H "Authorization: Bearer KEY" https://events.club.example/v1/events/7',
    );
    expect(curlLine('http://events.club.example', 'KEY', 'linux')).not.toContain('--noproxy');
    expect(curlLine('http://[::1]:28470', 'KEY', 'win32')).toMatch(/^curl\.exe --noproxy "\*" -H /);
  });
});

describe('the examples', () => {
  it.each(snippetKinds)('for %s contain the key, and the address only for Excel', (kind) => {
    const text = writeSnippet(kind, fixed);
    expect(text.includes('http://127.0.0.1:28470')).toBe(kind === 'excel');
    expect(text.includes('club-events')).toBe(kind !== 'excel');
    expect(text).toContain('Bearer ce_KEY');
    expect(text.endsWith('\n')).toBe(true);
  });

  it('quote the data directory for PowerShell on Windows', () => {
    const windows = { ...fixed, platform: 'win32', directory: "C:\\Users\\O'Neill\\Data" } as const;
    const call = "club-events --home 'C:\\Users\\O''Neill\\Data' url";
    expect(writeSnippet('curl', windows)).toBe(
      `curl.exe --noproxy "*" -H "Authorization: Bearer ce_KEY" "$(${call})/v1/events"\n`,
    );
    expect(writeSnippet('powershell', windows)).toContain(`$base = & ${call}\n`);
  });

  it('name the command inside the application on macOS, which has it on no path', () => {
    const bin = '/Applications/Club Events.app/Contents/Resources/bin/club-events';
    const onMac = { ...fixed, platform: 'darwin' } as const;
    expect(writeSnippet('curl', onMac)).toContain(`"$('${bin}' --home /data url)/v1/events"`);
    for (const kind of ['python', 'javascript'] as const) {
      expect(writeSnippet(kind, onMac)).toContain(`"${bin}"`);
    }
  });

  it.each(['curl', 'python', 'javascript'] as const)(
    'read the events of an oddly named data directory with %s',
    async (kind) => {
      const home = homeAt(join(makeTestFolder(), `it's "odd" $HOME é`));
      await serveForTest(home);
      const { key: accessKey } = await addMember(home, 'Chess', [makeEvent(7, { name: 'Run' })]);
      const text = writeSnippet(kind, { ...fixed, accessKey, directory: home.directory });
      const programs = {
        curl: ['sh', '-c'],
        python: ['python3', '-c'],
        javascript: ['node', '-e'],
      };
      const [program = '', option = ''] = programs[kind];
      expect((await execute(program, [option, text], withCommand())).stdout).toContain('Run');
    },
  );

  it('create a table with every member of an event in Excel', () => {
    const text = writeSnippet('excel', fixed);
    const [, columns = ''] = /FromRecords\([^{]*\{([^}]*)\}/.exec(text) ?? [];
    expect(columns.match(/\w+/g)).toEqual(['id', ...eventMembers]);
  });
});
