import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../../db/model.ts';
import { fragmentOf, readAgain, testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { makeEvent, makeTestFolder } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { readOnce } from '../../../support/patience.ts';
import { openLaptop, openTwoLaptops } from '../../../support/second-laptop.ts';
import { callTool, connectAssistant } from '../../mcp/assistant.ts';
import { expectPartForEverybody } from '../axe.ts';
import { dropFiles } from './drop-files.ts';

const browser = testBrowser();

const events = [
  makeEvent(1, { name: 'Rovers v City', date: '2036-11-21T13:00:00.000Z', location: 'Ground' }),
  makeEvent(2, { name: 'Meeting', date: '2036-12-07T18:00:00.000Z' }),
  makeEvent(3, { name: 'Photo evening', date: '2036-11-24T18:00:00.000Z' }),
];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, id: number) => page.locator(`.agenda [data-event="${id}"]`);

describe('the second laptop', () => {
  it('proposes in the forms of the window, and sends, with its answers in the column', {
    tags: 'long',
  }, async () => {
    const { first, second, file, pass } = await openTwoLaptops(events);
    const { page } = await openDesktopPage(browser.current, second.home, {});
    await expect.poll(() => button(page, 'New proposal').count()).toBe(0);
    await row(page, 1).click();
    await page.getByText('Only the first computer can change it').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Propose a change' }).waitFor();
    await page.getByRole('textbox', { name: 'Time' }).fill('14:30');
    await button(page, 'Propose').click();
    await page.getByText('proposed, not sent yet').waitFor();
    await row(page, 1).getByText('Proposed', { exact: true }).waitFor();
    expect(await second.stored()).toEqual(await first.stored());

    await page.keyboard.press('3');
    await page.locator('.table-row[data-event="1"]').getByText('14:30').waitFor();
    await page.evaluate(() => {
      location.hash = '#view=calendar&day=2036-11-21&event=1';
    });
    await page.locator('.calendar-event[data-event="1"]').getByText('Proposed').waitFor();
    await page.keyboard.press('1');
    await row(page, 1).getByText('Proposed').waitFor();

    // The form shows what was proposed, and replaces it.
    await page.keyboard.press('e');
    const time = page.getByRole('textbox', { name: 'Time' });
    await expect.poll(() => time.inputValue()).toBe('14:30');
    await time.fill('15:00');
    await button(page, 'Propose').click();
    await page.getByRole('list', { name: 'Your proposals for this event' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.keyboard.type('Evening 25 Nov 2036 19:00 Clubhouse');
    await page.keyboard.press('Enter');
    await page.getByText('Proposed, new').waitFor();
    await page.getByText('2 proposals', { exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Mistake 26 Nov 2036 19:00');
    await page.keyboard.press('Enter');
    await page.getByText('3 proposals', { exact: true }).waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('Mistake: withdrawn').waitFor();
    await expectPartForEverybody(page, 'the proposals', '.columns');
    await page.getByRole('textbox', { name: 'Your name' }).fill('Tom');
    await page.getByRole('textbox', { name: /^A word with them/ }).fill('City is late.');
    const [folder, away] = [dirname(file), join(makeTestFolder(), 'away')];
    renameSync(folder, away);
    await button(page, 'Send 2 proposals').click();
    await page.getByText('2 proposals wait for the connection.').waitFor();
    renameSync(away, folder);
    await pass();
    await page.reload();
    await page.getByText('Sent, not answered yet').first().waitFor();

    const { proposals } = await first.perform('proposal review');
    expect(proposals).toMatchObject([
      { sender: 'Tom', note: 'City is late.', changes: [{ field: 'date' }] },
      { kind: 'add', event: { name: 'Evening' } },
    ]);
    const [moved, added] = proposals.map(({ id }) => id);
    await first.perform('proposal answer', {
      answers: [
        { proposal: moved, accepted: true },
        { proposal: added, accepted: false, reason: 'The hall is taken.' },
      ],
    });
    await pass();
    await page.reload();
    await page.getByText('refused. “The hall is taken.”').waitFor();
    await second.perform('proposal remove', { id: 3 });
    await page.reload();
    await button(page, 'Send 1 proposal').click();
    await page.getByText('1 proposal was sent.').waitFor();

    // The form shows what was sent, and a correction replaces it.
    await second.perform('proposal edit', { id: 2, changes: { date: '2036-12-07T19:30' } });
    await second.perform('proposal send');
    await page.reload();
    await row(page, 2).click();
    await page.keyboard.press('e');
    await expect.poll(() => page.getByRole('textbox', { name: 'Time' }).inputValue()).toBe('19:30');
    await page.getByRole('textbox', { name: 'Time' }).fill('19:45');
    await button(page, 'Propose').click();
    await page.getByRole('list', { name: 'Your proposals for this event' }).waitFor();
    await page.keyboard.press('Escape');
    await button(page, 'Send 1 proposal').click();
    await page.getByText('1 proposal was sent.').waitFor();
    const corrected = (await first.perform('proposal review')).proposals;
    expect(corrected.map(({ event }) => event.id)).toEqual([3, 2]);
    await page.getByRole('button', { name: 'Withdraw: Meeting' }).last().click();
    await page.getByText('withdrawn. Until a newer copy arrives').waitFor();
    expect((await first.perform('proposal review')).proposals).toHaveLength(1);
    const [sent = ''] = readdirSync(folder).filter((name) => name.includes('.proposals-'));
    rmSync(join(folder, sent));
    mkdirSync(join(folder, sent));
    await second.perform('proposal settle');
    await page.reload();
    await page.getByText('is a folder, not a file').waitFor();
    await expectPartForEverybody(page, 'the failure', '.columns');
    await button(page, 'Only look').click();
    await expect.poll(() => page.getByText('Answers to your proposals').count()).toBe(0);
  });
});

it.each(choose(['mirror status', 'proposal list'], ['mirror status']))(
  'opens the form with the proposed values if “%s” answers last',
  async (late) => {
    const { second } = await openTwoLaptops(events);
    await second.perform('proposal edit', { id: 2, changes: { date: '2036-12-07T19:30' } });
    const { page } = await openDesktopPage(browser.current, second.home, {
      beforeLoad: (opened) =>
        opened.addInitScript((name) => {
          const own = globalThis as unknown as {
            clubEvents: { perform: (args: { readonly name: string }) => Promise<unknown> };
            letGo: () => void;
          };
          const asked = Promise.withResolvers<void>();
          own.letGo = asked.resolve;
          const { perform } = own.clubEvents;
          own.clubEvents.perform = async (args) => {
            if (args.name === name) await asked.promise;
            return perform(args);
          };
        }, late),
    });
    await row(page, 2).click();
    await page.getByRole('heading', { name: 'Meeting' }).waitFor();
    await page.keyboard.press('e');
    await page.evaluate(() => (globalThis as unknown as { letGo(): void }).letGo());
    await page.getByRole('heading', { name: 'Propose a change' }).waitFor();
    const time = page.getByRole('textbox', { name: 'Time' });
    await expect.poll(() => time.inputValue()).toBe('19:30');
    await time.fill('19:45');
    await button(page, 'Propose').click();
    await page.getByRole('list', { name: 'Your proposals for this event' }).waitFor();
  },
);

it('shows an answer only together with the event that it changed', async () => {
  const { first, second, pass } = await openTwoLaptops(events);
  await second.perform('proposal edit', { id: 1, changes: { date: '2036-11-21T14:30' } });
  await second.perform('proposal send', { name: 'Tom' });
  const { page } = await openDesktopPage(browser.current, second.home, {});
  await page.getByText('Sent, not answered yet').first().waitFor();
  const [proposal] = (await first.perform('proposal review')).proposals;
  await first.perform('proposal answer', {
    answers: [{ proposal: proposal?.id, accepted: true }],
  });
  await pass();
  // The list of the events takes longer than the answers, which ask for it once more.
  const answered = Promise.withResolvers<void>();
  let lists = 0;
  await page.route('**/v1/events**', async (route) => {
    lists += 1;
    if (lists > 1) answered.resolve();
    await answered.promise;
    await route.continue();
  });
  await readAgain(page);
  await page.getByText(/accepted/).waitFor();
  expect(await readOnce(row(page, 1).innerText())).toContain('14:30');
  await page.unrouteAll({ behavior: 'wait' });
});

describe('the first laptop', () => {
  it('shows what needs a decision on top, and answers all as one change with one undo', {
    tags: 'long',
  }, async () => {
    const { first, second } = await openTwoLaptops(events);
    const propose = async (id: number, changes: object) => {
      second.clock.now += 1;
      await second.perform('proposal edit', { id, changes });
    };
    await propose(1, { date: '2036-11-21T14:30' });
    await propose(2, { date: '2036-12-07T18:30' });
    await propose(3, { description: 'Bring pictures' });
    await second.perform('proposal send', { name: 'Tom', note: 'City is late.' });
    await first.perform('event edit', { id: 2, changes: { date: '2036-12-07T18:45' } });
    const before = await first.stored();

    const { page, desk } = await openDesktopPage(browser.current, first.home, {});
    await page.getByRole('link', { name: '3 proposals from Tom' }).click();
    await page.getByRole('heading', { name: '3 proposals from Tom' }).waitFor();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Sources/ })
      .click();
    const plan = join(desk.folder, 'plan.csv');
    writeFileSync(plan, 'name,date\nParty,2036-12-20\n');
    await dropFiles(page, '.work', [plan]);
    // A started import keeps its place.
    await page.locator('.import-steps li').nth(1).and(page.locator('[aria-current]')).waitFor();
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Sources/ })
      .click();
    await page.getByText('The import of plan.csv is not finished.').waitFor();
    await button(page, 'Answer…').click();
    await page.getByRole('heading', { name: '3 proposals from Tom' }).waitFor();
    await expect.poll(() => fragmentOf(page)).toBe('#manage=proposals');
    await page.getByText('Tom saw: Time: 19:00').waitFor();
    const rows = page.locator('.received-table tbody tr');
    await rows
      .first()
      .getByRole('rowheader', { name: /^Meeting/ })
      .waitFor();
    await rows
      .first()
      .getByText(/^It is .*both of you changed it/)
      .waitFor();
    await button(page, 'Accept 2').waitFor();
    await expectPartForEverybody(page, 'the proposals');

    await rows.first().getByRole('radio', { name: 'Accept' }).focus();
    await page.keyboard.press('a');
    await page.keyboard.press('a');
    await page.keyboard.press('r');
    await page.keyboard.press('Tab');
    await page.keyboard.type('A hall is missing');
    const reason = page.getByRole('textbox', { name: 'Reason (Tom reads it)' });
    await expect.poll(() => reason.inputValue()).toBe('A hall is missing');
    await button(page, 'Accept 2, refuse 1').click();
    await page.getByText('2 accepted, 1 refused').waitFor();
    const stored = await first.stored();
    expect(stored.get(1)?.date).toBe('2036-11-21T13:30:00.000Z');
    expect(stored.get(2)?.date).toBe('2036-12-07T17:30:00.000Z');
    expect(stored.get(3)?.description).toBe(before.get(3)?.description);
    const { history } = await first.perform('history');
    expect(history[0]).toMatchObject({
      names: ['Rovers v City', 'Meeting'],
      proposedBy: [{ name: 'Tom', isAssistant: false }],
    });
    await page.keyboard.press('Control+z');
    await expect.poll(() => first.stored()).toEqual(before);
  });
});

