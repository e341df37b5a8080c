import type { Session } from '../server/bridge.ts';
import type { Desk } from './desk.ts';

/**
 * Opens a club for the window: the requested one, else the last one shown. If that club does not
 * exist, opens the first one by name. Returns null if there is no club.
 */
export async function openSession(desk: Desk, requested: number | null): Promise<Session | null> {
  const { users } = await desk.listUsers();
  const preferred = requested ?? desk.state().settings.club;
  const user = users.find(({ id }) => id === preferred) ?? users[0];
  if (user === undefined) return null;
  const { id, name, createdAt } = user;
  if (id !== desk.state().settings.club) await desk.changeSettings({ club: id });
  // The time of creation distinguishes clubs with the same id in different data directories.
  return {
    key: desk.windowKeys.keyFor(id),
    account: `club ${id} ${createdAt}`,
    club: { id, name },
  };
}
