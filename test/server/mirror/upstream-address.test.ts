import { describe, expect, it } from 'vitest';
import { parseBaseUrl, parseUpstreamKey } from '../../../server/mirror/upstream-address.ts';

describe('the address of an online service', () => {
  it.each([
    ['https://x.org', 'https://x.org/'],
    [' https://x.org/ \n', 'https://x.org/'],
    ['https://x.org/api', 'https://x.org/api/'],
    ['https://x.org/api/', 'https://x.org/api/'],
    ['https://x.org/v1', 'https://x.org/'],
    ['https://x.org/v1/', 'https://x.org/'],
    ['https://x.org/v1/events', 'https://x.org/'],
    ['https://x.org/api/v1/events/', 'https://x.org/api/'],
    ['https://x.org/api//v1', 'https://x.org/api/'],
    ['https://x.org/v1/clubs', 'https://x.org/v1/clubs/'],
    ['https://x.org/apiv1', 'https://x.org/apiv1/'],
    ['HTTPS://X.org:443/', 'https://x.org/'],
    ['http://127.0.0.1:28470', 'http://127.0.0.1:28470/'],
    ['http://127.1.2.3/', 'http://127.1.2.3/'],
    ['http://localhost:80', 'http://localhost/'],
    ['http://[::1]:9/v1', 'http://[::1]:9/'],
  ])('the address of an online service %j is %s', (text, expected) => {
    expect(parseBaseUrl(text).href).toBe(expected);
  });

  it.each([
    ['', 'mirror_url_invalid'],
    ['x.org', 'mirror_url_invalid'],
    ['x.org:443', 'mirror_url_invalid'],
    ['localhost:28470', 'mirror_url_invalid'],
    ['ftp://x.org', 'mirror_url_invalid'],
    ['file:///etc/passwd', 'mirror_url_invalid'],
    ['https://', 'mirror_url_invalid'],
    ['https://x.org:99999', 'mirror_url_invalid'],
    ['http://x.org', 'mirror_url_insecure'],
    ['http://10.0.0.5', 'mirror_url_insecure'],
    ['http://127.0.0.1.example.org', 'mirror_url_insecure'],
    ['http://localhost.example.org', 'mirror_url_insecure'],
    ['http://0.0.0.0', 'mirror_url_insecure'],
    ['https://name@x.org', 'mirror_url_credentials'],
    ['https://name:password@x.org', 'mirror_url_credentials'],
    ['http://name:password@x.org', 'mirror_url_credentials'],
    ['https://x.org/?', 'mirror_url_query'],
    ['https://x.org/?key=secret', 'mirror_url_query'],
    ['http://x.org/?key=secret', 'mirror_url_query'],
    ['https://x.org/#events', 'mirror_url_query'],
  ])('the address of an online service %j is refused as %s', (text, code) => {
    expect(() => parseBaseUrl(text)).toThrow(expect.objectContaining({ code }));
  });

  it('the address of an online service is not repeated in its refusal if it has a secret', () => {
    for (const text of ['https://a:secret@x.org', 'http://x.org/?secret', 'secret']) {
      expect(() => parseBaseUrl(text)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('secret') }),
      );
    }
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
