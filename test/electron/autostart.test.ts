import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { autostartFile, repairAutostart, setAutostart } from '../../electron/system/autostart.ts';
import { makeTestFolder } from '../support/home.ts';

const command = ['/opt/Club Events/club-events', '--hidden'];

describe('the autostart entry on Linux', () => {
  it('the autostart entry on Linux is created and removed', () => {
    const file = autostartFile(makeTestFolder());
    setAutostart(file, command);
    expect(readFileSync(file, 'utf8').split('\n')).toContain(
      'Exec="/opt/Club Events/club-events" "--hidden"',
    );
    setAutostart(file, undefined);
    expect(existsSync(file)).toBe(false);
    setAutostart(file, undefined);
  });

  it('quotes special characters of the command', () => {
    const file = autostartFile(makeTestFolder());
    setAutostart(file, ['/tmp/100% "club" $HOME `id` \\ events', '--hidden']);
    expect(readFileSync(file, 'utf8')).toContain(
      String.raw`Exec="/tmp/100%% \\"club\\" \\$HOME \\${'`'}id\\${'`'} \\\\ events" "--hidden"`,
    );
  });

  it('the autostart entry on Linux is updated after the program has moved, and stays disabled', () => {
    const file = autostartFile(makeTestFolder());
    setAutostart(file, ['/old/$&', '--hidden']);
    const switchedOff = readFileSync(file, 'utf8').replace('enabled=true', 'enabled=false');
    writeFileSync(file, switchedOff);
    repairAutostart(file, command);
    expect(readFileSync(file, 'utf8')).toBe(
      switchedOff.replace(/^Exec=.*$/m, 'Exec="/opt/Club Events/club-events" "--hidden"'),
    );
  });

  it('the autostart entry on Linux is not created by a repair', () => {
    const file = autostartFile(makeTestFolder());
    repairAutostart(file, command);
    expect(existsSync(file)).toBe(false);
  });

  it('the autostart entry on Linux names the file that cannot be written', () => {
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'autostart'), 'a file');
    expect(() => setAutostart(autostartFile(folder), command)).toThrow(/^file_\w+ .*autostart/);
  });
});
