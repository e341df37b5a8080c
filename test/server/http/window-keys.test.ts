import { describe, expect, it } from 'vitest';
import { deleteUser } from '../../../db/users.ts';
import { createWindowKeys } from '../../../server/http/window-keys.ts';
import { withWriter } from '../../../server/store/store.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

const secret = 'a secret';
const keys = createWindowKeys(secret);

describe('a key of the desktop window', () => {
  it('reads only the events of its user', async () => {
    const home = makeTestHome();
    const chess = await addMember(home, 'Chess', [makeEvent(1)]);
    const rowing = await addMember(home, 'Rowing', [makeEvent(2)]);
    const service = await serveForTest(home, { windowSecret: secret });
    for (const [userId, id] of [
      [chess.userId, 1],
      [rowing.userId, 2],
    ] as const) {
      const answer = await fetchWithKey(service, '/v1/events', keys.keyFor(userId));
      expect(await answer.json()).toMatchObject({ events: [{ id }] });
    }
  });

  it('a key of the desktop window is invalid if changed, signed with another secret or if its user is removed', async () => {
    const home = makeTestHome();
    const { userId } = await addMember(home, 'Chess', [makeEvent(1)]);
    const service = await serveForTest(home, { windowSecret: secret });
    const key = keys.keyFor(userId);
    const wrong = [
      key.replace(/^cew_\d+/, `cew_${userId + 1}`),
      key.slice(0, -1),
      `${key}A`,
      `cew_${userId}_`,
      createWindowKeys('another secret').keyFor(userId),
      keys.keyFor(userId + 1),
    ];
    for (const one of wrong) {
      expect((await fetchWithKey(service, '/v1/events', one)).status, one).toBe(401);
    }
    expect((await fetchWithKey(service, '/v1/events', key)).status).toBe(200);
    await withWriter(home, (db) => deleteUser(db, userId));
    expect((await fetchWithKey(service, '/v1/events', key)).status).toBe(401);
  });

  it('a key of the desktop window is invalid for a service without a window', async () => {
    const home = makeTestHome();
    const { userId } = await addMember(home, 'Chess', [makeEvent(1)]);
    const service = await serveForTest(home);
    expect((await fetchWithKey(service, '/v1/events', keys.keyFor(userId))).status).toBe(401);
  });
});