describe('an assistant', () => {
  const zone = 'Europe/Berlin';

  /** Opens a club of a computer whose assistant proposes, and its window. */
  async function openAssisted(changes: readonly object[], all: readonly EventDraft[]) {
    const laptop = await openLaptop(all, Date.now());
    await laptop.perform('user assistant', { name: 'Rovers', propose: 'on' });
    const client = await connectAssistant(laptop.home, { zone, propose: true });
    const ask = (more: readonly object[]) =>
      callTool(client, 'propose', {
        assistant: 'Ada',
        why: 'You asked for an earlier start.',
        changes: more,
      });
    expect((await ask(changes)).text).toContain('proposed');
    const { page } = await openDesktopPage(browser.current, laptop.home, {});
    return { ...laptop, client, ask, page };
  }

  /** Trainings of twelve weeks. */
  const trainings = Array.from({ length: 12 }, (_, week) =>
    makeEvent(100 + week, {
      name: 'U15 training',
      date: new Date(Date.UTC(2037, 0, 6, 17, 30) + week * 7 * 86_400_000).toISOString(),
    }),
  );
  const earlier = trainings.map(({ id, date }) => ({ id, date: `${date.slice(0, 10)}T18:00` }));

  it('proposes, and nothing is chosen, grouped rows are answered by hand alone', async () => {
    const { page, stored, perform } = await openAssisted(
      [...earlier, { id: 1, cancel: 'City has no team' }, { name: 'Party', date: '2037-02-01' }],
      [...events, ...trainings],
    );
    const before = await stored();
    await page.getByRole('link', { name: '14 proposals from Ada' }).click();
    const heading = page.getByRole('heading', { name: '14 proposals from Ada' });
    await heading.waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await page.getByText(/by the assistant Ada\. Nothing changes before/).waitFor();
    await page.getByText('14 events at once.').waitFor();
    await page.getByText('Ada’s note. An assistant can be wrong').waitFor();
    const rows = page.locator('.received-table tbody tr');
    await rows.first().getByText('This cancels an event.').waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    await expect.poll(() => page.locator('.received-table input:checked').count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => button(page, 'Accept 14').count()).toBe(0);
    await expectPartForEverybody(page, 'the proposals of an assistant');

    const group = rows.filter({ hasText: 'U15 training, 12 events' });
    await group.getByRole('radio', { name: 'Accept' }).focus();
    await page.keyboard.press('a');
    await expect.poll(() => page.locator('.received-table input:checked').count()).toBe(0);
    await button(page, 'Show all 12').click();
    await expect.poll(() => rows.count()).toBe(14);
    await button(page, 'Accept 13 without a warning').click();
    await button(page, 'Accept 13').waitFor();
    await expect.poll(() => rows.first().locator('input:checked').count()).toBe(0);
    expect(await stored()).toEqual(before);
    await button(page, 'Accept 13').click();
    await page.getByRole('heading', { name: '1 proposal from Ada' }).waitFor();
    expect((await stored()).get(100)?.date).toBe('2037-01-06T17:00:00.000Z');
    await rows.first().getByRole('radio', { name: 'Refuse' }).click();
    await page.getByRole('textbox', { name: 'Reason (Ada reads it)' }).fill('They do.');
    await button(page, 'Refuse 1').click();
    await row(page, 1).waitFor();
    expect((await perform('proposal review')).proposals).toEqual([]);
    await page.keyboard.press('h');
    await page.getByText('proposed by Ada (assistant)').waitFor();
  });

  it('moves all Tuesdays to Wednesdays in one row', { tags: 'long' }, async () => {
    const moved = trainings.map(({ id, date }) => {
      const wednesday = new Date(Date.parse(date) + 86_400_000).toISOString();
      return { id, date: `${wednesday.slice(0, 10)}T18:30` };
    });
    const { page } = await openAssisted(moved, trainings);
    await page.getByRole('link', { name: '12 proposals from Ada' }).click();
    const rows = page.locator('.received-table tbody tr');
    await rows.getByText('Tuesday').first().waitFor();
    await rows.getByText('Wednesday', { exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('radio', { name: 'Accept' }).click();
    await button(page, 'Accept 12').waitFor();
  });

  it('may propose only while the switch is on, which keeps what waits', {
    tags: 'long',
  }, async () => {
    const { page, client, ask, perform } = await openAssisted([{ id: 1, name: 'Derby' }], events);
    const open = (screen: string) =>
      page.evaluate((name) => {
        location.hash = `#manage=${name}`;
      }, screen);
    await open('keys');
    const allowed = page.getByRole('switch', { name: 'It may propose changes' });
    await expect.poll(() => allowed.isChecked()).toBe(true);
    await page.getByText('change anything without your answer').waitFor();
    await page.getByText('1 proposal from Ada', { exact: true }).waitFor();
    await expectPartForEverybody(page, 'the switch');
    await allowed.click();
    await page.getByText('change, add or delete anything').waitFor();
    expect((await ask([{ id: 2, name: 'Other' }])).isError).toBe(true);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('propose');
    await page.getByText('1 proposal from Ada', { exact: true }).waitFor();
    expect((await perform('history')).history[0]?.setting).toMatchObject({ after: '0' });
    await open('history');
    await page.getByRole('heading', { name: 'Assistants may propose: on → off' }).waitFor();
  });
});
