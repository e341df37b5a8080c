import { it } from 'vitest';
import { checkCommandLine } from '../../../electron/packaging/smoke.ts';
import { writeShellScript } from '../../support/script.ts';

it.skipIf(process.platform === 'win32')(
  'the smoke tests pass for the command line of the sources (a script of a Unix shell)',
  async () => {
    await checkCommandLine([writeShellScript('club-events', 'exec "$RUN" "$@"')]);
  },
);
