import { i18n, type Messages } from '@lingui/core';
import { compileSource } from './message-source.ts';

/** The languages' own names. */
export const LANGUAGES = {
  en: 'English',
  pt: 'Português',
  es: 'Español',
  de: 'Deutsch',
  ar: 'العربية',
} as const;

export type Language = keyof typeof LANGUAGES;

/** Where the choice is stored; `public/theme.js` reads the same key before the first paint. */
const STORED_LANGUAGE = 'language';

const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: Messages }>>> =
  {
    pt: () => import('../../locales/pt.json'),
    es: () => import('../../locales/es.json'),
    de: () => import('../../locales/de.json'),
    ar: () => import('../../locales/ar.json'),
  };

/** The language of this page. It changes only with a reload. */
export const language: Language = await startWith(storedLanguage());

/** The locale for `Intl`: the language with a 24-hour clock and, in Arabic, Latin digits, as in typed numbers and prices. */
export const locale = localeOf(language);

function localeOf(of: Language): string {
  return `${of}-u-hc-h23${of === 'ar' ? '-nu-latn' : ''}`;
}

function storedLanguage(): Language {
  const stored = globalThis.localStorage?.getItem(STORED_LANGUAGE) ?? '';
  return Object.hasOwn(LANGUAGES, stored) ? (stored as Language) : 'en';
}

/** Loads a language's texts before any other module needs one. Falls back to English if that fails. */
async function startWith(wanted: Language): Promise<Language> {
  i18n.setMessagesCompiler(compileSource);
  if (wanted !== 'en') {
    try {
      const { default: messages } = await CATALOGUES[wanted]();
      i18n.loadAndActivate({ locale: wanted, locales: localeOf(wanted), messages });
      return wanted;
    } catch (error) {
      console.error(`Failed to load the texts in ${LANGUAGES[wanted]}`, error);
    }
  }
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return 'en';
}

/** Stores the language for this browser and reloads the page, since only a reload updates every text. */
export function setLanguage(chosen: Language): void {
  localStorage.setItem(STORED_LANGUAGE, chosen);
  if (chosen !== language) location.reload();
}

/**
 * Returns a text in the chosen language. The key is the English text. It must be a literal in the call so that the catalogs can
 * be checked against it: words, `{name}` and `{count, plural, one {# message} other {# messages}}`.
 */
export function t(text: string, values?: Readonly<Record<string, string | number>>): string {
  if (values === undefined) return language === 'en' ? text : i18n._(text);
  return i18n._(text, Object.fromEntries(Object.entries(values).map(asItIs)));
}

/** Lingui decodes `\u…` and `\x…` in the finished text; escaping the backslash keeps typed text unchanged. */
function asItIs([name, value]: [string, string | number]): [string, string | number] {
  return [name, typeof value === 'string' ? value.replaceAll('\\', '\\u005c') : value];
}

/** Translates a text that the server sent; returns it unchanged if it has no translation. */
export function translated(text: string): string {
  return Object.hasOwn(i18n.messages, text) ? i18n._(text) : text;
}
