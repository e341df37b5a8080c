import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { seal } from '../../../server/copy/seal.ts';
import { makeEvent } from '../../support/home.ts';
import { type Laptop, openLaptop, openTwoLaptops } from '../../support/second-laptop.ts';

export const events = [
  makeEvent(1, { name: 'Rovers v City', date: '2026-11-21T13:00:00.000Z' }),
  makeEvent(2, { name: 'Meeting', date: '2026-12-07T18:00:00.000Z' }),
  makeEvent(3, { name: 'Photo evening', date: '2026-11-24T18:00:00.000Z' }),
];

/** The actions of a computer that proposes. */
export function proposingOn(laptop: Laptop) {
  return {
    move: async (id: number, date: string) =>
      (await laptop.perform('proposal edit', { id, changes: { date } })).proposal.id,
    send: (name = 'Tom') => laptop.perform('proposal send', { name }),
    withdraw: (proposal: string) => laptop.perform('proposal withdraw', { proposal }),
    settle: () => laptop.perform('proposal settle'),
    states: async () => (await laptop.perform('proposal list')).proposals.map(({ state }) => state),
  };
}

/** Returns the paths of the files with proposals in the folder of a file. */
export function filesBeside(file: string): readonly string[] {
  const folder = dirname(file);
  return readdirSync(folder)
    .filter((name) => name.includes('.proposals-'))
    .map((name) => join(folder, name));
}

/** Writes a content as the first version of the format had it. */
export function writeFirstVersion(path: string, bytes: Buffer): void {
  const { number: _, file: __, sha256: ___, ...content } = JSON.parse(bytes.toString());
  const proposals = content.proposals.map(
    ({ replaces: ____, ...each }: { readonly replaces: unknown }) => each,
  );
  writeFileSync(path, seal(JSON.stringify({ ...content, version: 1, proposals }).slice(0, -1)));
}

/** Two computers of a club, and what the tests ask of their proposals. */
export async function openProposing() {
  const laptops = await openTwoLaptops(events);
  const { first, second, file } = laptops;
  return {
    ...laptops,
    ...proposingOn(second),
    files: () => filesBeside(file),
    /** Opens another computer of the club. */
    async openThird() {
      const third = await openLaptop();
      await third.perform('mirror set', { file });
      return { third, ...proposingOn(third) };
    },
    /** The first computer writes its file, and the second reads it. */
    async publish() {
      await first.perform('publish now');
      await second.perform('mirror sync');
    },
    review: async () => (await first.perform('proposal review')).proposals,
    problems: async () =>
      (await first.perform('proposal review')).unreadable.map(({ problem }) => problem.code),
    answer: (answers: readonly object[], more: object = {}) =>
      first.perform('proposal answer', { answers, ...more }),
  };
}
