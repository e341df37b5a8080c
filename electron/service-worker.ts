import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { isPortUnavailable, type Service, startService } from '../server/main.ts';
import { standardHost } from '../server/settings.ts';
import { problemOf } from './service-problem.ts';
import type { ServiceMessage, ServiceRequest } from './service-thread.ts';

function tell(message: ServiceMessage): void {
  parentPort?.postMessage(message);
}

const { home, ports, windowSecret } = workerData as ServiceRequest;

/** Starts the service on the first port that no other program has. */
async function startOnFreePort([port, ...others]: readonly number[]): Promise<Service> {
  const settings = { home, port: port ?? 0, windowSecret, host: standardHost, allowedOrigins: [] };
  const warn = (sentence: string) => tell({ kind: 'warning', sentence });
  try {
    return await startService(settings, { now: () => new Date(), warn });
  } catch (error) {
    if (others.length > 0 && isPortUnavailable(error)) return await startOnFreePort(others);
    throw error;
  }
}

try {
  const service = await startOnFreePort(ports);
  tell({ kind: 'running', baseUrl: service.baseUrl });
  // Whatever comes from the shell is the wish to end.
  if (parentPort) await once(parentPort, 'message');
  await service.close();
} catch (error) {
  tell({ kind: 'failed', problem: problemOf(error, home) });
}
