import { type Language, language, startTexts } from '@stagedoor/browser/i18n';

export { LANGUAGES, type Language, language, locale, t, translated } from '@stagedoor/browser/i18n';

/** The local storage key of the chosen language. */
const STORED_LANGUAGE = 'language';

await startTexts([globalThis.localStorage?.getItem(STORED_LANGUAGE) ?? ''], {
  pt: () => import('../../locales/pt.json'),
  es: () => import('../../locales/es.json'),
  de: () => import('../../locales/de.json'),
  ar: () => import('../../locales/ar.json'),
});

/** Stores the language for this browser and reloads the page, since only a reload updates every text. */
export function setLanguage(chosen: Language): void {
  localStorage.setItem(STORED_LANGUAGE, chosen);
  if (chosen !== language) location.reload();
}
