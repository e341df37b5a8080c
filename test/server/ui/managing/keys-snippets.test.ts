import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';
import { eventMembers } from '../../../../db/model.ts';
import { snippetKinds, writeSnippet } from '../../../../server/ui/managing/keys/snippets.ts';
import { testBrowser } from '../../../support/browser.ts';
import { makeEvent, makeTestFolder } from '../../../support/home.ts';
import { createKey, openKeys } from './keys-screen.ts';

const browser = testBrowser();
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
  await page.getByRole('button', { name: 'Copy this example' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

async function openSnippet(kind: string): Promise<string> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await openKeys(browser.current, { events, permissions });
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

describe('the examples', () => {
  const values = { baseUrl: 'http://127.0.0.1:28470', accessKey: 'ce_KEY', onWindows: false };

  it.each(snippetKinds)('for %s have the address and the key', (kind) => {
    const text = writeSnippet(kind, values);
    expect(text).toContain('http://127.0.0.1:28470/v1/events');
    expect(text).toContain('Bearer ce_KEY');
    expect(text.endsWith('\n')).toBe(true);
  });

  it('name the program that Windows has', () => {
    expect(writeSnippet('curl', { ...values, onWindows: true })).toMatch(/^curl\.exe -H /);
  });

  it('make a table of every member of an event in Excel', () => {
    const text = writeSnippet('excel', values);
    const [, columns = ''] = /FromRecords\(Answer\[events\], \{([^}]*)\}/.exec(text) ?? [];
    expect(columns.match(/\w+/g)).toEqual(['id', ...eventMembers]);
  });
});
