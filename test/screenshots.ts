import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Browser } from 'playwright-core';
import { catalogue } from '../server/actions/catalogue.ts';
import { type Home, homeAt } from '../server/base/home.ts';
import { createDemo } from '../server/club/demo.ts';
import { type ActionTools, thisMachine } from '../server/club/tools.ts';
import { loadWriters } from '../server/export/list-writers.ts';
import { createService } from '../server/service/service.ts';
import { launchBrowser } from './support/browser.ts';
import { makeFolder, removeFolder } from './support/home.ts';

/** Makes the pictures of the page, and the one at the top of the README, from the real program. */

const root = join(import.meta.dirname, '..');
const target = join(root, 'server/ui/screenshots');

/** The pictures of the demo club: a name, its theme, and the address of the view. */
const pictures = [
  ['agenda', 'light', ''],
  ['calendar', 'dark', '#view=calendar'],
  ['event', 'light', '#event=142'],
  ['year', 'light', '#view=calendar&span=year'],
] as const;

const view = { locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' } as const;
// The clubs get the zone of this computer, and the pictures show it where the page has another one.
process.env['TZ'] = view.timezoneId;

function toolsFor(home: Home): ActionTools {
  return { ...thisMachine, home, write: async () => undefined, onProgress: () => undefined };
}

async function serve<Result>(
  home: string,
  now: () => Date,
  use: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  const service = createService(
    { home, host: '127.0.0.1', port: 0, allowedOrigins: [] },
    { now, warn: () => undefined, loadWriters },
  );
  try {
    return await use(await service.run());
  } finally {
    await service.stop();
  }
}

async function takePictures(browser: Browser, baseUrl: string, key: string): Promise<void> {
  for (const [name, colorScheme, fragment] of pictures) {
    const viewport = { width: 1200, height: 750 };
    const context = await browser.newContext({ ...view, colorScheme, viewport });
    const page = await context.newPage();
    await page.goto(`${baseUrl}/#key=${key}`);
    await page.getByText('60 events').waitFor();
    await page.goto(`${baseUrl}/${fragment}`);
    await page.waitForTimeout(800);
    await page.screenshot({ path: join(target, `${name}-${colorScheme}.png`) });
    await context.close();
  }
}

/** An untidy spreadsheet, as clubs have it; it is imported as it stands. */
const sheet: readonly (readonly string[])[] = [
  ['HARBOUR ROVERS - Fixtures 26/27 (new!!)'],
  ['Date', 'Time', 'What', 'Where', 'Type', 'Notes'],
  ['NOVEMBER 2026'],
  ['Thu 19 Nov', '18.30', 'U15 training', 'Sports hall', 'club', ''],
  ['21.11.', '2 pm', 'Rovers v City', 'Home Ground', 'regional', ''],
  ['Sun 22 Nov', '10:00', 'U15: Rovers v Kingsway', 'Mill Road, pitch 2', 'regional', ''],
  ['24.11.26', '7.30 pm', 'Photo evening', 'clubhouse', '', ''],
  ['28.11.2026', '15:00', 'Athletic v Rovers', 'Mill Road', 'regional', 'cancelled due to frost'],
  ['DECEMBER 2026'],
  ['Sat 5 Dec', '9 am', 'Regional indoor tournament', 'Northfield Arena', 'regional', ''],
  ['7.12.26', '19h', 'AGM', 'Town hall', 'club', ''],
  ['Total: 7'],
];

/** The moment of the picture at the top. */
const heroNow = new Date('2026-11-19T07:41:00Z');

type Story = { readonly window: string; readonly answer: Readonly<Record<string, unknown>> };

/** Imports the spreadsheet, and returns a picture of the page and an answer of the service. */
async function playStory(browser: Browser, folder: string): Promise<Story> {
  const home = homeAt(join(folder, 'rovers'));
  const tools = { ...toolsFor(home), now: () => heroNow };
  const file = join(folder, 'fixtures.csv');
  writeFileSync(file, sheet.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n'));
  const user = 'Harbour Rovers';
  await catalogue['user add'].perform({ name: user }, tools);
  const timeZone = view.timezoneId;
  await catalogue.import.perform({ files: [file], user, timeZone }, tools);
  const { key } = await catalogue['key create'].perform({ user, label: 'picture' }, tools);
  return await serve(home.directory, tools.now, async (baseUrl) => {
    const viewport = { width: 600, height: 640 };
    const page = await browser.newPage({ ...view, viewport, deviceScaleFactor: 2 });
    await page.clock.setFixedTime(heroNow);
    await page.goto(`${baseUrl}/#key=${key}`);
    await page.getByText('AGM').first().waitFor();
    await page.waitForTimeout(800);
    const picture = await page.screenshot();
    await page.close();
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${baseUrl}/v1/events?q=kingsway`, { headers });
    const { events } = (await response.json()) as { events: Story['answer'][] };
    const [answer] = events;
    if (answer === undefined) throw new Error('The story has lost its match.');
    return { window: picture.toString('base64'), answer };
  });
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Colours a value as jq does. */
function colour(value: unknown): string {
  const kind = typeof value === 'string' ? 's' : 'n';
  return `<span class="${kind}">${escapeHtml(JSON.stringify(value))}</span>`;
}

function composeSheet(): string {
  const rows = sheet.map((cells, at) => {
    const kind = ['title', 'head'][at] ?? (/^[A-Z]+ \d{4}$/.test(cells[0] ?? '') ? 'month' : '');
    const marked = cells.some((cell) => cell.startsWith('cancelled')) ? ' marked' : '';
    const width = cells.length === 1 ? ' colspan="6"' : '';
    const body = cells.map((cell) => `<td${width}>${escapeHtml(cell)}</td>`).join('');
    return `<tr class="${kind}${marked}"><th>${at + 1}</th>${body}</tr>`;
  });
  const letters = ['', ...'ABCDEF'].map((letter) => `<th>${letter}</th>`).join('');
  const columns = [40, 134, 92, 258, 170, 90, 200].map((px) => `<col style="width:${px}px">`);
  return `<table><colgroup>${columns.join('')}</colgroup><tr>${letters}</tr>${rows.join('')}</table>`;
}

function composeTerminal(answer: Story['answer']): string {
  const members = Object.entries(answer).map(
    ([name, value]) => `  <span class="k">"${name}"</span>: ${colour(value)}`,
  );
  return `<span class="p">$</span> curl -s -H "Authorization: Bearer $KEY" \\
    "$URL/v1/events?q=kingsway" |
    jq '.events[0]'
{
${members.join(',\n')}
}
<span class="p">$</span>`;
}

/** Composes the page of 1600 × 900 that is the picture at the top. */
function composeHero({ window, answer }: Story): string {
  const read = (path: string) => readFileSync(join(root, path)).toString('base64');
  const font = read('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  const icon = `data:image/svg+xml;base64,${read('server/ui/base/icon.svg')}`;
  return `<!doctype html><meta charset="utf-8"><style>
@font-face { font-family: Inter; src: url(data:font/woff2;base64,${font}); font-weight: 100 900 }
body { position: relative; width: 1600px; height: 900px; margin: 0; overflow: hidden; color: #14212a;
  font: 23px/1.3 Inter; background: radial-gradient(60rem 40rem at 82% 108%, #bfe3e8 0, transparent 70%),
  radial-gradient(50rem 36rem at 6% 0, #fff6d6 0, transparent 65%), linear-gradient(160deg, #f7fafb, #e6f0f2) }
body > * { position: absolute }
header { left: 60px; top: 44px; display: flex; gap: 24px; align-items: center }
header img { width: 84px } h1 { margin: 0; font: 680 52px/1.1 Inter; letter-spacing: -.03em }
header p { margin: 0; font-size: 29px; color: #4c5b66; letter-spacing: -.01em }
.step { display: flex; gap: 12px; align-items: center; font-weight: 650; white-space: nowrap }
.step b { display: grid; place-items: center; width: 36px; height: 36px; border-radius: 50%;
  background: #0b7285; color: #fff; font-size: 19px }
.sheet { left: 36px; top: 262px; width: 560px; rotate: -2.2deg; transform-origin: 0 0; overflow: hidden;
  border: 1px solid #c3ccd1; border-radius: 8px; background: #fff; box-shadow: 0 18px 44px rgb(16 32 40 / 16%);
  font: 19px/1.25 Carlito, Arial, "Liberation Sans", sans-serif }
table { border-collapse: collapse; width: 984px; table-layout: fixed }
td, tr > th { height: 40px; padding: 0 7px; border: 1px solid #d9dfe2; overflow: hidden; white-space: nowrap;
  text-align: left; font-weight: 400 }
th { background: #eef1f2; color: #5a656d; text-align: center !important; padding: 0 !important }
.title td { background: #ffef9c; color: #9b1c1c; font: 700 23px Arial, sans-serif }
.head td { background: #dfe9f6; font-weight: 700 }
.month td { background: #e4e4e4; font-weight: 700; text-decoration: underline }
.marked td:nth-child(4), .marked td:nth-child(7) { background: #ffd9d9 }
.window { left: 466px; top: 236px; width: 600px; height: 640px; border: 1px solid #cfd7db; border-radius: 14px;
  box-shadow: 0 30px 70px rgb(16 32 40 / 26%) }
.terminal { left: 1060px; top: 344px; width: 508px; border-radius: 14px; overflow: hidden; background: #11171a;
  color: #dfe7ea; box-shadow: 0 30px 70px rgb(16 32 40 / 36%) }
.terminal p { display: flex; justify-content: space-between; margin: 0; padding: 12px 20px; background: #1c2429;
  font-size: 19px; color: #a9b4bd } .terminal p b { color: #ffe58f; font-weight: 600 }
pre { margin: 0; padding: 18px 20px 22px; font: 18px/1.42 "DejaVu Sans Mono", monospace; letter-spacing: -.035em }
.p { color: #62cfe0 } .k { color: #7fb4ff } .s { color: #8fdc9f } .n { color: #c0c8cd }
</style>
<header><img src="${icon}"><div><h1>Club Events</h1>
<p>A club’s season on its own computer. For people and for scripts, with or without a connection.</p></div></header>
<div class="step" style="left:60px;top:190px"><b>1</b>The spreadsheet you have</div>
<div class="sheet">${composeSheet()}</div>
<div class="step" style="left:488px;top:190px"><b>2</b>The season in one window</div>
<img class="window" src="data:image/png;base64,${window}">
<div class="step" style="left:1098px;top:294px"><b>3</b>Your scripts, offline</div>
<div class="terminal"><p>Terminal<b>No connection</b></p><pre>${composeTerminal(answer)}</pre></div>`;
}

const folder = makeFolder();
const demo = await createDemo(toolsFor(homeAt(join(folder, 'home'))));
const browser = await launchBrowser();
try {
  mkdirSync(target, { recursive: true });
  await serve(
    demo.directory,
    () => new Date(),
    (baseUrl) => takePictures(browser, baseUrl, demo.key),
  );
  const story = await playStory(browser, folder);
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
  await page.setContent(composeHero(story));
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(target, 'hero.png') });
} finally {
  await browser.close();
  demo.remove();
  removeFolder(folder);
}
