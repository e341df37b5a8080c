import type { Session } from '../server/bridge.ts';
import type { Desk } from './desk.ts';

/**
 * What opens a club to the window: the one asked for, else the one it showed last, else the first
 * by name. Null when there is no club yet.
 */
export async function openSession(desk: Desk, asked: number | null): Promise<Session | null> {
  const { users } = await desk.listUsers();
  const wanted = asked ?? desk.state().settings.club;
  const user = users.find(({ id }) => id === wanted) ?? users[0];
  if (user === undefined) return null;
  const { id, name, createdAt } = user;
  if (id !== desk.state().settings.club) await desk.changeSettings({ club: id });
  // The moment tells clubs apart that have the same number in different data directories.
  return {
    key: desk.windowKeys.keyFor(id),
    account: `club ${id} ${createdAt}`,
    club: { id, name },
  };
}
