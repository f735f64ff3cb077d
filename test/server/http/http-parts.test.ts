import { describe, expect, it } from 'vitest';

import { AllowedHosts } from '../../../src/server/http/allowed-hosts.ts';
import { clientOf, subscriberOf } from '../../../src/server/http/client-of.ts';
import { isBearer } from '../../../src/server/http/is-bearer.ts';
import { accepts, encodingFor } from '../../../src/server/http/negotiate.ts';
import { RateLimiter } from '../../../src/server/http/rate-limiter.ts';
import { SignInCookie } from '../../../src/server/http/sign-in-cookie.ts';

describe('RateLimiter', () => {
  it('lets a burst pass, then as many as come back with time, each client for itself', () => {
    let now_ms = 0;
    const limiter = new RateLimiter({ burst: 2, per_s: 0.5 }, () => now_ms);
    expect([limiter.take('a'), limiter.take('a'), limiter.take('a')]).toEqual([undefined, undefined, 2]);
    expect(limiter.take('b')).toBeUndefined();
    now_ms += 1000;
    expect(limiter.take('a')).toBe(1);
    now_ms += 1000;
    expect([limiter.take('a'), limiter.take('a')]).toEqual([undefined, 2]);
  });

  it('does not fill up beyond its burst, and a clock that goes back gives nothing', () => {
    let now_ms = 1e9;
    const limiter = new RateLimiter({ burst: 1, per_s: 1 }, () => now_ms);
    limiter.take('a');
    now_ms -= 5e8;
    expect(limiter.take('a')).toBe(1);
    now_ms += 1e12;
    expect([limiter.take('a'), limiter.take('a')]).toEqual([undefined, 1]);
  });

  it('remembers only so many clients', () => {
    const limiter = new RateLimiter({ burst: 1, per_s: 0.001 }, () => 0);
    for (let number = 0; number < 30_000; number += 1) limiter.take(`client ${number}`);
    expect(limiter.size).toBe(10_000);
    expect(limiter.take('client 29999')).toBeGreaterThan(0);
  });
});

describe('subscriberOf', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['::1', '::1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('counts %s as %s', (address, client) => {
    expect(subscriberOf(address)).toBe(client);
  });
});

describe('clientOf', () => {
  it('believes a proxy on this machine, where there is one, about its own client only', () => {
    expect(clientOf('127.0.0.1', '6.6.6.6, 10.0.0.7', true)).toBe('10.0.0.7');
    expect(clientOf('127.0.0.1', '6.6.6.6', false)).toBe('127.0.0.1');
    expect(clientOf('10.0.0.9', '6.6.6.6', true)).toBe('10.0.0.9');
    expect(clientOf('127.0.0.1', 'nonsense <x>', true)).toBe('127.0.0.1');
    expect(clientOf('127.0.0.1', undefined, true)).toBe('127.0.0.1');
  });
});

describe('AllowedHosts', () => {
  it('has, beyond this machine, every address but only names that were told', () => {
    const hosts = new AllowedHosts('0.0.0.0', ['pawl.example.org']);
    for (const host of ['10.0.0.1', '[2001:db8::1]:7557', 'PAWL.example.org:443', 'localhost']) {
      expect(hosts.has(host)).toBe(true);
    }
    for (const host of [
      'evil.example',
      'pawl.example.org.evil',
      'a@localhost',
      'localhost:x',
      undefined,
      '[::1',
    ]) {
      expect(hosts.has(host)).toBe(false);
    }
  });
});

describe('SignInCookie', () => {
  const now = new Date('2026-11-01T00:00:00Z');
  const issued = (token: string) => new SignInCookie(token, false).issue(now).split(';')[0]!;

  it('ends after a week, and with its token', () => {
    const cookie = new SignInCookie('token', false);
    expect(cookie.isValid(issued('token'), now)).toBe(true);
    expect(cookie.isValid(issued('token'), new Date('2026-11-07T23:59:59Z'))).toBe(true);
    expect(cookie.isValid(issued('token'), new Date('2026-11-08T00:00:01Z'))).toBe(false);
    expect(cookie.isValid(issued('another'), now)).toBe(false);
  });

  it('takes no longer life than was signed', () => {
    const cookie = new SignInCookie('token', false);
    const [, value] = issued('token').split('=');
    const later = `pawl_session=9999999999.${value!.split('.')[1]}`;
    expect(cookie.isValid(later, now)).toBe(false);
    for (const header of [undefined, '', 'pawl_session=', 'pawl_session=1.2', '=;=;', 'x'.repeat(10_000)]) {
      expect(cookie.isValid(header, now)).toBe(false);
    }
  });
});

describe('isBearer', () => {
  it('knows its token only', () => {
    expect(isBearer('Bearer abc', 'abc')).toBe(true);
    expect(isBearer('bearer abc', 'abc')).toBe(true);
    for (const header of [
      undefined,
      '',
      'abc',
      'Bearer ',
      'Bearer abcd',
      'Bearer ab',
      'Basic abc',
      'Bearer abc\n',
    ]) {
      expect(isBearer(header, 'abc')).toBe(false);
    }
  });
});

describe('what clients ask for', () => {
  it.each([
    [undefined, true],
    ['*/*', true],
    ['application/*', true],
    ['text/html, application/json;q=0.5', true],
    ['application/json;q=0, */*', false],
    ['text/html', false],
  ])('%s takes JSON: %s', (header, taken) => {
    expect(accepts(header, 'application/json')).toBe(taken);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    [undefined, undefined],
  ])('%s is answered in %s', (header, encoding) => {
    expect(encodingFor(header)).toBe(encoding);
  });
});
