import { expect, it } from 'vitest';
import { softHyphens } from '../../../server/ui/base/hyphens.ts';
import { testBrowser } from '../../support/browser.ts';
import { shareDesktop } from '../../support/desktop-page.ts';
import { addMember, makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { writeTestFile } from '../import/files.ts';
import { brokenWords } from './broken-words.ts';
import { ready } from './sheets.ts';

const names = [
  'Vorstandssitzung',
  'Weihnachtsfeier im Vereinsheim',
  'Neujahrsempfang',
  'Jahreshauptversammlung',
  'Mitgliederversammlung des Fördervereins',
  'Donaudampfschifffahrtsgesellschaft',
  'Schwimmtraining',
];

const desktop = shareDesktop(testBrowser(), (home) =>
  addMember(
    home,
    'Verein',
    names.map((name, index) =>
      makeEvent(index + 1, {
        name,
        date: `2099-05-${10 + index}T17:00:00.000Z`,
        location: 'Halle',
      }),
    ),
  ),
);

const german = { settings: { language: 'de' } } as const;

it('breaks words between syllables only, and no address', () => {
  const shown = (text: string) => softHyphens(text).replaceAll('\u00ad', '·');
  expect(names.map(shown)).toEqual([
    'Vor·stands·sit·zung',
    'Weih·nachts·feier im Vereinsheim',
    'Neu·jahrsemp·fang',
    'Jah·reshaupt·versamm·lung',
    'Mit·glie·der·versamm·lung des För·der·vereins',
    'Donau·dampf·schiff·fahrts·ge·sell·schaft',
    'Schwimm·trai·ning',
  ]);
  expect(['committee', 'Entraînement', 'Nieuwjaarsreceptie', 'Hall'].map(shown)).toEqual([
    'com·mit·tee',
    'Entraî·ne·ment',
    'Nieuw·jaars·re·cep·tie',
    'Hall',
  ]);
  const address = 'https://example.org/vorstandssitzung info@vorstandssitzung.example';
  expect(softHyphens(address)).toBe(address);
});

it('breaks no word at a letter on a month sheet', async () => {
  const { page } = await desktop.show('#print=month&day=2099-05-02', { desk: german });
  await ready(page);
  const sheet = '.studio-pages .sheet-page .sheet-grid';
  await page.locator(sheet).getByText('Vorstandssitzung').waitFor();
  expect(await brokenWords(page, `${sheet} li`)).toEqual([]);
});

it('breaks no word at a letter in a calendar beside an event', async () => {
  for (const width of choose([1280, 1152, 1024], [1280])) {
    const { page } = await desktop.show('#view=calendar&day=2099-05-10&event=1', { desk: german });
    await page.setViewportSize({ width, height: 800 });
    await page.locator('.calendar-event', { hasText: 'Vorstandssitzung' }).waitFor();
    await expect
      .poll(() => brokenWords(page, '.calendar-event'), { message: `${width}` })
      .toEqual([]);
  }
});

it('breaks no word at a letter in the check of an import', async () => {
  const { page, desk } = await desktop.show('#manage=import', { desk: german });
  const rows = names.map((name) => `${name};2.5.2099;Halle`);
  desk.chosen = [writeTestFile('termine.csv', ['Titel;Datum;Ort', ...rows].join('\n'))];
  await page.locator('.import-drop button').click();
  await page.locator('.import-map').waitFor();
  await page.locator('.work-foot button').last().click();
  await page.locator('.import-check').waitFor();
  for (const width of choose([1280, 1152, 1024, 390], [1280, 390])) {
    await page.setViewportSize({ width, height: 800 });
    await expect
      .poll(() => brokenWords(page, '.import-check td'), { message: `${width}` })
      .toEqual([]);
  }
});
