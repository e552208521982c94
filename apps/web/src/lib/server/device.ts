import { t } from '../text/i18n.ts';

/** Browsers and systems by their names in the user agent. If it contains several, the first in this list counts. */
const BROWSERS = [
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const HANDHELD: ReadonlySet<string> = new Set(['iPhone', 'iPad', 'Android']);

export interface Device {
  name: string;
  isHandheld: boolean;
}

type Signs = readonly (readonly [RegExp, string])[];
const named = (signs: Signs, text: string) => signs.find(([sign]) => sign.test(text))?.[1];

/** Returns a readable name for the browser that sent a user agent. */
export function deviceOf(userAgent: string | null): Device {
  const text = userAgent ?? '';
  const browser = named(BROWSERS, text);
  const system = named(SYSTEMS, text);
  const name =
    browser && system ? t('{browser} on {system}', { browser, system }) : (browser ?? system);
  return {
    name: name ?? t('Unknown device'),
    isHandheld: system !== undefined && HANDHELD.has(system),
  };
}
