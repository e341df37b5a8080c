import { readdirSync, readFileSync, rmSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

// Waits for the end of a test run, however it ends, and then ends what the run has left.

const [, , mark = '', folder] = process.argv;

/** Returns the ids of the processes that have the mark of the run in their environment. */
function leftProcesses(): number[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(Number).filter((id) => {
    try {
      return id !== process.pid && readFileSync(`/proc/${id}/environ`, 'utf8').includes(mark);
    } catch {
      // It has ended, or belongs to another account.
      return false;
    }
  });
}

async function endAll(): Promise<void> {
  // A process may start another one while it is ended.
  for (let round = 0; round < 20; round += 1) {
    const left = leftProcesses();
    if (left.length === 0) break;
    for (const id of left) {
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    await delay(100);
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

// The runner holds the other end, which the system closes with it.
process.stdin.resume().once('close', () => void endAll());
