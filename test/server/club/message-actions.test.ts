import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commandOutputs } from '../../../server/cli/results/results.ts';
import { openClub } from '../publish/open-club.ts';

const day = 86_400_000;

it('writes what is on and what changed as texts, with the page, and marks nothing as told', async () => {
  const { clock, perform, user, addEvent, folder } = await openClub();
  const training = await addEvent('U15 training', '2026-11-26T18:30', { location: 'Sports hall' });
  const match = await addEvent('Rovers v City', '2026-11-28T14:00');
  await addEvent('Party', '2026-12-12T20:00');
  clock.now += 2 * day;
  await perform('team add', { user, name: 'U15', words: 'U15' });
  await perform('event edit', { user, id: training, changes: { date: '2026-11-26T19:00' } });
  await perform('event cancel', { user, id: match, reason: 'Pitch frozen' });
  const address = 'https://rovers.example/dates';
  await perform('publish add', { user, output: join(folder, 'dates.html'), address });

  const week = await perform('message week', { user });
  expect(week).toMatchObject({
    language: 'en-GB',
    days: { first: '2026-11-21', last: '2026-11-27' },
    events: [{ id: training }],
    changed: [training],
    left: 1,
    link: address,
    text: `Rovers, 21 to 27 November

Thu 26 Nov, 19:00 (was 18:30):
U15 training
Sports hall

All dates: ${address}`,
  });
  expect(await commandOutputs['message week'].toNotes?.(week as never)).toEqual([
    '1 change that nobody was told of in this text, 1 not; nothing was marked as told.',
  ]);
  expect(await perform('message changes', { user, language: 'de-AT' })).toMatchObject({
    language: 'de-AT',
    days: null,
    changed: [training, match],
    left: 0,
    text: expect.stringContaining('Änderungen bei Rovers\n\nVerlegt\n• U15 training'),
  });
  expect(await perform('message changes', { user, days: 7 })).toMatchObject({
    days: { first: '2026-11-21', last: '2026-11-27' },
    changed: [training],
    left: 1,
  });
  const team = await perform('message week', { user, team: 'u15', days: 10 });
  expect(team).toMatchObject({ events: [{ id: training }], link: `${address}?only=U15` });
  expect(team).toMatchObject({ text: expect.stringMatching(/^Rovers, U15, 21 to 30 November\n/) });
  // The same again: a message only reads.
  expect(await perform('message week', { user })).toEqual(week);

  await expect(perform('message week', { user, team: 'U16' })).rejects.toMatchObject({
    code: 'team_unknown',
  });
  for (const days of [0, 367, 1.5, Number.NaN]) {
    await expect(perform('message week', { user, days })).rejects.toMatchObject({
      code: 'message_days_invalid',
      isUsage: true,
    });
  }
});
