import type { CommandName } from '../../actions/catalogue.ts';
import { clubOutputs } from './club.ts';
import { copyOutputs } from './copies.ts';
import { eventOutputs } from './events.ts';
import { followOutputs } from './followed.ts';
import { publishOutputs } from './publish.ts';
import { storeOutputs } from './store.ts';
import type { CommandOutput } from './text.ts';

/** The outputs of all commands. */
export const commandOutputs: { readonly [Name in CommandName]: CommandOutput<Name> } = {
  ...clubOutputs,
  ...eventOutputs,
  ...followOutputs,
  ...copyOutputs,
  ...publishOutputs,
  ...storeOutputs,
};
