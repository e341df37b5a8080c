import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { listFaults } from '../.github/rules.ts';
import { makeTestFolder } from './support/home.ts';

/** Beginnings of violations, apart so that the rules do not find them in this file. */
const [begin, limit, now, look] = ['/**', 'timeout:', 'performance.now()', 'await'];

function lintSource(text: string, path = 'server/deep/source.ts'): string {
  const folder = makeTestFolder();
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return listFaults(folder).join('');
}

it('accepts docstrings that begin with a verb or a noun', () => {
  const text =
    '/** Returns what is left. */\n/**\n * Cache limits, of each user.\n */\n// What a day.\n';
  expect(lintSource(text)).toBe('');
});

it('reports docstrings that begin with a relative clause, with their lines', () => {
  expect(
    lintSource(`const a = 1;\n${begin} What is left. */\n${begin}\n * Of each user.\n */\n`),
  ).toMatch(/source\.ts:2: "What": begin [^\n]*\n.*source\.ts:4: "Of": begin [^\n]*\n$/);
});

it.each([
  ['a wait', `await box.waitFor({ ${limit} 5_000 });`],
  ['a poll', `await expect.poll(read, { ${limit} 20000 }).toBe(1);`],
  ['a test', `it('works', () => {\n}${', 90_000'});`],
  ['a browser', `page.setDefaultTimeout${'(10_000)'};`],
  ['a duration', `expect(${now} - began).toBeLessThan(5_000);`],
])('reports an own time limit of %s in a test, but not in one that measures', (_, text) => {
  expect(lintSource(`${text}\n`, 'test/deep/some.test.ts')).toMatch(
    /^test\/deep\/some\.test\.ts:[12]: /,
  );
  expect(lintSource(`${text}\n`, 'test/deep/some.timed.test.ts')).toBe('');
});

it('reports random values that differ from machine to machine', () => {
  const text = `import fc from ${"'fast-check'"};\n`;
  expect(lintSource(text, 'test/deep/some.test.ts')).toMatch(/:1: .*test\/support\/random\.ts/);
  expect(lintSource(text, 'test/support/random.ts')).toBe('');
});

it.each([
  ['file modes', 'expect(statSync(path).mode & 0o777).toBe(0o600);'],
  ['a named pipe', "execFileSync('mkfifo', [path]);"],
  ['a link', "symlinkSync('here', path);"],
  ['a device', "writeFileSync('/dev/full', text);"],
  ['a script', "execFile('sh', ['-c', text]);"],
  ['a platform', "it.skipIf(process.platform === 'win32')('works', run);"],
  ['a signal', "process.kill(pid, 'SIGSTOP');"],
  ['a tray', 'launchDesktop({ tray: false });'],
])('reports %s in a test that does not say that it needs it', (_, text) => {
  const path = 'test/deep/some.test.ts';
  expect(lintSource(`${text}\n`, path)).toMatch(/:1: .* begin the test with requirePlace/);
  const needs = "import { requirePlace } from '../support/place.ts';";
  expect(lintSource(`${needs}\n${text}\n`, path)).toBe('');
});

it('accepts a platform that is an argument of the program, and modes that are only set', () => {
  const text =
    "chooseHome('win32'); writeFileSync(path, '', { mode: 0o755 });\nskipIf(!available);\n";
  expect(lintSource(text, 'test/some.test.ts')).toBe('');
});

it('accepts the limits of the program under test, and lower bounds', () => {
  const text = `createTransport({ ${limit} 500 });\nexpect(${now} - began).toBeGreaterThan(500);\n`;
  expect(lintSource(text, 'test/some.test.ts')).toBe('');
});

it.each([
  ['the number of elements', `expect(${look} page.locator('li').count()).toBe(0);`],
  ['a text', `expect((${look} page.locator('h1')\n.innerText()).trim()).toBe('Chess');`],
  ['a state', `if (${look} box.isChecked()) await box.click();`],
  ['a value', `const before = ${look} field.inputValue();`],
  ['a function', 'const size = () => rows.count();\nawait save();\nexpect(await size()).toBe(1);'],
])('reports a look at %s of a page that does not wait', (_, text) => {
  expect(lintSource(`${text}\n`, 'test/some.test.ts')).toMatch(/: the page may show it later/);
});

it('accepts looks at a page in a poll, and those that say that they do not wait', () => {
  const lines = [
    'const text = async () => packed(await paper.innerText());',
    "await expect.poll(text).toBe('Chess');",
    'await expect.poll(() => rows.count()).toBe(0);',
    'await expect.poll(async () => (await rows.allInnerTexts())[0]).toBe("Chess");',
    'const before = await readOnce(field.inputValue());',
    'expect(upstream.count()).toBe(1);',
  ];
  expect(lintSource(lines.join('\n'), 'test/some.test.ts')).toBe('');
});

it('reports a clock that a module of the page keeps', () => {
  const kept = 'const clock = zoneNamed(name);\n';
  expect(lintSource(kept, 'server/ui/base/deep.ts')).toMatch(/:1: .*useClock/);
  expect(lintSource('let zone: string;\n', 'server/ui/base/deep.ts')).toMatch(/:1: .*useClock/);
  expect(lintSource(`  ${kept}`, 'server/ui/base/deep.ts') + lintSource(kept)).toBe('');
});

it('reports a rule of a style sheet with the four declarations of another one', () => {
  const declarations = ['color: red', 'gap: 0', 'margin: 0', 'padding: 0'];
  const rule = (name: string, block: readonly string[]) =>
    `.${name} {\n${block.map((each) => `  ${each};\n`).join('')}}\n`;
  const both = (one: readonly string[], other: readonly string[]) =>
    lintSource(`${rule('one', one)}\n${rule('other', other)}`, 'server/ui/deep/some.css');
  expect(both(declarations, declarations.toReversed())).toMatch(
    /^server\/ui\/deep\/some\.css: "\.other" equals "[^"]*some\.css \.one": /,
  );
  expect(both(declarations, declarations.slice(1))).toBe('');
  expect(both(declarations.slice(1), declarations.slice(1))).toBe('');
});
