import { existsSync } from 'node:fs';
import { defaultHost } from '../../server/base/settings.ts';
import { loadWriters } from '../../server/export/list-writers.ts';
import {
  createService,
  type Service,
  type ServiceTools,
  startOnPort,
} from '../../server/service/service.ts';
import { problemOf } from './problem.ts';
import type { StartRequest, StartResult } from './protocol.ts';

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
    const service = createService(settings, {
      now: () => new Date(),
      warn,
      loadWriters,
      ...watch,
    });
    return { service, baseUrl: await service.run() };
  };
  try {
    const { service, baseUrl } = await startOnPort(start, ports, portPatienceMs);
    return { result: { kind: 'running', baseUrl }, service };
  } catch (error) {
    return { result: { kind: 'stopped', problem: problemOf(error, home) } };
  }
}
