import { it } from 'vitest';
import { checkCommandLine } from '../../../electron/packaging/smoke.ts';
import { requirePlace } from '../../support/place.ts';
import { writeShellScript } from '../../support/script.ts';

it('the smoke tests pass for the command line of the sources', async (context) => {
  requirePlace(context, 'a Unix shell');
  await checkCommandLine([writeShellScript('club-events', 'exec "$RUN" "$@"')]);
});
