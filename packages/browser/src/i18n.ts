import { i18n, type Messages } from '@lingui/core';
import { compileSource } from './message-source.ts';

/** Each language's name, in that language. */
export const LANGUAGES = {
  en: 'English',
  pt: 'Português',
  es: 'Español',
  de: 'Deutsch',
  ar: 'العربية',
} as const;

export type Language = keyof typeof LANGUAGES;

/** For each language except English: a function that loads its texts, keyed by the English text. */
export type Catalogues = Readonly<
  Record<Exclude<Language, 'en'>, () => Promise<{ default: Messages }>>
>;

/** The language of this page. It changes only with a reload. */
export let language: Language = 'en';

/** The locale for `Intl`: the language with a 24-hour clock and, for Arabic, the Latin digits that prices use too. */
export let locale = localeOf(language);

function localeOf(of: Language): string {
  return `${of}-u-hc-h23${of === 'ar' ? '-nu-latn' : ''}`;
}

i18n.setMessagesCompiler(compileSource);
i18n.loadAndActivate({ locale: 'en', messages: {} });

/**
 * Loads the texts of the first wanted language that is available, and sets the page's language and direction. The page stays
 * English if that fails. Each client awaits this at the top level of the module that exports `t` to its other modules, so that
 * those modules can call `t` in top-level constants.
 */
export async function startTexts(wanted: readonly string[], catalogues: Catalogues): Promise<void> {
  const first = wanted.find((each) => Object.hasOwn(LANGUAGES, each)) as Language | undefined;
  if (first === undefined || first === 'en') return;
  try {
    const { default: messages } = await catalogues[first]();
    language = first;
    locale = localeOf(first);
    i18n.loadAndActivate({ locale: first, locales: locale, messages });
    document.documentElement.lang = first;
    document.dir = first === 'ar' ? 'rtl' : 'ltr';
  } catch (error) {
    console.error(`Failed to load the texts in ${LANGUAGES[first]}`, error);
  }
}

/**
 * Returns a text in the page's language. The key is the English text, which can contain `{name}` and
 * `{count, plural, one {# message} other {# messages}}`. It must be a literal, so that the catalogs can be checked against it.
 * @param given the values for the braces or, for a short word with several meanings, its context: `t('Open', 'status')`
 */
export function t(text: string, given?: Readonly<Record<string, string | number>> | string) {
  if (given === undefined) return translated(text);
  if (typeof given === 'string') return translated(`${text} [${given}]`, text);
  return i18n._(text, Object.fromEntries(Object.entries(given).map(asItIs)));
}

/** Escapes the backslashes in a value, because Lingui decodes `\u…` and `\x…` in the finished text. */
function asItIs([name, value]: [string, string | number]): [string, string | number] {
  return [name, typeof value === 'string' ? value.replaceAll('\\', '\\u005c') : value];
}

/** Translates a text that the server sent. @param otherwise returned if there is no translation; by default the text itself */
export function translated(text: string, otherwise = text): string {
  return Object.hasOwn(i18n.messages, text) ? i18n._(text) : otherwise;
}
