import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** A program that adds a user and is killed right after the commit. */
const program = `
  const { openWriter } = await import('./db/open.ts');
  const { insertUser } = await import('./db/users.ts');
  const [path, name] = process.argv.slice(1);
  insertUser(openWriter(path), name, '2026-01-01T00:00:00.000Z');
  process.kill(process.pid, 'SIGKILL');
`;

/** Adds a user to the database of a home, in a process that is killed right after the commit. */
export function crashAfterCommit(home: string, user: string): Promise<void> {
  const database = join(home, 'events.sqlite');
  const args = ['--input-type=module', '--eval', program, database, user];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (_, signal) => {
      if (signal === 'SIGKILL') resolve();
      else reject(new Error(stderr));
    });
  });
}
