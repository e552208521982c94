import { startTexts } from '@stagedoor/browser/i18n';

export { locale, t, translated } from '@stagedoor/browser/i18n';

const preferred = globalThis.navigator?.languages ?? [];

await startTexts(
  preferred.map((tag) => tag.split('-')[0] ?? ''),
  {
    pt: () => import('../locales/pt.json'),
    es: () => import('../locales/es.json'),
    de: () => import('../locales/de.json'),
    ar: () => import('../locales/ar.json'),
  },
);
