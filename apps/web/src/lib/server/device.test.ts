import { describe, expect, it } from 'vitest';
import { deviceOf } from './device.ts';

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

describe('the device of a session', () => {
  it.each([
    [`${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
    [
      `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`,
      'Safari on macOS',
    ],
    [`${MAC} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`,
      'Chrome on ChromeOS',
    ],
  ])('is readable: %s', (userAgent, name) => {
    expect(deviceOf(userAgent)).toEqual({ name, isHandheld: false });
  });

  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`,
      'Chrome on Android',
    ],
  ])('is known to be handheld: %s', (userAgent, name) => {
    expect(deviceOf(userAgent)).toEqual({ name, isHandheld: true });
  });

  it('may be unknown', () => {
    expect(deviceOf(null).name).toBe('Unknown device');
    expect(deviceOf('curl/8.0').name).toBe('Unknown device');
  });
});
