import process from 'node:process';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { median, repeat } from '../../support/measure.ts';
import { read } from './csv-reading.ts';

/** Returns the processor time of a reading, in milliseconds. */
async function measure(reading: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await reading();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

it('reads a large table hardly slower than csv-parse alone', async () => {
  const time = '2026-05-01T18:00:00.000Z';
  const rows = Array.from(
    { length: 100_000 },
    (_, at) => `${at},Event ${at},${time},Hall,"Some, text",active,club,true,${time}`,
  );
  const header = 'id,name,date,location,description,status,eventType,registrationOpen,createdAt';
  const bytes = Buffer.from([header, ...rows].join('\n'));
  const runs = await repeat(3, async () => ({
    alone: await measure(() => parse(bytes)),
    whole: await measure(() => read(bytes)),
  }));
  const alone = median(runs.map((run) => run.alone));
  const whole = median(runs.map((run) => run.whole));
  process.stdout.write(`100,000 rows: csv-parse ${alone} ms, with the checks ${whole} ms\n`);
  expect(whole).toBeLessThan(alone * 4);
}, 300_000);
