import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { EventDraft } from '../../db/model.ts';
import { homeAt } from '../../server/base/home.ts';
import { openSharedPage, type PageOptions, showFragment } from './browser.ts';
import type { ServedClub } from './club.ts';
import { addMember, makeFolder, removeFolder } from './home.ts';
import { openOnce } from './once.ts';
import { startTestService } from './service.ts';

/** A club whose tests share one page. */
export type SharedClub = {
  /** Leads the page, for the running test, to the events and from there to a fragment. */
  show(fragment?: string): Promise<Page>;
  /** The club while tests run; who changes it changes it for the tests that follow. */
  readonly served: ServedClub;
};

const placeBeside = (fragment: string) =>
  fragment.includes('view=calendar')
    ? { fragment: '#view=table', sign: '.table' }
    : { fragment: '#view=calendar', sign: '.calendar' };

/** Opens one page of a club for tests that leave both as they found them, but for the place. */
export function shareClub(
  browser: { readonly current: Browser },
  events: readonly EventDraft[],
  options: PageOptions = {},
): SharedClub {
  const shared = openOnce(async () => {
    const folder = makeFolder();
    const home = homeAt(folder);
    const service = await startTestService(home);
    const member = await addMember(home, 'club', events);
    const opened = await openSharedPage(browser.current, service, { key: member.key, ...options });
    const close = () =>
      opened
        .close()
        .finally(() => service.close())
        .finally(() => removeFolder(folder));
    return { ...opened, served: { home, service, ...member }, close };
  });
  return {
    async show(fragment = '') {
      const { page, check } = shared.current;
      onTestFinished(check);
      await showFragment(page, fragment, { by: placeBeside(fragment), options });
      return page;
    },
    get served() {
      return shared.current.served;
    },
  };
}
