import type { z } from 'zod';
import type { ActionName, Progress, SyncInterval } from '../../server/actions/bridge.ts';
import type { ListUsers, listUsers } from '../../server/club/user-actions.ts';
import type { PackedProblem } from '../../server/messages/message.ts';
import type { UpstreamKey } from '../../server/store/upstream-keys.ts';
import type { ServiceProblem } from './problem.ts';

export type StartRequest = {
  readonly home: string;
  /** True if a missing home is an error, because its disk is not connected. */
  readonly mustExist: boolean;
  /** The ports to try, in this order. */
  readonly ports: readonly number[];
  /** Time to wait for the system to release the first port, in milliseconds. */
  readonly portPatienceMs: number;
  readonly windowSecret: string;
};

export type StartResult =
  | { readonly kind: 'running'; readonly baseUrl: string }
  | { readonly kind: 'stopped'; readonly problem: ServiceProblem };

/**
 * The key of a source, whose id is unique only within its database; or the password of a published
 * file, under a negative number (`keyNumberOf`).
 */
export type SourceKey = UpstreamKey & { readonly source: number };

/** Values for the syncs with online services, which may change while the service runs. */
export type ServiceConfiguration = {
  readonly syncMinutes: SyncInterval;
  readonly upstreamKeys: readonly SourceKey[];
};

export type ServiceCalls = {
  readonly start: { readonly args: StartRequest; readonly value: StartResult };
  /** Prepares a chosen folder and returns its data directory. */
  readonly prepareHome: { readonly args: { readonly folder: string }; readonly value: string };
  readonly listUsers: {
    readonly args: z.input<typeof ListUsers>;
    readonly value: Awaited<ReturnType<typeof listUsers>>;
  };
  /** Performs an action of the catalogue on the data of the running service, or of `home`. */
  readonly perform: {
    readonly args: { readonly name: ActionName; readonly args: unknown; readonly home?: string };
    readonly value: unknown;
  };
};
export type ServiceCallName = keyof ServiceCalls;

type Call<Name extends ServiceCallName> = {
  readonly kind: 'call';
  readonly id: number;
  readonly name: Name;
  readonly args: ServiceCalls[Name]['args'];
};
export type AnyCall = { readonly [Name in ServiceCallName]: Call<Name> }[ServiceCallName];

export type ToService =
  | AnyCall
  /** Cancels a call; its changes are undone. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'configure'; readonly configuration: ServiceConfiguration }
  /** Reports that the computer woke, so that syncs need not wait for their interval. */
  | { readonly kind: 'wake' }
  /** Ends the service and the process. */
  | { readonly kind: 'stop' };

/** Messages from the service process to the shell; a result, failure or fault ends a call. */
export type FromService =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly problem: PackedProblem }
  /** A bug, for the log. */
  | { readonly kind: 'fault'; readonly id: number; readonly trace: string }
  /** A limitation of the running service. */
  | { readonly kind: 'warning'; readonly problem: PackedProblem };
