import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDistribution } from '../support/distribution.ts';
import { addMember, makeEvent, makeFolder, makeTestHome, removeFolder } from '../support/home.ts';
import { packApplication, readPacked, runsPacked } from '../support/packing.ts';
import { launchDesktop } from './driver/desktop.ts';

const folder = makeFolder();
const application = join(folder, 'application');

// Out of its archive, which Electron alone reads as a folder.
beforeAll(async () => {
  const target = join(folder, 'out');
  const distribution = await makeDistribution(folder);
  await packApplication(['--linux', '--x64', '--dir'], { distribution, target });
  readPacked(join(target, 'linux-unpacked/resources')).extract(application);
}, 60_000);
afterAll(() => removeFolder(folder));

describe.runIf(runsPacked)('the packed application', () => {
  it('opens its window on the events, with its sign in the tray, and tells its licences', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1, { date: '2099-05-01T18:00:00.000Z' })]);
    const desktop = await launchDesktop({ application, home });
    await desktop.page.getByRole('button', { name: /Event 1/ }).waitFor();
    expect((await desktop.tray())?.toolTip).toContain('Club Events');
    const licences = await desktop.page.evaluate(() => {
      const { clubEvents } = globalThis as unknown as {
        clubEvents: { readLicences(args: null): Promise<unknown> };
      };
      return clubEvents.readLicences(null);
    });
    expect(licences).toMatchObject({ ok: true, value: expect.stringContaining('\nkoa 3') });
    expect(await desktop.quit()).toBe(0);
  });
});
