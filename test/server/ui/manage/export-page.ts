import type { Home } from '../../../../server/base/home.ts';
import { addMember, makeEvent } from '../../../support/home.ts';

export const events = Array.from({ length: 1_234 }, (_, id) =>
  makeEvent(id + 1, { name: `Fête; “${id}”, =1+1`, description: id % 2 ? 'two\nlines' : null }),
);

export const addClub = (home: Home) => addMember(home, 'TSV 1860: Köln', events);

export const fragment = '#manage=export';
