import { existsSync } from 'node:fs';
import {
  ServiceStartError,
  type ServiceThread,
  type startServiceThread,
} from './service-thread.ts';
import { portsTried } from './settings.ts';

/** What is to be served, and where. */
export type ServiceTarget = {
  readonly home: string;
  /** Whether a home that is gone is a disk to be connected, rather than one to be made. */
  readonly mustExist: boolean;
  /** The first port to try. */
  readonly port: number;
};

export type StartTools = {
  readonly windowSecret: string;
  /** Told what keeps a running service from its full work. */
  readonly warn: (sentence: string) => void;
  readonly startThread: typeof startServiceThread;
};

/** The ports to try, first the one that scripts know from before. */
function portsFor({ port }: ServiceTarget, before: number | undefined): readonly number[] {
  const wanted = Array.from({ length: portsTried }, (_, index) => port + index);
  return before === undefined ? wanted : [before, ...wanted.filter((each) => each !== before)];
}

/**
 * Starts a service on its port, or on the next that no other program has. Throws a
 * `ServiceStartError`.
 */
export async function startOn(
  target: ServiceTarget,
  before: number | undefined,
  { windowSecret, warn, startThread }: StartTools,
): Promise<ServiceThread> {
  const { home, mustExist } = target;
  if (mustExist && !existsSync(home)) throw new ServiceStartError({ kind: 'missing' });
  return await startThread({ home, ports: portsFor(target, before), windowSecret }, warn);
}
