import type { ActionResult } from '../actions/catalogue.ts';
import { createLocalMoments } from '../dates/zone.ts';
import { count, table } from './results.ts';

export function hubInitialised({ server, before, version }: ActionResult<'hub init'>): string {
  if (before === version) return `The record of the hub at ${server} is up to date.`;
  const done = before === 0 ? 'Created' : 'Migrated';
  return `${done} the record of the hub at ${server}.`;
}

type PushResult = ActionResult<'hub push'>;

/** The maximum number of events listed per kind; `--json` returns all. */
const maxEvents = 20;

function eventLines(
  events: PushResult['added'],
  heading: (events: string) => string,
): readonly string[] {
  if (events.length === 0) return [];
  const more = events.length - maxEvents;
  return [
    `${heading(count(events.length, 'event'))}:`,
    ...events.slice(0, maxEvents).map(({ id, name, date }) => `  ${id} ${name}, ${date}`),
    ...(more > 0 ? [`  and ${more} more; --json lists all`] : []),
  ];
}

const reasons: Readonly<Record<NonNullable<PushResult['conflict']>, (user: string) => string>> = {
  lost: (user) =>
    `The record has lost the last push of "${user}" from this home, after a failover or a restore. Nothing was pushed.`,
  changed: (user) =>
    `Another home has pushed "${user}" since the last push from this one. Nothing was pushed.`,
  removed: (user) => `The club "${user}" was removed from the record. Nothing was pushed.`,
  foreign: (user) =>
    `The record has a club "${user}" that was never pushed from this home. Nothing was pushed.`,
};

export function hubPushText(result: PushResult): string {
  const { user, server, number, revision, conflict, added, changed, removed } = result;
  if (conflict !== null) {
    const command = `club-events hub push --user ${JSON.stringify(user)} --onto ${revision}`;
    return [
      reasons[conflict](user),
      ...eventLines(added, (events) => `${events} only in this home`),
      ...eventLines(changed, (events) => `${events} with other values in the record`),
      ...eventLines(removed, (events) => `${events} only in the record`),
      `To replace what the record has, run: ${command}`,
    ].join('\n');
  }
  if (number === null) return `The record at ${server} has all of "${user}" already.`;
  const parts = [
    ...(added.length > 0 ? [`${count(added.length, 'event')} added`] : []),
    ...(changed.length > 0 ? [`${count(changed.length, 'event')} changed`] : []),
    ...(removed.length > 0 ? [`${count(removed.length, 'event')} removed`] : []),
  ];
  const what = parts.length > 0 ? parts.join(', ') : 'its name and time zone';
  return `Pushed "${user}" to ${server} as change ${number}: ${what}.`;
}

export function hubKeyUnprinted({ id }: ActionResult<'hub key create'>): string {
  return `Key ${id} was created but could not be printed; run "club-events hub key revoke ${id}".`;
}

export function hubKeysText({ keys }: ActionResult<'hub key list'>): string {
  return table(
    ['ID', 'USER', 'STATE', 'CREATED', 'EXPIRES', 'LABEL'],
    keys.map(({ id, user, timeZone, state, createdAt, expiresAt, label }) => [
      `${id}`,
      user,
      state,
      createLocalMoments(timeZone)(createdAt),
      expiresAt === null ? 'never' : createLocalMoments(timeZone)(expiresAt),
      label ?? '',
    ]),
    'The record has no key yet; make one with "club-events hub key create --user NAME".',
  );
}

export function hubText({ servers, clubs, events, nodes }: ActionResult<'hub status'>): string {
  const lines = nodes.map(({ name, server, number, behind, lagMs }) => [
    name,
    server,
    number === null ? 'filling' : `${number}`,
    behind === 0 ? 'none' : `${count(behind, 'change')}, ${(lagMs / 1_000).toFixed(1)} s`,
  ]);
  return [
    `${count(clubs, 'club')}, ${count(events, 'event')}.`,
    table(
      ['SERVER', 'ROLE', 'NUMBER'],
      servers.map(({ server, isReplica, number }) => [
        server,
        isReplica ? 'replica' : 'primary',
        `${number}`,
      ]),
      '',
    ),
    table(['NODE', 'SERVER', 'NUMBER', 'LAG'], lines, 'No node is connected.'),
  ].join('\n\n');
}
