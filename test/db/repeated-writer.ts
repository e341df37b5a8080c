import process from 'node:process';
import { catalogue } from '../../server/actions/catalogue.ts';
import { explain } from '../../server/base/errors.ts';
import { homeAt } from '../../server/base/home.ts';
import { thisMachine } from '../../server/club/tools.ts';

/**
 * Performs commands one after the other, each of which opens and closes the database: creates a key,
 * lists the users, and now and then edits an event. Its arguments are the data directory, the id of
 * the event, and the number of commands or, with an `s` behind it, of seconds. Prints the number of
 * commands, the codes of those that were refused, and the processor time in seconds.
 */
const [directory = '', id = '', limit = ''] = process.argv.slice(2);
const isTime = limit.endsWith('s');
const end = isTime ? performance.now() + 1_000 * Number.parseFloat(limit) : Number(limit);
const tools = {
  ...thisMachine,
  home: homeAt(directory),
  write: async () => undefined,
  onProgress: () => undefined,
  onWait: () => undefined,
};
const refused: string[] = [];
let commands = 0;
for (; (isTime ? performance.now() : commands) < end; commands += 1) {
  const edit = { user: 'Chess', id: Number(id), changes: { name: `Round ${commands}` } };
  try {
    if (commands % 20 === 0) await catalogue['event edit'].perform(edit, tools);
    else if (commands % 2 === 0) await catalogue['user list'].perform({}, tools);
    else await catalogue['key create'].perform({ user: 'Chess' }, tools);
  } catch (error) {
    refused.push(explain(error)?.code ?? String(error));
  }
}
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ commands, refused, cpu: (user + system) / 1e6 }));
