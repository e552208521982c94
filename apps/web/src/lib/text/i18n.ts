import { i18n, type Messages } from '@lingui/core';
import { compileSource } from './message-source.ts';

/** What each language calls itself. */
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

/** The language that this page shows, the same until it is loaded again. */
export const language: Language = await startWith(storedLanguage());

/** For `Intl`: the language, with 24 hours a day, in Arabic with the digits that typed numbers and prices have. */
export const locale = localeOf(language);

function localeOf(of: Language): string {
  return `${of}-u-hc-h23${of === 'ar' ? '-nu-latn' : ''}`;
}

function storedLanguage(): Language {
  const stored = globalThis.localStorage?.getItem(STORED_LANGUAGE) ?? '';
  return Object.hasOwn(LANGUAGES, stored) ? (stored as Language) : 'en';
}

/** Loads a language's texts before any other module asks for one; English where that fails. */
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

/** Remembers the language for this browser and shows the page in it. Only a reload reaches every text. */
export function setLanguage(chosen: Language): void {
  localStorage.setItem(STORED_LANGUAGE, chosen);
  if (chosen !== language) location.reload();
}

/**
 * A text in the chosen language. It is looked up by the English one, which has to stand in the
 * call as it is, so that the catalogues can be checked against it: words, `{name}` and
 * `{count, plural, one {# message} other {# messages}}`.
 */
export function t(text: string, values?: Readonly<Record<string, string | number>>): string {
  if (values === undefined) return language === 'en' ? text : i18n._(text);
  return i18n._(text, Object.fromEntries(Object.entries(values).map(asItIs)));
}

/** The library reads `\u…` and `\x…` in what it has put together: what a person typed is not to be read so. */
function asItIs([name, value]: [string, string | number]): [string, string | number] {
  return [name, typeof value === 'string' ? value.replaceAll('\\', '\\u005c') : value];
}

/** A text that the server sent: in the chosen language where there is one for it, else as it came. */
export function translated(text: string): string {
  return Object.hasOwn(i18n.messages, text) ? i18n._(text) : text;
}
