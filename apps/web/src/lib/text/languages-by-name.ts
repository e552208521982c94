import { LANGUAGE_CODES, type LanguageCode } from '@stagedoor/contract/language-codes';
import { locale } from './i18n.ts';
import { languageName } from './language-names.ts';

let languages: readonly (readonly [code: LanguageCode, name: string])[] | undefined;

/** Returns the codes and names of all languages, sorted by name. */
export function languagesByName() {
  const { compare } = new Intl.Collator(locale);
  languages ??= LANGUAGE_CODES.map((code) => [code, languageName(code)] as const).sort(
    ([, a], [, b]) => compare(a, b),
  );
  return languages;
}
