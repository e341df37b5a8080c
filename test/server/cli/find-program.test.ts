import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireProgram } from '../../../server/cli/find-program.ts';
import { makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';

describe('the program of watch --exec', () => {
  it.each(['react', 'react.EXE', 'react.com'])(
    '%s is found on Windows by its ending',
    (program) => {
      const folder = makeTestFolder();
      const name = program === 'react' ? 'react.exe' : program;
      writeFileSync(join(folder, name), '', { mode: 0o755 });
      const system = { env: { PATH: folder }, platform: 'win32' } as const;
      expect(() => requireProgram(program, system)).not.toThrow();
      expect(() => requireProgram(join(folder, program), system)).not.toThrow();
      expect(() => requireProgram('other', system)).toThrow(/^watch_command_unknown .*ENOENT/);
    },
  );

  it.each(['react.bat', 'C:\\my hooks\\React.CMD', 'react.bat. '])(
    '"%s" is refused on Windows, as Node.js starts no batch file',
    (program) => {
      expect(() => requireProgram(program, { platform: 'win32' })).toThrow(/^watch_command_batch /);
    },
  );

  it('is found on PATH or by its path, and must be executable', (context) => {
    requirePlace(context, 'file modes');
    const folder = makeTestFolder();
    const path = join(folder, 'react.bat');
    const env = { PATH: `/nonexistent:${folder}` };
    writeFileSync(path, '');
    for (const program of ['react.bat', path]) {
      chmodSync(path, 0o644);
      expect(() => requireProgram(program, { env })).toThrow(/^watch_command_unknown .*EACCES/);
      chmodSync(path, 0o755);
      expect(() => requireProgram(program, { env })).not.toThrow();
    }
    expect(() => requireProgram('./react.bat', { env })).toThrow(/^watch_command_unknown .*ENOENT/);
  });
});
