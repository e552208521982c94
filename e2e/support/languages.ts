import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** The languages besides English. */
export const LANGUAGES = ['pt', 'es', 'de', 'ar'] as const;

/** Returns a `prepare` function that chooses the browser's language. */
export const speaking = (language: string) => (page: Page) =>
  page.addInitScript((chosen) => localStorage.setItem('language', chosen), language);

export type Say = (text: string) => string;

/** Returns a function that returns a console's text in a language, also in English. */
export const sayIn = (language: string): Say =>
  language === 'en' ? (text) => text.replace(/ \[.*/, '') : inLanguage(language);

/** Returns a function that translates an English text, and fills in its values, as a client does. */
export function inLanguage(language: string, client: 'web' | 'fan' = 'web') {
  const file = new URL(`../../apps/${client}/src/locales/${language}.json`, import.meta.url);
  const catalogue = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return (text: string, values: Readonly<Record<string, string>> = {}): string => {
    const translation = catalogue[text];
    if (translation === undefined) throw new Error(`${language} has no translation for “${text}”`);
    return translation.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  };
}
