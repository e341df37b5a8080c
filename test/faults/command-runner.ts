import { unlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { runCommandLine } from '../../server/cli/program.ts';

/**
 * Runs command lines with the shim. Reads the arguments and an order to the shim from each line of
 * stdin, and writes the result as a line of JSON.
 */
type Line = { readonly args: readonly string[]; readonly order: string };

function collect(pieces: string[]): Writable {
  return new Writable({
    write(piece, _encoding, done) {
      pieces.push(String(piece));
      done();
    },
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { args, order } = JSON.parse(line) as Line;
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const streams = { stdout: collect(stdout), stderr: collect(stderr) };
  const fake = { ...streams, env: {}, umask: () => 0, exitCode: undefined };
  unlinkSync(`/fault/${order}`);
  await runCommandLine(fake as unknown as NodeJS.Process, args);
  unlinkSync('/fault/0 none');
  unlinkSync('/fault/log ');
  const result = { status: fake.exitCode ?? 0, stdout: stdout.join(''), stderr: stderr.join('') };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
