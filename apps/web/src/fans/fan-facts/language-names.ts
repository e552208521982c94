import type { LanguageCode } from '@stagedoor/contract/language-codes';
import { locale } from '../../lib/text/i18n.ts';

const names = new Intl.DisplayNames(locale, { type: 'language' });
const list = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });

/** What the console's language calls another one; its code where it has no name for it. */
export const languageName = (code: LanguageCode): string => names.of(code) ?? code;

/** Several of them, in their order. */
export const languageNames = (codes: readonly LanguageCode[]): string =>
  list.format(codes.map(languageName));
