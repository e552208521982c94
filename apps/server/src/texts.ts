import {
  type CompiledIcuChoices,
  type CompiledMessage,
  compileMessage,
} from '@lingui/message-utils/compileMessage';
import ar from './locales/ar.json' with { type: 'json' };
import de from './locales/de.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };
import pt from './locales/pt.json' with { type: 'json' };

type Catalogue = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;

/** The texts of emails and push notifications in one language. */
export interface Texts {
  readonly language: Language;
  /** The locale for `Intl`: like the console's, with a 24-hour clock and, in Arabic, Latin digits. */
  readonly locale: string;
  /** Formats US dollars. */
  readonly money: Intl.NumberFormat;
  /** Returns a text in this language. `text` is the English text in ICU syntax, and must be a literal in each call. */
  readonly t: (text: string, values?: Values) => string;
}

/** The console's languages. */
export type Language = 'en' | 'pt' | 'es' | 'de' | 'ar';

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: createTexts('en', {}),
  pt: createTexts('pt', pt),
  es: createTexts('es', es),
  de: createTexts('de', de),
  ar: createTexts('ar', ar),
};

const isLanguage = (code: string | null | undefined): code is Language =>
  typeof code === 'string' && Object.hasOwn(TEXTS, code);

/** Returns the texts of the first code that is one of our languages; English if none is. */
export const textsIn = (...codes: readonly (string | null)[]): Texts =>
  TEXTS[codes.find(isLanguage) ?? 'en'];

/** Returns the first of our languages that an Accept-Language header names; browsers list the preferred one first. */
export function preferredLanguage(acceptLanguage: string | undefined): Language | null {
  const ranges = acceptLanguage?.toLowerCase().split(',') ?? [];
  return (
    ranges.map((range) => /^\s*([a-z]+)(?=[-;\s]|$)/.exec(range)?.[1]).find(isLanguage) ?? null
  );
}

function createTexts(language: Language, catalogue: Catalogue): Texts {
  const plurals = new Intl.PluralRules(language);

  /** @param count the text for `#`, which inside a plural is the number */
  function format(message: CompiledMessage, values: Values, count = '#'): string {
    const parts = message.map((token) => {
      if (typeof token === 'string') return token === '#' ? count : token;
      const [name, kind, choices] = token;
      const value = values[name] ?? '';
      if (kind === undefined) return value;
      const cases = choices as CompiledIcuChoices;
      return format(cases[plurals.select(Number(value))] ?? [], values, String(value));
    });
    return parts.join('');
  }

  const locale = `${language}-u-hc-h23${language === 'ar' ? '-nu-latn' : ''}`;
  return {
    language,
    locale,
    // The Arabic format puts its `US$` on the wrong side in right-to-left text.
    money: new Intl.NumberFormat(language === 'ar' ? 'en' : locale, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
    }),
    t: (text, values = {}) => format(compileMessage(catalogue[text] ?? text), values),
  };
}
