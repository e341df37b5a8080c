import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { median } from './measure.ts';

/** The time `serve` may take to its first answer, as a multiple of a bare `node:http` "hello". */
const mostTimesHello = 4;
const rounds = 11;

const hello = `require('node:http')
  .createServer((_request, response) => response.end('hello'))
  .listen(0, '127.0.0.1', function () {
    console.log('http://127.0.0.1:' + this.address().port);
  })`;

function fetchStatus(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    }).on('error', reject);
  });
}

/** Milliseconds from the start of a process to its answer at `path`, once it printed its URL. */
async function timeToFirstAnswer(args: readonly string[], path: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const { value: url } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const status = await fetchStatus(url + path);
  const elapsed = performance.now() - start;
  if (status !== 200) throw new Error(`${url}${path} answered ${status} instead of 200.`);
  child.kill();
  await new Promise((resolve) => child.once('exit', resolve));
  return elapsed;
}

const home = mkdtempSync(join(tmpdir(), 'club-events-bench-'));
try {
  const cli = join(import.meta.dirname, '../../server/cli.js');
  const times = { hello: [] as number[], serve: [] as number[] };
  const serve = [cli, 'serve', '--home', home, '--port', '0'];
  // The first round fills the caches of the operating system, and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const first = { hello: await timeToFirstAnswer(['-e', hello], '/') };
    const second = { serve: await timeToFirstAnswer(serve, '/health') };
    if (round === 0) continue;
    times.hello.push(first.hello);
    times.serve.push(second.serve);
  }
  const [bare, ours] = [median(times.hello), median(times.serve)];
  const ratio = ours / bare;
  console.log(`First answer from process start, medians of ${rounds} interleaved runs:`);
  console.log(`  bare node:http  ${bare.toFixed(0)} ms`);
  console.log(
    `  serve           ${ours.toFixed(0)} ms  = ${ratio.toFixed(2)} times (at most ${mostTimesHello})`,
  );
  if (!(ratio <= mostTimesHello)) process.exitCode = 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
