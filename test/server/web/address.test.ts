import { describe, expect, it } from 'vitest';
import {
  type AddressRules,
  isPrivate,
  labelOfAddress,
  parseAddress,
} from '../../../server/web/address.ts';

const rules: Readonly<Record<string, AddressRules>> = {
  plain: { http: 'this computer', invalid: 'mirror_url_invalid' },
  secret: {
    http: 'this computer',
    invalid: 'mirror_url_invalid',
    credentials: 'mirror_url_credentials',
    query: 'mirror_url_query',
    insecure: 'mirror_url_insecure',
  },
  encrypted: { http: 'nowhere', invalid: 'link_refused' },
};

describe('an address', () => {
  it.each([
    ['plain', ' https://x.org/a?b#c \n', 'https://x.org/a?b#c'],
    ['plain', 'http://127.0.0.1', 'http://127.0.0.1/'],
    ['plain', 'webcal://x.org/a.ics', 'https://x.org/a.ics'],
    ['plain', 'webcals://x.org/a.ics', 'https://x.org/a.ics'],
    ['plain', 'ftp://x.org', 'mirror_url_invalid'],
    ['plain', 'holidays.ics', 'mirror_url_invalid'],
    ['plain', 'https://name@x.org', 'mirror_url_invalid'],
    ['secret', 'HTTPS://X.org:443/api', 'https://x.org/api'],
    ['secret', 'http://127.1.2.3/', 'http://127.1.2.3/'],
    ['secret', 'http://localhost:80', 'http://localhost/'],
    ['secret', 'http://[::1]:9/v1', 'http://[::1]:9/v1'],
    ['secret', '', 'mirror_url_invalid'],
    ['secret', 'x.org:443', 'mirror_url_invalid'],
    ['secret', 'https://', 'mirror_url_invalid'],
    ['secret', 'https://x.org:99999', 'mirror_url_invalid'],
    ['secret', 'http://10.0.0.5', 'mirror_url_insecure'],
    ['secret', 'http://127.0.0.1.example.org', 'mirror_url_insecure'],
    ['secret', 'http://localhost.example.org', 'mirror_url_insecure'],
    ['secret', 'http://0.0.0.0', 'mirror_url_insecure'],
    ['secret', 'http://name:password@x.org', 'mirror_url_credentials'],
    ['secret', 'https://x.org/?', 'mirror_url_query'],
    ['secret', 'https://x.org/#events', 'mirror_url_query'],
    ['encrypted', 'https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['encrypted', 'http://127.0.0.1/', 'link_refused'],
    ['encrypted', 'https://:secret@example.org/', 'link_refused'],
    ['encrypted', 'javascript:alert(1)', 'link_refused'],
    ['encrypted', 'file:///etc/passwd', 'link_refused'],
    ['encrypted', 'ms-settings:', 'link_refused'],
  ])('of the kind “%s” reads %j as %s', (kind, text, expected) => {
    const parse = () => parseAddress(text, rules[kind] as AddressRules).href;
    if (expected.includes(':')) expect(parse()).toBe(expected);
    else expect(parse).toThrow(expect.objectContaining({ code: expected }));
  });

  it('is not repeated in its refusal if it has a secret', () => {
    for (const text of ['https://a:secret@x.org', 'http://x.org/?secret', 'secret']) {
      expect(() => parseAddress(text, rules['secret'] as AddressRules)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('secret') }),
      );
    }
  });

  it.each([
    ['https://x.org/s/secret/dates.ics?token=secret', 'x.org/…/dates.ics'],
    ['https://x.org:8443/calendars/secret?export', 'x.org:8443'],
    [`https://x.org/${'secret'.repeat(8)}.ics`, 'x.org'],
    ['https://x.org/dates.ics', 'x.org/dates.ics'],
    ['https://x.org/', 'x.org'],
  ])('%s is shown as %s', (text, label) => {
    expect(labelOfAddress(new URL(text))).toBe(label);
  });
});

it.each([
  ['127.0.0.1', true],
  ['[::1]', true],
  ['::', true],
  ['0.0.0.0', true],
  ['10.1.2.3', true],
  ['172.16.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['169.254.169.254', true],
  ['100.64.0.1', true],
  ['100.128.0.1', false],
  ['[fd00::1]', true],
  ['fe80::1%eth0', true],
  ['[::ffff:127.0.0.1]', true],
  ['::ffff:192.168.1.1', true],
  ['::ffff:93.184.216.34', false],
  ['2606:2800:220:1::1', false],
  ['93.184.216.34', false],
  ['localhost', false],
])('%s is an address of a local network: %s', (address, expected) => {
  expect(isPrivate(address)).toBe(expected);
});
