import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';

const browser = testBrowser();

it('links in the desktop window open through the shell; addresses that it would refuse are text', async () => {
  const home = makeTestHome();
  const description = 'See https://a.example/x, http://b.example and https://you@c.example.';
  await addMember(home, 'Chess', [makeEvent(1, { description, location: 'Chess café' })]);
  const { page, desk } = await openDesktopPage(browser.current, home, { fragment: '#event=1' });
  const links = page.locator('.panel-description a');
  await links.first().waitFor();
  await expect.poll(() => links.allInnerTexts()).toEqual(['https://a.example/x']);
  await links.first().click();
  await expect.poll(() => desk.asked).toEqual(['link https://a.example/x']);
  await page.getByRole('link', { name: 'Map' }).click();
  const map = 'https://www.openstreetmap.org/search?query=Chess%20caf%C3%A9';
  await expect.poll(() => desk.asked.at(-1)).toBe(`link ${map}`);
  expect(page.context().pages()).toHaveLength(1);
});
