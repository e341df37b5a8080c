import { expect, it } from 'vitest';
import { callCommand } from '../../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { wrongFiles } from './bad-workbooks.ts';
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
