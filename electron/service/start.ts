import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createService,
  isPortUnavailable,
  type Service,
  type ServiceTools,
} from '../../server/main.ts';
import { defaultHost } from '../../server/settings.ts';
import { problemOf } from './problem.ts';
import type { StartRequest, StartResult } from './protocol.ts';

/** Interval between attempts to use the first port, in milliseconds. */
const portCheckEvery = 100;

/**
 * Starts on the first available port, and waits up to `patienceMs` for the first one. Throws the
 * error of the last port.
 */
async function startOnPort<Started>(
  start: (port: number) => Promise<Started>,
  [port = 0, ...others]: readonly number[],
  patienceMs: number,
): Promise<Started> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await start(port);
    } catch (error) {
      if (!isPortUnavailable(error)) throw error;
      if (performance.now() >= deadline) {
        if (others.length === 0) throw error;
        return await startOnPort(start, others, 0);
      }
    }
    await delay(portCheckEvery);
  }
}

/** Starts the service, or returns the problem that prevents it, with nothing left open. */
export async function startInProcess(
  { home, mustExist, ports, portPatienceMs, windowSecret }: StartRequest,
  warn: ServiceTools['warn'],
  watch: Pick<ServiceTools, 'onMiss'> = {},
): Promise<{ readonly result: StartResult; readonly service?: Service }> {
  if (mustExist && !existsSync(home)) {
    return { result: { kind: 'stopped', problem: { kind: 'missing' } } };
  }
  const start = async (port: number) => {
    const settings = { home, port, windowSecret, host: defaultHost, allowedOrigins: [] };
    const service = createService(settings, { now: () => new Date(), warn, ...watch });
    return { service, baseUrl: await service.run() };
  };
  try {
    const { service, baseUrl } = await startOnPort(start, ports, portPatienceMs);
    return { result: { kind: 'running', baseUrl }, service };
  } catch (error) {
    return { result: { kind: 'stopped', problem: problemOf(error, home) } };
  }
}
