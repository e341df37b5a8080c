import { parentPort, workerData } from 'node:worker_threads';
import { beginEventImport } from '../../db/event-import.ts';
import { homeAt } from '../../server/base/home.ts';
import { withWriter } from '../../server/store/store.ts';
import { stepEvents } from './steps.ts';

// Writes one step after the other, as fast as it can, until the thread is ended.

const { directory, userId } = workerData as { directory: string; userId: number };

async function write(): Promise<void> {
  for (let step = 1; ; step += 1) {
    await withWriter(homeAt(directory), (db) => {
      const batch = beginEventImport(db, { userId, now: new Date().toISOString(), source: 'step' });
      for (const event of stepEvents(step)) batch.apply(event);
      batch.commit();
    });
    parentPort?.postMessage(step);
  }
}

await write();
