import { type ActionInput, type ActionName, catalogue } from '../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../server/club/tools.ts';
import type { FileStatus } from '../../../server/publish/publish-actions.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';

/** Creates a club whose clock only the test moves, and a folder that it shares. */
export async function openClub(zone = 'Europe/Berlin') {
  const home = makeTestHome();
  const clock = { now: Date.UTC(2026, 10, 19, 8, 0, 0) };
  const tools = {
    ...thisMachine,
    home,
    now: () => new Date(clock.now),
    systemTimeZone: () => zone,
    write: () => Promise.reject(new Error('nothing is written to stdout')),
    onProgress: () => undefined,
  };
  const perform = <Name extends ActionName>(name: Name, args: ActionInput<Name>) =>
    catalogue[name].perform(args, tools) as ReturnType<(typeof catalogue)[Name]['perform']>;
  const user = 'Rovers';
  await perform('user add', { name: user, zone });
  const addEvent = async (name: string, date: string, more: object = {}) => {
    const { event } = (await perform('event add', {
      user,
      event: { name, date, ...more },
    })) as unknown as { readonly event: { readonly id: number } };
    return event.id;
  };
  const folder = makeTestFolder();
  const tick = () => perform('publish tick', {});
  const list = async () => (await perform('publish list', {})).files as readonly FileStatus[];
  const only = async () => (await list())[0] as FileStatus;
  return { home, clock, tools, perform, user, addEvent, folder, tick, list, only };
}
