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
import { curlLine } from '../../../../server/cli/serve.ts';
import type { Event } from '../../../../server/contract.ts';
import { snippetKinds, writeSnippet } from '../../../../server/ui/manage/keys/snippets.tsx';
import { writeCurl } from '../../../../server/ui/views/event/copy-buttons.tsx';
import { testBrowser } from '../../../support/browser.ts';
import { serveClub } from '../../../support/club.ts';
import { makeEvent, makeTestFolder } from '../../../support/home.ts';
import { createKey, shareKeys } from './keys-screen.ts';

const shared = shareKeys(testBrowser(), {
  permissions: ['clipboard-read', 'clipboard-write'],
});
const execute = promisify(execFile);

const oddName = 'Fête „Zürich“ – Łódź 東京 🏃 "a" \'b\' `c` $HOME %PATH% \\ {0}';
const oddLabel = `'; rm -rf "$HOME" #{1} %s \\ “x”`;

/** One page of the list and one event more; the one created last is at the head of the list. */
const events = Array.from({ length: 201 }, (_, id) => makeEvent(id, { name: `${oddName} ${id}` }));
const lines = events.map(({ name, date }) => `${date} ${name}`).toReversed();

/** A program by one of these names, or why there is none. */
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

/** The text of an example, copied as its user copies it. */
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

function writeScript(name: string, text: string): string {
  const path = join(makeTestFolder(), name);
  writeFileSync(path, text);
  return path;
}

describe('an example that is pasted', () => {
  it('runs as it is in a terminal with curl', async (context) => {
    await requireProgram(context, 'curl');
    const { stdout } = await execute('sh', ['-c', await openSnippet('curl')]);
    const answer = JSON.parse(stdout) as { readonly events: readonly { readonly name: string }[] };
    expect(answer.events.map(({ name }) => name)).toEqual(
      events
        .slice(1)
        .map(({ name }) => name)
        .toReversed(),
    );
  });

  it('runs as it is in Python, and reads all pages', async (context) => {
    const python = await requireProgram(context, 'python3', 'python');
    const script = writeScript('events.py', await openSnippet('Python'));
    const { stdout } = await execute(python, [script], { encoding: 'utf8' });
    expect(stdout.trimEnd().split(/\r?\n/)).toEqual(lines);
  });

  it.each(['events.js', 'events.mjs'])('runs as it is in Node.js as %s', async (name) => {
    const script = writeScript(name, await openSnippet('JavaScript'));
    const { stdout } = await execute(process.execPath, [script]);
    expect(stdout.trimEnd().split('\n')).toEqual(lines);
  });

  it('runs as it is in PowerShell', async (context) => {
    const shell = await requireProgram(context, 'pwsh', 'powershell.exe');
    const text = `${await openSnippet('PowerShell')}\n$answer.events.Count; $answer.events[0].name`;
    const { stdout } = await execute(shell, ['-NoProfile', '-Command', text]);
    expect(stdout).toContain('200');
    expect(stdout).toContain(`${oddName} 200`);
  });
});

describe('an example beside a proxy', () => {
  /** A service, and an environment whose proxy records what it is asked for. */
  async function serveBesideProxy() {
    const asked: string[] = [];
    const proxy = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(502).end('{"detail":"of the proxy"}');
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { PATH: process.env['PATH'], http_proxy: url, HTTP_PROXY: url, ALL_PROXY: url };
    const club = await serveClub(events);
    return { ...club, asked, env };
  }

  const invalid = 'This key is not valid here;';

  it('reaches the service with curl, and shows the detail of a refusal', async (context) => {
    await requireProgram(context, 'curl');
    const { service, key, asked, env } = await serveBesideProxy();
    const run = async (accessKey: string) => {
      const values = { baseUrl: service.baseUrl, accessKey, onWindows: false };
      return execute('sh', ['-c', writeSnippet('curl', values)], { env });
    };
    expect(JSON.parse((await run(key)).stdout).events).toHaveLength(200);
    expect(JSON.parse((await run('wrong')).stdout).detail).toContain(invalid);
    const copied = writeCurl(makeEvent(7) as Event, service.baseUrl).replace('KEY', key);
    const { stdout } = await execute('sh', ['-c', copied], { env });
    expect(JSON.parse(stdout).event.id).toBe(7);
    expect(asked).toEqual([]);
  });

  it('reaches the service with Python, and shows the detail of a refusal', async (context) => {
    const python = await requireProgram(context, 'python3', 'python');
    const { service, key, asked, env } = await serveBesideProxy();
    const run = (accessKey: string) => {
      const values = { baseUrl: service.baseUrl, accessKey, onWindows: false };
      return execute(python, ['-c', writeSnippet('python', values)], { env, encoding: 'utf8' });
    };
    expect((await run(key)).stdout.trimEnd().split(/\r?\n/)).toEqual(lines);
    const failure = await run('wrong').catch((error) => error);
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr).toContain(invalid);
    expect(failure.stderr.trim().split('\n')).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  it('leaves the proxy to others than this machine', () => {
    expect(writeCurl(makeEvent(7) as Event, 'https://events.club.example')).toBe(
      'curl -H "Authorization: Bearer KEY" https://events.club.example/v1/events/7',
    );
    expect(curlLine('http://events.club.example', 'KEY', 'linux')).not.toContain('--noproxy');
    expect(curlLine('http://[::1]:28470', 'KEY', 'win32')).toMatch(/^curl\.exe --noproxy "\*" -H /);
  });
});

describe('the examples', () => {
  const values = { baseUrl: 'http://127.0.0.1:28470', accessKey: 'ce_KEY', onWindows: false };

  it.each(snippetKinds)('for %s have the address and the key', (kind) => {
    const text = writeSnippet(kind, values);
    expect(text).toContain('http://127.0.0.1:28470/v1/events');
    expect(text).toContain('Bearer ce_KEY');
    expect(text.endsWith('\n')).toBe(true);
  });

  it('name the program that Windows has', () => {
    expect(writeSnippet('curl', { ...values, onWindows: true })).toMatch(
      /^curl\.exe --noproxy "\*" -H /,
    );
  });

  it('make a table of every member of an event in Excel', () => {
    const text = writeSnippet('excel', values);
    const [, columns = ''] = /FromRecords\(Answer\[events\], \{([^}]*)\}/.exec(text) ?? [];
    expect(columns.match(/\w+/g)).toEqual(['id', ...eventMembers]);
  });
});
