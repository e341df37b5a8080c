import { expect, it } from 'vitest';
import { splitLinks } from '../../../server/export/links-in-text.ts';
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
