// `npm run texts`: lists the clients' texts that can't be translated, and gaps in each catalog.
//   npm run texts -- apps/web/src/inbox   only files whose path starts with this
//   npm run texts -- --missing de         the texts that a language lacks, by client, as JSON to translate
import { CLIENTS, catalogue, languages, textsIn, wrongIn } from './lib/texts.mjs';

const args = process.argv.slice(2);
const clients = CLIENTS.map((client) => ({ client, ...textsIn(client) }));
if (args[0] === '--missing') {
  const missing = clients.map(({ client, texts }) => {
    const known = catalogue(client, args[1]);
    return [client, texts.filter((text) => !Object.hasOwn(known, text)).map((text) => [text, ''])];
  });
  const json = missing.map(([client, texts]) => [client, Object.fromEntries(texts)]);
  console.log(JSON.stringify(Object.fromEntries(json), null, 2));
} else {
  const under = args[0] ?? '';
  const lines = new Set(clients.flatMap(({ problems }) => problems));
  const wrong = [...lines].filter((line) => line.startsWith(under));
  if (under === '')
    for (const { client, texts } of clients)
      for (const language of languages(client))
        wrong.push(
          ...wrongIn(language, catalogue(client, language), texts).map(
            (line) => `${client} ${line}`,
          ),
        );
  for (const line of wrong) console.log(line);
  const counts = clients.map(({ client, texts }) => `${texts.length} texts in ${client}`);
  console.log(`${counts.join(', ')}; ${wrong.length} problems`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
