import { mapNumberCommands, type NumberCommands } from '../../../db/club-settings.ts';
import type { ActionResult } from '../../actions/catalogue.ts';
import type { clubActions } from '../../actions/club.ts';
import { createLocalMoments } from '../../dates/zone.ts';
import { message } from '../../messages/message.ts';
import { count, loadWords, type OutputsOf, table } from './text.ts';

export function userRemoved({
  name,
  events,
  keys,
}: ActionResult<'user remove' | 'hub remove'>): string {
  return `Removed club "${name}" with ${count(events, 'event')} and ${count(keys, 'key')}.`;
}

async function numberText({
  name,
  setting,
  value,
  before,
}: ActionResult<keyof NumberCommands>): Promise<string> {
  const word = await loadWords();
  return `${word(message(`clubs:${setting}`))} of club "${name}": ${value} (before: ${before}).`;
}

export function keyRevoked({ id, revoked }: ActionResult<'key revoke' | 'hub key revoke'>): string {
  return revoked ? `Revoked key ${id}.` : `Key ${id} had been revoked before.`;
}

type CreatedKey = ActionResult<'key create' | 'hub key create'>;

/** Returns the output of a new key; `revoke` is the command that revokes it. */
export const keyCreated = (revoke: string) => ({
  toText: ({ key }: CreatedKey) => key,
  toUnprinted: ({ id }: CreatedKey) =>
    `Key ${id} was created but could not be printed; run "club-events ${revoke} ${id}".`,
  toNotes({ id, user, expiresAt, timeZone }: CreatedKey) {
    const until =
      expiresAt === null ? '' : `, valid until ${createLocalMoments(timeZone)(expiresAt)}`;
    return [`Key ${id} of "${user}"${until}. It is shown this once: keep it safe.`];
  },
});

type ListedKey = ActionResult<'hub key list'>['keys'][number];

export function keysText(keys: readonly ListedKey[], none: string): string {
  return table(
    ['ID', 'CLUB', 'STATE', 'CREATED', 'EXPIRES', 'LABEL'],
    keys.map(({ id, user, timeZone, state, createdAt, expiresAt, label }) => [
      `${id}`,
      user,
      state,
      createLocalMoments(timeZone)(createdAt),
      expiresAt === null ? 'never' : createLocalMoments(timeZone)(expiresAt),
      label ?? '',
    ]),
    none,
  );
}

export const clubOutputs: OutputsOf<typeof clubActions> = {
  'user add': { toText: ({ name }) => `Added club "${name}".` },
  'user list': {
    toText: ({ users }) =>
      table(
        ['NAME', 'ZONE', 'EVENTS', 'KEYS', 'CREATED'],
        users.map(({ name, zone, events, keys, createdAt }) => [
          name,
          zone,
          `${events}`,
          `${keys}`,
          createdAt,
        ]),
        'There is no club yet; add one with "club-events user add NAME".',
      ),
  },
  'user rename': { toText: ({ name, before }) => `Renamed club "${before}" to "${name}".` },
  'user zone': {
    toText(result) {
      const { name, zone, before, changed, example } = result;
      const moved = (number: number) => (number === 0 ? '' : `; ${count(number, 'event')} moved`);
      if (zone === before) return `The time zone of club "${name}" is ${zone} already.`;
      const text = `Changed the time zone of club "${name}" from ${before} to ${zone}${moved(changed)}.`;
      if (example === null) return text;
      // The moments stay, as scripts have read them.
      return `${text}\n"${example.name}", at ${example.before} before, is at ${example.after} now. To have the written times instead, change it back, then add "--times keep".`;
    },
  },
  ...mapNumberCommands(() => ({ toText: numberText })),
  'user assistant': {
    toText: ({ name, assistantProposes }) =>
      assistantProposes
        ? `Assistants may propose changes of the events of club "${name}"; a person looks at them with "club-events proposal review --user NAME". Start them with "club-events mcp --propose".`
        : `Assistants may not propose changes of the events of club "${name}"; proposals that wait stay.`,
  },
  'user remove': { toText: userRemoved },
  'key create': keyCreated('key revoke'),
  'key list': {
    toText: ({ keys }) =>
      keysText(
        keys.map(({ zone, label, baseUrl, ...key }) => ({
          ...{ ...key, timeZone: zone },
          label: label ?? (baseUrl === null ? '' : `key of ${new URL(baseUrl).host}`),
        })),
        'There is no key yet; make one with "club-events key create --user NAME".',
      ),
  },
  'key revoke': { toText: keyRevoked },
};
