import type { LanguageCode } from '@stagedoor/contract/language-codes';
import { locale } from './i18n.ts';

const names = new Intl.DisplayNames(locale, { type: 'language' });
const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

/** Returns a language's name in the console's language, or the code if the name is unknown. */
export const languageName = (code: LanguageCode): string => names.of(code) ?? code;

/** Returns the names of several languages as a list, in the given order. */
export const languageNames = (codes: readonly LanguageCode[]): string =>
  list.format(codes.map(languageName));
