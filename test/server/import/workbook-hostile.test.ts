import { expect, it } from 'vitest';
import { callCommand } from '../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { median, repeat } from '../../support/measure.ts';
import { measureCommand } from '../../support/measure-command.ts';
import { hostileFiles, wrongFiles } from './bad-workbooks.ts';
import { writeTestFile } from './files.ts';

it.each(wrongFiles)(
  'refuses $title in one sentence and changes nothing',
  async ({ name, make, sentence, args = [] }) => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    const call = (command: string, ...more: readonly string[]) =>
      callCommand(['--home', home.directory, command, ...more, '--user', 'Chess']);
    const before = await call('export', '--format', 'json');
    const imported = await call('import', writeTestFile(name, make()), ...args);
    expect(imported).toMatchObject({ status: 1, stdout: '' });
    expect(imported.stderr).toMatch(sentence);
    expect(imported.stderr).toMatch(/^[^\n]+\(nothing was imported\)\.\n$/);
    expect(imported.stderr.length).toBeLessThan(400);
    expect(await call('export', '--format', 'json')).toEqual(before);
  },
);

/** Files for the limits of size and of rows. `npm run test:timed` measures all of them in seconds. */
const shortList = ['a ZIP bomb', 'a million rows'];

it('refuses hostile workbooks in 256 MB and the time of ten starts', { tags: 'long' }, async () => {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1)]);
  const call = (...args: readonly string[]) => ['--home', home.directory, ...args];
  const before = await callCommand(call('export', '--format', 'json', '--user', 'Chess'));
  const starts = await repeat(choose(3, 1), () => measureCommand(call('user', 'list')));
  const start = median(starts.map(({ time }) => time));
  const files = hostileFiles.filter(({ title }) => shortList.includes(title));
  expect(files).toHaveLength(shortList.length);
  for (const { title, name, make, sentence, args = [] } of choose(hostileFiles, files)) {
    const path = writeTestFile(name, make());
    const imported = await measureCommand(call('import', path, '--user', 'Chess', ...args));
    expect(imported, title).toMatchObject({ status: 1, stdout: '' });
    expect(imported.stderr, title).toMatch(sentence);
    expect(imported.stderr, title).toMatch(/^[^\n]+\(nothing was imported\)\.\n$/);
    expect(imported.time / start, title).toBeLessThan(10);
    expect(imported.memory, title).toBeLessThan(256);
  }
  expect(await callCommand(call('export', '--format', 'json', '--user', 'Chess'))).toEqual(before);
});
