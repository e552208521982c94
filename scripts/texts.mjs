// `npm run texts`: lists the apps' texts that can't be translated, and gaps in each catalog.
//   npm run texts -- apps/web/src/inbox   only files whose path starts with this
//   npm run texts -- --missing de         the texts without a translation in a language, by app, as JSON
import { APPS, catalogue, languages, problemsIn, textsIn } from './lib/texts.mjs';

const args = process.argv.slice(2);
const apps = APPS.map((app) => ({ app, ...textsIn(app) }));
if (args[0] === '--missing') {
  const missing = apps.map(({ app, texts }) => {
    const known = catalogue(app, args[1]);
    return [app, texts.filter((text) => !Object.hasOwn(known, text)).map((text) => [text, ''])];
  });
  const json = missing.map(([app, texts]) => [app, Object.fromEntries(texts)]);
  console.log(JSON.stringify(Object.fromEntries(json), null, 2));
} else {
  const under = args[0] ?? '';
  const lines = new Set(apps.flatMap(({ problems }) => problems));
  const wrong = [...lines].filter((line) => line.startsWith(under));
  if (under === '')
    for (const { app, texts } of apps)
      for (const language of languages(app))
        wrong.push(
          ...problemsIn(language, catalogue(app, language), texts).map((line) => `${app} ${line}`),
        );
  for (const line of wrong) console.log(line);
  const counts = apps.map(({ app, texts }) => `${texts.length} texts in ${app}`);
  console.log(`${counts.join(', ')}; ${wrong.length} problems`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
