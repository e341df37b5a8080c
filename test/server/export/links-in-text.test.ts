import { expect, it } from 'vitest';
import { mapAddress, splitContacts, splitLinks } from '../../../server/export/links-in-text.ts';
import { workedMs } from '../../support/measure.ts';

const linksIn = (text: string) =>
  [...splitLinks(text)].filter(({ isLink }) => isLink).map((part) => part.text);

it.each([
  ['Sign up: https://example.org/a?b=1&c=2.', ['https://example.org/a?b=1&c=2']],
  ['(see HTTP://example.org/map)', ['HTTP://example.org/map']],
  ['https://example.org/wiki/Club_(sport)!', ['https://example.org/wiki/Club_(sport)']],
  ['https://a.example, https://b.example', ['https://a.example', 'https://b.example']],
  ['javascript:alert(1) ftp://example.org www.example.org xhttps://example.org', []],
  ['https:// https://[', []],
  ['', []],
])('finds the links in %j', (text, links) => {
  expect(linksIn(text)).toEqual(links);
  expect([...splitLinks(text)].map((part) => part.text).join('')).toBe(text);
});

it('leaves out addresses that cannot be links', () => {
  const isSecure = ({ protocol }: URL) => protocol === 'https:';
  expect([...splitLinks('http://a.example https://b.example', isSecure)]).toEqual([
    { text: 'http://a.example ', isLink: false },
    { text: 'https://b.example', isLink: true },
  ]);
});

it('splits the longest note of punctuation within a second', () => {
  const text = `https://example.org/${')'.repeat(200_000)}x`;
  const began = workedMs();
  expect(linksIn(text)).toEqual([text]);
  expect(workedMs() - began).toBeLessThan(1_000);
});

const contactsIn = (text: string) =>
  splitContacts(text).flatMap(({ text: part, href }) => (href === null ? [] : [[part, href]]));

it.each([
  ['Call +49 (0)170 1234567.', [['+49 (0)170 1234567', 'tel:+491701234567']]],
  [
    '0170/1234567 or (030) 123 45 67',
    [
      ['0170/1234567', 'tel:01701234567'],
      ['(030) 123 45 67', 'tel:0301234567'],
    ],
  ],
  ['01.23.45.67.89', [['01.23.45.67.89', 'tel:0123456789']]],
  [
    '06 12 34 56 78, 020-1234567',
    [
      ['06 12 34 56 78', 'tel:0612345678'],
      ['020-1234567', 'tel:0201234567'],
    ],
  ],
  ['Ask maria.o@rovers.example.', [['maria.o@rovers.example', 'mailto:maria.o@rovers.example']]],
  [
    'https://a.example/?to=b@c.example&t=0301234567',
    [
      [
        'https://a.example/?to=b@c.example&t=0301234567',
        'https://a.example/?to=b@c.example&t=0301234567',
      ],
    ],
  ],
  // Days, times, prices and numbers.
  ['05.12.2026, 05/12/2026, 05-12-2026, 05.12.26, 2026-12-05', []],
  ['09.00-10.30, 08.15 09.30 Uhr, 18:30-20:00, 0:3, 01.05.2026 18.30', []],
  ['IBAN DE02 1203 0000 0000 2020 51, No. 1234567890, 0.05 EUR, 007', []],
  ['@rovers, a@b, maria@', []],
])('finds addresses and telephone numbers in %j', (text, contacts) => {
  expect(contactsIn(text)).toEqual(contacts);
  expect(
    splitContacts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
});

it('splits the longest notes of letters and digits within a second', () => {
  const began = workedMs();
  for (const text of ['a', 'a@', '0 ', '+1(', 'a.b@c.']) {
    expect(
      splitContacts(text.repeat(200_000))
        .map((part) => part.text)
        .join(''),
    ).toHaveLength(text.length * 200_000);
  }
  expect(workedMs() - began).toBeLessThan(1_000);
});

it.each([
  ['Mill Road, pitch 2', 'https://www.openstreetmap.org/search?query=Mill%20Road%2C%20pitch%202'],
  ['TBA', null],
  ['to be announced', null],
  ['wird noch bekannt gegeben', null],
  ['n. n.', null],
  ['à confirmer', null],
  ['nog te bepalen', null],
  ['???', null],
  ['https://meet.example/1', null],
  ['', null],
])('knows whether a map finds %j', (place, address) => {
  expect(mapAddress(place)).toBe(address);
});
