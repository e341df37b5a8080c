import { z } from 'zod';
import type { ActionName, ActionResult } from '../../server/actions/bridge.ts';
import { argumentsUsedAs, catalogue } from '../../server/actions/catalogue.ts';
import { Problem } from '../../server/base/errors.ts';
import { keyNumberOf } from '../../server/outside/live-files.ts';
import { type PerformOptions, silent } from '../service/process.ts';
import type { Supervisor } from '../service/supervisor.ts';
import type { UpstreamKeys } from './encrypted-keys.ts';

type KeyActionsOptions = {
  readonly perform: Supervisor['perform'];
  readonly keys: UpstreamKeys;
  /** Returns the served data directory. */
  readonly home: () => string;
  /** Called when keys or their place changed. */
  readonly onChange: () => void;
  /** Logs an internal error. */
  readonly report: (error: unknown) => void;
};

/** The actions of the page, with the keys of online services and web spaces kept beside them. */
export type KeyActions = {
  readonly perform: Supervisor['perform'];
  /** Loads the keys of the served data, and forgets those of clubs that are gone. */
  match(): Promise<void>;
};

const KeyArguments = z.looseObject({ key: z.string() });
const PasswordArguments = z.looseObject({ password: z.string() });

export function createKeyActions(options: KeyActionsOptions): KeyActions {
  const { perform, keys, home, onChange, report } = options;
  /** The number of keys that this run stored. */
  let writes = 0;

  async function match(): Promise<void> {
    const directory = home();
    if (!keys.has(directory)) return;
    // Not awaited: a key store that is locked waits for the user.
    void keys.load(directory).then(onChange);
    const writesBefore = writes;
    try {
      const result = await perform('mirror status', {}, silent);
      const { mirrors } = result as ActionResult<'mirror status'>;
      const listing = await perform('publish list', {}, silent);
      const { files } = listing as ActionResult<'publish list'>;
      // The user may have chosen another data directory in the meantime.
      if (home() !== directory) return;
      // The result may lack the source of a key that came meanwhile.
      if (writes !== writesBefore) return await match();
      keys.retain(directory, [
        ...mirrors.filter(({ keyStore }) => keyStore !== 'file').map(({ source }) => source),
        ...files.filter(({ keyStore }) => keyStore !== 'file').map(({ id }) => keyNumberOf(id)),
      ]);
      onChange();
    } catch (error) {
      // A problem, such as a service that stops: its next start matches the keys again.
      if (!(error instanceof Problem)) report(error);
    }
  }

  /** Performs an action with a key, and keeps the key once the action has succeeded. */
  async function performWithKey(
    name: ActionName,
    args: z.output<typeof KeyArguments>,
    performOptions: PerformOptions,
  ): Promise<unknown> {
    const directory = home();
    const key = args.key.trim();
    const encrypted = await keys.encrypt(key);
    const keyStore = encrypted === undefined ? 'run' : 'system';
    const result = await perform(name, { ...args, key, keyStore }, performOptions);
    const stored = result as ActionResult<'mirror set' | 'mirror key change'>;
    const { source, url } = 'status' in stored ? stored.status : stored;
    keys.keep(directory, { source, url, key }, encrypted);
    writes += 1;
    onChange();
    return result;
  }

  /** Performs an action with the password of a web space, and keeps it unless it was refused. */
  async function performWithPassword(
    name: ActionName,
    args: z.output<typeof PasswordArguments>,
    performOptions: PerformOptions,
  ): Promise<unknown> {
    const directory = home();
    const encrypted = await keys.encrypt(args.password);
    const keyStore = encrypted === undefined ? 'run' : 'system';
    const result = await perform(name, { ...args, keyStore }, performOptions);
    const written = result as ActionResult<'publish change' | 'publish password'>;
    const file = 'files' in written ? written.files[0] : written;
    const isRefused = file?.failure?.problem.code === 'publish_password_refused';
    if (file?.target.kind === 'web' && !isRefused) {
      const key = { source: keyNumberOf(file.id), url: file.target.url, key: args.password };
      keys.keep(directory, key, encrypted);
      writes += 1;
      onChange();
    }
    return result;
  }

  return {
    async perform(name, args, performOptions) {
      if (argumentsUsedAs(name, 'password').length > 0) {
        const { data: withPassword } = PasswordArguments.safeParse(args);
        if (withPassword !== undefined) {
          return await performWithPassword(name, withPassword, performOptions);
        }
      }
      const [argument] = argumentsUsedAs(name, 'triedKey', 'syncKey');
      // The action explains a missing key.
      const { data } = argument === undefined ? {} : KeyArguments.safeParse(args);
      if (data !== undefined && catalogue[name].texts['key'] === 'syncKey') {
        return await performWithKey(name, data, performOptions);
      }
      // So that the page knows the place of the key before the club is connected.
      if (data !== undefined) void keys.encrypt(data.key).then(onChange);
      const result = await perform(name, args, performOptions);
      if (catalogue[name].forgetsKey) await match();
      return result;
    },
    match,
  };
}
