import { z } from 'zod';
import type { ActionRequest, ActionResult, DesktopState } from '../../server/actions/bridge.ts';
import { actionKinds } from '../../server/actions/kinds.ts';
import { problem } from '../../server/base/errors.ts';
import type { Supervisor } from '../service/supervisor.ts';

export type AddressOptions = {
  readonly state: () => DesktopState;
  readonly perform: Supervisor['perform'];
  /** Asks whether actions may call a host; resolves with false if the user declines. */
  readonly confirmHost: (host: string) => Promise<boolean>;
};

/**
 * Creates the check of the address that an action calls, as the page could send data by its path or
 * with the key. It is the program's own, or of a stored mirror, or a person confirms its host, once
 * in a run. The check throws `address_declined`.
 */
export function createAddressCheck({
  state,
  perform,
  confirmHost,
}: AddressOptions): (request: ActionRequest) => Promise<void> {
  const answers = new Map<string, Promise<boolean>>();

  /** Returns true for the address that scripts expect, without anything else that carries data. */
  function isOwn(url: string, args: object): boolean {
    return url === `http://127.0.0.1:${state().settings.port}` && Object.keys(args).length === 1;
  }

  async function isMirrored(origin: string): Promise<boolean> {
    const { signal } = new AbortController();
    const result = await perform('mirror status', {}, { onProgress: () => undefined, signal });
    const { mirrors } = result as ActionResult<'mirror status'>;
    return mirrors.some(({ url }) => URL.parse(url)?.origin === origin);
  }

  return async ({ name, args }) => {
    const { address } = actionKinds[name];
    if (address === undefined) return;
    const { data } = z.looseObject({ [address]: z.string() }).safeParse(args);
    const text = data?.[address] ?? '';
    const url = URL.parse(text.trim());
    // The action refuses what is not an address of the web.
    if (url === null || !/^https?:$/.test(url.protocol) || isOwn(text, args)) return;
    const { origin, host } = url;
    const answer =
      answers.get(origin) ?? isMirrored(origin).then((isKnown) => isKnown || confirmHost(host));
    answers.set(origin, answer);
    const isAllowed = await answer.finally(() => answers.delete(origin));
    if (!isAllowed) throw problem('address_declined', { host });
    answers.set(origin, answer);
  };
}
