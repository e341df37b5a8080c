import { describe, expect, it } from 'vitest';
import {
  parseBaseUrl,
  parseFileAddress,
  parseUpstreamKey,
} from '../../../server/mirror/upstream-address.ts';

describe('the address of an online service', () => {
  it.each([
    ['https://x.org', 'https://x.org/'],
    [' https://x.org/ \n', 'https://x.org/'],
    ['https://x.org/api', 'https://x.org/api/'],
    ['https://x.org/v1', 'https://x.org/'],
    ['https://x.org/v1/', 'https://x.org/'],
    ['https://x.org/v1/events', 'https://x.org/'],
    ['https://x.org/api/v1/events/', 'https://x.org/api/'],
    ['https://x.org/api//v1', 'https://x.org/api/'],
    ['https://x.org/v1/clubs', 'https://x.org/v1/clubs/'],
    ['https://x.org/apiv1', 'https://x.org/apiv1/'],
    ['http://127.0.0.1:28470', 'http://127.0.0.1:28470/'],
  ])('the address of an online service %j is %s', (text, expected) => {
    expect(parseBaseUrl(text).href).toBe(expected);
  });

  it.each([
    ['ftp://x.org', 'mirror_url_invalid'],
    ['http://x.org', 'mirror_url_insecure'],
    ['https://name@x.org', 'mirror_url_credentials'],
    ['https://x.org/?key=secret', 'mirror_url_query'],
  ])('the address of an online service %j is refused as %s', (text, code) => {
    expect(() => parseBaseUrl(text)).toThrow(expect.objectContaining({ code }));
  });

  it('of a file may have a query', () => {
    expect(parseFileAddress('https://x.org/s/1?dl=1#top').href).toBe('https://x.org/s/1?dl=1');
    expect(() => parseFileAddress('http://x.org/club.json')).toThrow(
      expect.objectContaining({ code: 'mirror_file_insecure' }),
    );
  });
});

describe('the key of an online service', () => {
  it.each([
    ['ce_123', 'ce_123'],
    [' abc.-_~+/= \n', 'abc.-_~+/='],
    ['x'.repeat(1000), 'x'.repeat(1000)],
  ])('the key of an online service %j is sent as %s', (text, key) => {
    expect(parseUpstreamKey(text)).toBe(key);
  });

  it.each(['', ' ', 'two words', 'a\tb', 'a\nb', 'a\r\nX: b', 'clé', 'a\0b', 'x'.repeat(1001)])(
    'the key of an online service %j is refused',
    (text) => {
      const refusal = expect.objectContaining({ code: 'mirror_key_invalid' });
      expect(() => parseUpstreamKey(text)).toThrow(refusal);
    },
  );
});
