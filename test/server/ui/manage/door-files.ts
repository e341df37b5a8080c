import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { StoredEvent } from '../../../../db/model.ts';
import { writeCopy } from '../../../../server/copy/club-copy.ts';
import { writeProposals } from '../../../../server/proposals/proposals-file.ts';
import { testCopyFacts } from '../../../support/events.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { performIn } from './mirrored-club.ts';

const entry = (...lines: readonly string[]) =>
  ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');

/** A calendar with two holidays. */
export const holidays = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:test',
  entry('UID:1', 'DTSTART;VALUE=DATE:20990701', 'DTEND;VALUE=DATE:20990815', 'SUMMARY:Summer'),
  entry('UID:2', 'DTSTART;VALUE=DATE:20991225', 'SUMMARY:Christmas'),
  'END:VCALENDAR',
  '',
].join('\r\n');

const copied = [makeEvent(501, { name: 'Copied race', date: '2099-05-01T18:00:00.000Z' })];

/** Writes a file of each kind to a folder, and returns their paths. */
export async function writeKinds(folder: string) {
  const pathOf = (name: string) => join(folder, name);
  const contents = {
    'plan.csv': 'Name;Date;Place\nConcert;2099-05-01 18:00;Hall\n',
    'fixtures.csv': 'Name;Date;Place\nRovers - City;2099-05-08 15:00;Pitch\n',
    'holidays.ics': holidays,
    'rovers.json': writeCopy(copied as StoredEvent[], testCopyFacts),
    'answers.json': writeProposals(
      { club: 'a', sender: 'Tom', file: '0123456789ab', number: 1 },
      [],
    ),
    'season.pdf': '%PDF-1.7\n',
    'poster.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(pathOf(name), content);
  const earlier = makeTestHome();
  await addMember(earlier, 'Earlier club', [makeEvent(7, { name: 'Earlier race' })]);
  await performIn(earlier, 'backup', { output: pathOf('club.sqlite') });
  return {
    events: [pathOf('plan.csv')],
    other: [pathOf('fixtures.csv')],
    daysOff: [pathOf('holidays.ics')],
    backup: [pathOf('club.sqlite')],
    copy: [pathOf('rovers.json')],
    proposals: [pathOf('answers.json')],
    document: [pathOf('season.pdf')],
    unknown: [pathOf('poster.png')],
    plan: [pathOf('plan.csv'), pathOf('fixtures.csv')],
    mixed: [pathOf('plan.csv'), pathOf('holidays.ics'), pathOf('poster.png')],
    backups: [pathOf('club.sqlite'), pathOf('club.sqlite')],
  };
}

/** Pastes a text into an element, and returns true if the page took it. */
export async function pasteText(page: Page, text: string, selector = 'body'): Promise<boolean> {
  return page.locator(selector).evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const init = { clipboardData, bubbles: true, cancelable: true };
    return !element.dispatchEvent(new ClipboardEvent('paste', init));
  }, text);
}
